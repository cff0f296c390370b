"""How much memory a process may have."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from bridzik_sim.errors import UsageError

SHARE = 0.8
"""Part of the machine's memory that all processes of a run may have together."""
LEAST = 1 << 30
"""Bytes that each process may have in any case."""
UNKNOWN = 8 << 30
"""Taken for the machine's memory where the system does not tell."""
CGROUP = Path("/sys/fs/cgroup/memory.max")
STATUS = Path("/proc/self/status")
MB = 1 << 20


def share(jobs: int) -> int:
    """Bytes that each of so many processes may have."""
    return max(LEAST, int(SHARE * _all()) // jobs)


def _all() -> int:
    """Bytes of memory of the machine, or of the container."""
    known = [UNKNOWN]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        known = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit
        known.append(int(CGROUP.read_text(encoding="ascii")))
    return min(known)


def _data() -> int:
    """Bytes of data that this process has; 0 where the system does not tell."""
    with contextlib.suppress(OSError):
        for line in STATUS.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) << 10
    return 0


def limit_memory(most: int | None) -> None:
    """Let allocations of this process fail beyond ``most`` bytes of data. Works on Linux; None: no limit.

    ``UsageError`` when the process has more already: nothing could be played.

    Data, and not addresses: compiled code and linear algebra reserve far more addresses than they use.
    """
    if most is None or sys.platform != "linux":
        return
    import resource

    if most < (needed := _data()):
        what = f"a process of bridzik itself needs ({-(-needed // MB)} MB)"
        raise UsageError(f"--memory {most // MB} is less than {what}")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
