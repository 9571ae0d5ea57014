"""One driver a folder: the file ``lock`` in it says whose it is."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What a system says of a lock that another one has. Anything else: this file system has no locks."""


class FolderInUse(RuntimeError):
    """Another driver has the folder."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Has the folder for this process, or raises ``FolderInUse`` with who has it.

    The system gives a process's lock back when the process ends, however it ends. The text in the file tells others whose
    it is, and stands for the lock where machines do not see each other's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "lock"
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        has_locks = _lock(descriptor)
        host, process = _owner(descriptor)
        here = socket.gethostname()
        if has_locks is False or (has_locks is None and host == here and psutil.pid_exists(process)):
            who = f"process {process} of {host}" if host else "another process"
            raise FolderInUse(
                f"{folder}: {who} carries out a campaign here; wait until it has ended, or take another folder"
            )
        if host and host != here:
            raise FolderInUse(
                f"{folder}: process {process} of {host} carries out a campaign here, or ended without a word, which "
                f"{here} cannot see; once it has ended, delete {file}"
            )
        if host:
            warnings.warn(
                f"{folder}: process {process} of this machine ended in the middle of a campaign; this one goes on",
                stacklevel=4,
            )
        _write(descriptor, json.dumps({"host": here, "process": os.getpid()}))
        try:
            yield
        finally:
            # The file stays: to delete it would take it from whoever has just opened it.
            _write(descriptor, "")
    finally:
        os.close(descriptor)


def _owner(descriptor: int) -> tuple[str, int]:
    """Host and process in the file; no host if there is none."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        owner = json.loads(os.read(descriptor, 4_096))
        return str(owner["host"]), int(owner["process"])
    except (ValueError, KeyError, TypeError):
        return "", 0


def _write(descriptor: int, text: str) -> None:
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, text.encode())
    os.fsync(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool | None:
        """Whether this process has the lock now; ``None``: there are none here."""
        # Nobody else can read a locked byte, so it lies behind the text.
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return False if error.errno in _TAKEN else None
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool | None:
        """Whether this process has the lock now; ``None``: there are none here."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return False if error.errno in _TAKEN else None
        return True
