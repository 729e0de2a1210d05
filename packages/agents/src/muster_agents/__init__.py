"""Agents as data: files with instructions, model tier, tools and budget."""

from muster_agents.agent_files import Agent, AgentBudget, AgentError, Known, read_agent
from muster_agents.agent_folder import Agents, load_agents

__all__ = ["Agent", "AgentBudget", "AgentError", "Agents", "Known", "load_agents", "read_agent"]
