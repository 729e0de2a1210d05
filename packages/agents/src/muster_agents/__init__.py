"""Agents and skills as data: files with instructions, model tier, tools and budget."""

from muster_agents.agent_files import Agent, AgentBudget, AgentWorkflow, Known, read_agent
from muster_agents.agent_folder import (
    Agents,
    Definitions,
    Skills,
    load_agents,
    load_definitions,
    load_skills,
    with_files,
    with_skills,
)
from muster_agents.definition_text import DefinitionError
from muster_agents.permissions import EVERYTHING, Paths, Permissions, intersection
from muster_agents.skill_files import Skill, rank_skills, read_skill

__all__ = [
    "EVERYTHING",
    "Agent",
    "AgentBudget",
    "AgentWorkflow",
    "Agents",
    "DefinitionError",
    "Definitions",
    "Known",
    "Paths",
    "Permissions",
    "Skill",
    "Skills",
    "intersection",
    "load_agents",
    "load_definitions",
    "load_skills",
    "rank_skills",
    "read_agent",
    "read_skill",
    "with_files",
    "with_skills",
]
