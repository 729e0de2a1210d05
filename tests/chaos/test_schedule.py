"""The schedule is a function of the seed, and leaves the fleet room to recover."""

from itertools import islice

from chaos.jobs import PATTERN, assignments
from chaos.schedule import CLOCKS, NATS, OF_NATS, OF_PROCESSES, SERVICES, Fault, fleet_slots, schedule

SLOTS = fleet_slots()


def faults(seed: int, count: int) -> list[Fault]:
    return list(islice(schedule(seed, SLOTS, gap=3.0, ack_wait=2.0), count))


def test_the_same_seed_gives_the_same_faults_and_jobs_and_another_gives_others() -> None:
    assert faults(1, 200) == faults(1, 200)
    assert faults(1, 200) != faults(2, 200)
    assert assignments(1, 24, "http://shop") == assignments(1, 24, "http://shop")


def test_every_kind_of_fault_comes_and_hits_every_place() -> None:
    found = faults(3, 1500)

    assert {fault.kind for fault in found} == {*OF_PROCESSES, *OF_NATS}
    assert {fault.slot for fault in found} == {*(slot.name for slot in SLOTS), NATS}


def test_only_nats_is_hit_by_what_is_meant_for_nats() -> None:
    assert all((fault.slot == NATS) == (fault.kind in OF_NATS) for fault in faults(4, 300))


def test_what_is_meant_for_some_services_hits_no_other() -> None:
    services = {slot.name: slot.service for slot in SLOTS}
    for kind, wanted in SERVICES.items():
        assert {services[fault.slot] for fault in faults(8, 1500) if fault.kind == kind} == set(wanted)


def test_what_a_machine_cannot_do_is_left_out() -> None:
    found = islice(schedule(9, SLOTS, gap=3.0, ack_wait=2.0, without=CLOCKS), 600)

    assert not {fault.kind for fault in found} & set(CLOCKS)


def test_no_place_is_hit_while_the_last_fault_there_lasts() -> None:
    until = dict[str, float]()
    for fault in faults(5, 500):
        assert fault.at >= until.get(fault.slot, 0.0)
        until[fault.slot] = fault.at + fault.seconds


def test_a_frozen_process_sleeps_longer_than_its_claims_last() -> None:
    frozen = [fault.seconds for fault in faults(6, 500) if fault.kind == "freeze"]

    assert frozen
    assert min(frozen) > 2.0


def test_jobs_are_of_every_kind_and_each_has_an_id_of_its_own() -> None:
    wanted = assignments(7, 36, "http://shop")

    assert {it.kind for it in wanted} == set(PATTERN)
    assert len({it.run for it in wanted}) == 36
    assert {it.by for it in wanted} == {"nats", "http"}
