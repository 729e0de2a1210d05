"""The folder in which `muster up --data` keeps runs."""

import errno
import os
from pathlib import Path

import pytest

from muster_cli.subcommands.up import lock_folder
from muster_protocol.errors import InvalidRequest


def test_a_folder_is_used_by_one_fleet_at_a_time(tmp_path: Path):
    with lock_folder(tmp_path / "runs"), pytest.raises(InvalidRequest) as refused, lock_folder(tmp_path / "runs"):
        pass
    assert "another `muster up` uses this folder" in refused.value.reasons[0]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_write_for_which_there_is_no_room_names_the_folder(tmp_path: Path, code: int):
    with pytest.raises(OSError, match=os.strerror(code)) as failed, lock_folder(tmp_path):
        raise OSError(code, os.strerror(code))
    assert failed.value.filename == str(tmp_path)


def test_other_errors_stay_what_they_are(tmp_path: Path):
    with pytest.raises(OSError, match="refused") as failed, lock_folder(tmp_path):
        raise ConnectionRefusedError(errno.ECONNREFUSED, "refused")
    assert failed.value.filename is None
