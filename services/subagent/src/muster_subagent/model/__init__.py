"""The way to a model: any OpenAI-compatible endpoint, asked with typed messages, answering with typed replies."""

from muster_subagent.model.messages import (
    AskedCall,
    Assistant,
    Image,
    Message,
    Reply,
    System,
    Text,
    ToolResult,
    User,
)
from muster_subagent.model.port import ContextFull, ModelError, Models, ModelUnusable, connected_models
from muster_subagent.model.settings import ModelSettings, Tier, tier_of
from muster_subagent.model.structured import Unparsable, structured

__all__ = [
    "AskedCall",
    "Assistant",
    "ContextFull",
    "Image",
    "Message",
    "ModelError",
    "ModelSettings",
    "ModelUnusable",
    "Models",
    "Reply",
    "System",
    "Text",
    "Tier",
    "ToolResult",
    "Unparsable",
    "User",
    "connected_models",
    "structured",
    "tier_of",
]
