"""Questions to models in traces, as a receiver gets them from a process."""

import subprocess
import sys

import pytest
from model_server import model_server, says
from otlp import otlp_receiver

PROGRAM = """
import asyncio
from muster_model import ModelSettings, System, User, connected_models
from muster_service.settings import BusSettings
from muster_service.tracing import export_traces

async def ask():
    async with export_traces(BusSettings(otel_exporter_otlp_endpoint={otlp!r}), "subagent"):
        settings = ModelSettings(openai_base_url={url!r}, sub_agent_model="small", model_trace_content={content})
        async with connected_models(settings) as models:
            await models.ask(models.tier("sub_agent"), (System("You test."), User("Which colour?")))

asyncio.run(ask())
"""


@pytest.mark.parametrize("content", [False, True])
def test_what_is_asked_and_answered_is_told_only_if_it_is_wanted(content: bool):
    with model_server(lambda _: says("Green.")) as server, otlp_receiver() as receiver:
        program = PROGRAM.format(otlp=receiver.url, url=server.url, content=content)
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    (chat,) = [span.attributes for span in receiver.spans if span.name == "chat small"]
    assert ("Which colour?" in str(chat.get("gen_ai.input.messages"))) == content
    assert ("Green." in str(chat.get("gen_ai.output.messages"))) == content
    assert ("You test." in str(chat.get("gen_ai.system_instructions"))) == content
