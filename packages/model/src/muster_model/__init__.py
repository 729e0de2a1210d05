"""Client of OpenAI-compatible endpoints, with typed messages and replies."""

from muster_model.chat_messages import AskedCall, Assistant, Image, Message, Reply, System, Text, ToolResult, User
from muster_model.endpoint import Models, connected_models
from muster_model.model_errors import ContextFull, ModelError, ModelUnusable
from muster_model.other_keys import FIND_KEY, OtherKey
from muster_model.settings import Endpoint, ModelSettings, Tier, tier_of
from muster_model.structured_answers import Unparsable, ask_structured

__all__ = [
    "FIND_KEY",
    "AskedCall",
    "Assistant",
    "ContextFull",
    "Endpoint",
    "Image",
    "Message",
    "ModelError",
    "ModelSettings",
    "ModelUnusable",
    "Models",
    "OtherKey",
    "Reply",
    "System",
    "Text",
    "Tier",
    "ToolResult",
    "Unparsable",
    "User",
    "ask_structured",
    "connected_models",
    "tier_of",
]
