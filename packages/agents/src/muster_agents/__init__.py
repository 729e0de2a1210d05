"""Agents as data: files with instructions, model tier, tools and budget."""

from muster_agents.agent_files import Agent, AgentBudget, AgentError, Known, read_agent
from muster_agents.agent_folder import Agents, load_agents
from muster_agents.permissions import EVERYTHING, Paths, Permissions, intersection

__all__ = [
    "EVERYTHING",
    "Agent",
    "AgentBudget",
    "AgentError",
    "Agents",
    "Known",
    "Paths",
    "Permissions",
    "intersection",
    "load_agents",
    "read_agent",
]
