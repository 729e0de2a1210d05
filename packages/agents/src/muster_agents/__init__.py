"""Agents as data: files that say what an agent is told, which model it asks and what it may use."""

from muster_agents.agent_files import Agent, AgentBudget, AgentError, Known, built_in, load_agents, read_agent

__all__ = ["Agent", "AgentBudget", "AgentError", "Known", "built_in", "load_agents", "read_agent"]
