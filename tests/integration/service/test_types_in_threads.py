"""Types that several threads decode at once."""

import subprocess
import sys
import textwrap

DECODING = textwrap.dedent("""
    import sys, threading
    from types import ModuleType
    import msgspec
    from muster_bus import service
    from muster_protocol.codec import decode
    from muster_service.settings import BusSettings

    kinds = 400
    module = sys.modules["generated"] = ModuleType("generated")
    source = "import msgspec" + "".join(
        f"\\nclass Part{n}(msgspec.Struct):\\n    x: int = 0"
        f"\\nclass Whole{n}(msgspec.Struct):\\n    part: Part{n} | None = None\\n    parts: list[Part{n}] = []\\n    z: int = 0"
        for n in range(kinds)
    )
    exec(source, module.__dict__)

    def decode_in_threads(started):
        started.close()
        sys.setswitchinterval(1e-6)
        for n in range(kinds):
            kind, start = getattr(module, f"Whole{n}"), threading.Barrier(4)

            def work(kind=kind, start=start):
                start.wait()
                decode('{"part": {"x": 1}, "parts": [{"x": 2}], "z": 3}', kind)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    service.run_until_signalled = decode_in_threads
    service.main("gateway", BusSettings, None)
""")


def test_a_service_whose_threads_decode_a_type_for_the_first_time_goes_on():
    ended = subprocess.run([sys.executable, "-c", DECODING], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
