"""Agents as data: files with instructions, model tier, tools and budget."""

from muster_agents.agent_files import Agent, AgentBudget, AgentError, Known, built_in, load_agents, read_agent

__all__ = ["Agent", "AgentBudget", "AgentError", "Known", "built_in", "load_agents", "read_agent"]
