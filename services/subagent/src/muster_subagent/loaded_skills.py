"""The skills of one sub-task's agent: which one is loaded, what the model reads of it, and what it permits."""

from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from muster_agents import Agent, Permissions, Skill, rank_skills
from muster_agents.permissions import Names
from muster_protocol.causes import Failure
from muster_subagent import metrics
from muster_subagent.agent_rights import tool_names
from muster_subagent.tools.skill_tools import load_skill, unload_skill
from muster_subagent.tools.tool import ToolError
from muster_subagent.tools.tool_catalogue import Tools
from muster_text.text_match import nearest


class LoadedSkills:
    """One skill is loaded at a time; implements `muster_subagent.tool_context.SkillShelf`.

    What is loaded follows from the calls that were made, so that a new holder of the sub-task has the same.
    """

    def __init__(
        self,
        agent: Agent,
        skills: Mapping[str, Skill],
        problems: Mapping[str, str],
        allowed: Permissions,
        tools: Tools,
        *,
        goal: str,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._skills = {id: skills[id] for id in agent.skills if id in skills}
        self._problems = {id: problems[id] for id in agent.skills if id in problems}
        self._allowed, self._tools, self._clock = allowed, tools, clock
        self._likely = rank_skills(goal, self._skills)
        self._router = self._names(agent.router_tools)
        self._loaded: Skill | None = None
        self._since = 0.0

    @property
    def loaded(self) -> str:
        """Id of the skill that is loaded; empty: none."""
        return self._loaded.id if self._loaded else ""

    @property
    def permissions(self) -> Permissions:
        """What the agent may do now: no more than without any skill."""
        skill = self._loaded
        if skill is None:
            return self._allowed & Permissions(tools=self._router)
        approvals = self._names(skill.approval_required_for) or ()
        return self._allowed & skill.permissions(self._names(skill.tools), approvals)

    def describe_loading(self, id: str, device: str) -> str:
        """Return what the model is told of a skill that it loads; counts it.

        Raises:
            ToolError: there is none, or it cannot be loaded here.
        """
        try:
            skill = self._find(id, device)
        except ToolError:
            metrics.SKILL_LOADS.labels(id if id in self._skills else "unknown", "refused").inc()
            raise
        metrics.SKILL_LOADS.labels(id, "loaded").inc()
        left = (self._allowed & skill.permissions(self._names(skill.tools), ())).tools
        tools = "your own tools" if left is None else f"of your tools there are now: {', '.join(left) or 'none'}"
        version = f" {skill.version}" if skill.version else ""
        return f"the skill {id}{version} is loaded, its instructions are above; {tools}"

    def follow(self, what: str, id: str) -> None:
        """Take note of a skill that was loaded or unloaded."""
        self._loaded = self._skills.get(id) if what == "load" else None
        self._since = self._clock()

    def find_overdue(self) -> str:
        """Return that the loaded skill has to be unloaded, or ""."""
        skill = self._loaded
        if skill is None or skill.timeout_seconds is None or self._clock() - self._since <= skill.timeout_seconds:
            return ""
        return f"the {skill.timeout_seconds:g} s of the skill {skill.id} are over: {unload_skill.name}, or end the work"

    def instructions(self) -> str:
        """Return what the model is told of skills, after its agent's own instructions."""
        skill = self._loaded
        if skill is not None:
            return f"# Skill {skill.id} (loaded; {unload_skill.name} when its work is done)\n{skill.instructions}"
        listed = "\n".join(f"- {id}: {self._skills[id].description.strip()}" for id in self._ordered())
        hint = f"\nThe words of the goal ask for {self._likely[0]}." if self._likely else ""
        return f"# Skills ({load_skill.name} before work of that sort)\n{listed}{hint}" if listed else ""

    def _ordered(self) -> Iterable[str]:
        return (*self._likely, *(id for id in self._skills if id not in self._likely))

    def _find(self, id: str, device: str) -> Skill:
        skill = self._skills.get(id)
        if skill is not None and skill.requires_device and device == "none":
            text = f"the skill {id} needs a device, and here is none: give the assignment a url or a device"
            raise ToolError(text, failure=Failure.INVALID_CALL)
        if skill is not None:
            return skill
        if id in self._problems:
            raise ToolError(f"the skill {id} cannot be used: {self._problems[id]}", failure=Failure.INVALID_CALL)
        close = nearest(id, self._skills, 1)
        told = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(self._skills) or 'none'}"
        raise ToolError(f"this agent has no skill {id!r}; {told}", failure=Failure.INVALID_CALL)

    def _names(self, names: Names) -> Names:
        return None if names is None else tool_names(names, self._tools)
