"""Cloud metadata and the fleet's own servers are closed to cases, in a browser and by HTTP."""

from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import httpx
import pytest
from session_stage import new_stage, serving_site

from muster_devices.domains import allowed, checked, is_link_local, own_addresses
from muster_devices.errors import DeviceRefused
from muster_devices.web.chromium import launch_arguments
from muster_subagent.closed_addresses import refuse_addresses

METADATA = (
    *("169.254.169.254", "169.254.170.2", "169.254.0.1", "[fe80::1]", "[fe80::1%25eth0]", "[fd00:ec2::254]"),
    *("2852039166", "0xA9FEA9FE", "0xa9.254.43518", "0251.0376.0251.0376", "169.254.43518", "[::ffff:169.254.169.254]"),
    *("[::ffff:a9fe:a9fe]", "metadata.google.internal", "METADATA.google.internal.", "169.254.169.254."),
)
OPEN = ("127.0.0.1", "localhost", "shop.example", "169.253.1.1", "10.0.0.1", "[::1]", "169.254.example", "")


@pytest.mark.parametrize("host", METADATA)
@pytest.mark.parametrize("form", ["http://{}/latest/meta-data", "https://{}:8080/", "http://me:pw@{}/"])
def test_metadata_is_closed_however_its_address_is_written(host: str, form: str) -> None:
    url = form.format(host)
    for domains in ((), ("169.254.169.254",), (host.strip("[]"),)):
        assert not allowed(url, domains)
        with pytest.raises(DeviceRefused, match="closed to cases"):
            checked(url, domains)


@pytest.mark.parametrize("host", OPEN)
def test_other_addresses_stay_open(host: str) -> None:
    assert not is_link_local(host.strip("[]"))


@pytest.mark.parametrize(
    "domain",
    [
        *(host.strip("[]") for host in METADATA),
        *(
            "254",
            "169.254",
            "*.254",
            "169.254.169.254:80",
            "16?.254.169.254",
            "*",
            "**",
            "1*",
            "internal",
            "google.internal",
        ),
        *("a, EXCLUDE 169.254.*", "a,EXCLUDE *", "a\tEXCLUDE 169.254.169.254", "INTERNAL"),
    ],
)
def test_no_domain_of_a_case_takes_the_machines_own_link_out_of_what_is_closed_to_pages(domain: str) -> None:
    """Chromium applies no rule at all to a host that one `EXCLUDE` matches."""
    rules = launch_arguments((domain, "shop.example"))[-1].partition("=")[2].split(",")
    opened = [rule.split()[1] for rule in rules if rule.split()[0] == "EXCLUDE"]
    assert {"shop.example", "*.shop.example"} <= set(opened)
    for closed in ("169.254.169.254", "metadata.google.internal"):
        assert not [pattern for pattern in opened if fnmatchcase(closed, pattern.lower())]


def test_addresses_and_names_that_a_case_names_stay_open_to_pages() -> None:
    rules = launch_arguments(("127.0.0.1:5000", "*.corp.internal", "x.svc"))[-1]
    opened = [rule.split()[1] for rule in rules.split(", ") if "EXCLUDE" in rule]
    assert opened == ["127.0.0.1", "corp.internal", "*.corp.internal", "x.svc", "*.x.svc"]


def test_a_fleets_own_servers_and_their_monitors_are_named() -> None:
    assert own_addresses("nats://u:p@nats-0:4222, tls://nats-1") == (
        *("nats-0:4222", "nats-0:8222", "nats-1:4222", "nats-1:8222"),
    )
    rules = launch_arguments((), ("nats-0:8222",))[-1]
    assert "MAP nats-0:8222 ~NOTFOUND" in rules
    assert "MAP 169.254.* ~NOTFOUND" in rules


async def test_requests_by_http_are_kept_from_them_also_by_way_of_a_redirect() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "shop.example":
            return httpx.Response(302, headers={"Location": "http://169.254.169.254/latest"})
        return httpx.Response(200, text="reached")

    hooks = {"request": [refuse_addresses(("nats:8222",))]}
    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(answer), event_hooks=hooks, follow_redirects=True)
    async with client() as http:
        assert (await http.get("http://nats:8223/")).text == "reached"
        for url in ("http://nats:8222/varz", "http://shop.example/", *(f"http://{host}/" for host in METADATA[:3])):
            with pytest.raises(httpx.ConnectError, match="closed to cases"):
                await http.get(url)


async def test_a_page_cannot_reach_the_nats_server_of_its_fleet(tmp_path: Path) -> None:
    with serving_site() as site:
        async with new_stage(tmp_path) as stage:
            await stage.start_host()
            await stage.open()
            async with stage.attach() as session:
                page = await session.page()
                await page.goto(site)
                fetch = "url => fetch(url, {mode: 'no-cors'}).then(() => 'reached', error => `${error}`)"
                assert await page.evaluate(fetch, site) == "reached"
                for name in ("127.0.0.1", "localhost"):
                    nats = stage.bus.settings.nats_url.replace("nats://", "http://").replace("127.0.0.1", name)
                    expected = "TypeError: Failed to fetch"
                    assert await page.evaluate(fetch, nats) == expected
            await stage.close()
