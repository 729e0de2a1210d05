"""Settings that cannot work end a service at once with exit code 2 and the name of the variable."""

import socket
from pathlib import Path

import httpx
import pytest
from fleet import PROGRAMS, fleet
from free_ports import free_port
from sampling import mostly_slow
from waiting import eventually

from muster_bus import Rows
from muster_protocol.logs import WorkerRow


@pytest.mark.parametrize("service", mostly_slow(PROGRAMS))
async def test_a_wrong_value_ends_any_service_and_is_named(tmp_path: Path, service: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wrong = {
            "METRICS_PORT": str(taken.getsockname()[1]),
            "LOG_LEVEL": "verbose",
            "LOG_FORMAT": "yaml",
            "ACK_WAIT_SECONDS": "9",
        }
        async with fleet(tmp_path) as group:
            for name, value in wrong.items():
                with pytest.raises(AssertionError, match=rf"(?s)ended with 2.*{name}"):
                    await group.start(service, **{name: value})


async def test_a_gateway_whose_port_is_taken_names_the_variable(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with fleet(tmp_path) as group:
            with pytest.raises(AssertionError, match=r"(?s)ended with 2.*HTTP_PORT"):
                await group.start("gateway", HTTP_PORT=str(taken.getsockname()[1]))


@pytest.mark.slow
async def test_a_second_host_under_the_same_id_does_not_start(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        first = await group.start("sessions", HOST_ID="twin")
        with pytest.raises(AssertionError, match=r"(?s)ended with 2.*HOST_ID is 'twin'"):
            await group.start("sessions", HOST_ID="twin")
        first.kill()
        await first.wait()
        again = await group.start("sessions", HOST_ID="twin")  # the row of the one that was killed is no twin
        assert again.returncode is None


@pytest.mark.slow
async def test_of_two_hosts_under_one_id_the_later_one_ends(tmp_path: Path) -> None:
    """They may start at the very same time, when neither hears of the other."""
    async with fleet(tmp_path) as group:
        host = await group.start("sessions", HOST_ID="twin")
        rows = Rows(group.bus, "WORKERS", WorkerRow)

        async def played() -> bool:
            await rows.put("twin", WorkerRow(id="twin", service="sessions", host="elsewhere", pid=1, version="1"))
            return host.returncode is not None

        await eventually(played, "the later one has ended", 20.0)
        assert host.returncode == 2


async def test_a_host_without_a_browser_says_what_it_is_ready_for(tmp_path: Path) -> None:
    port = free_port()
    async with fleet(tmp_path) as group, httpx.AsyncClient() as http:
        await group.start("sessions", METRICS_PORT=str(port), BROWSER_EXECUTABLE="/nowhere")
        ready = await http.get(f"http://127.0.0.1:{port}/readyz")
        assert ready.status_code == 200
        assert ready.text.startswith("ready for screens, none; ")
        assert "cases that need a browser go to other hosts" in ready.text
        [row] = await group.rows()
        assert row.devices == ("screens", "none")
