"""``bridzik doctor``."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from cli import options, output
from cli.main import bridzik_command

PACKAGES = (
    "bridzik", "numba", "llvmlite", "numpy", "scipy", "pandas", "matplotlib", "click", "rich", "msgspec",
    "filelock", "platformdirs", "tomli-w",
)  # fmt: skip
FEATURES = ("bmi2", "avx2", "avx512f")
SELF_TEST = "random"


@bridzik_command("doctor")
@options.game
@options.output_format
def command(game: str, form: str) -> int:
    """Show versions, processor, cores and the cache of compiled code, and test that the machinery works.

    Exit code 4 when a test fails. A report of a problem should contain this output.

    \b
    Examples:
      bridzik doctor
      bridzik doctor --game wizard
    """
    from bridzik_sim.errors import EXIT_INTERNAL

    checks = _checks(game)
    ok = all(check["ok"] for check in checks)
    found: dict[str, Any] = {
        "versions": _versions(),
        "processor": _processor(),
        "cores": _cores(),
        "cache": _cache(),
        "strategies": _strategies(game),
        "checks": checks,
        "ok": ok,
    }
    if form == "json":
        output.as_json(found)
    else:
        _print(found, form)
    return 0 if ok else EXIT_INTERNAL


def _versions() -> dict[str, str]:
    found = {"python": f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> dict[str, Any]:
    import llvmlite.binding as llvm

    from bridzik_sim.cards import has_pdep

    features = llvm.get_host_cpu_features()
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "name": llvm.get_host_cpu_name(),
        "features": [name for name in FEATURES if features.get(name)],
        "pdep": has_pdep(),
    }


def _cores() -> dict[str, Any]:
    from bridzik_sim.executors import cores

    return {"usable": cores(), "present": os.cpu_count()}


def _cache() -> dict[str, Any]:
    """The cache of this version, and the size of all that bridzik keeps there."""
    from bridzik_sim.jit import CACHE_DIRECTORY

    if CACHE_DIRECTORY is None:
        return {"path": None, "writable": False, "megabytes": 0.0}
    root = CACHE_DIRECTORY.parents[2]
    return {
        "path": str(CACHE_DIRECTORY),
        "writable": True,
        "megabytes": round(sum(_size(path) for path in root.rglob("*")) / 1e6, 1),
    }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # another process tidies up
        return 0


def _strategies(game: str) -> list[dict[str, Any]]:
    """The packages entered in the entry-point group, and how many strategies of the game all of them hold."""
    from bridzik_sim import sources

    points = metadata.entry_points(group=sources.ENTRY_POINTS)
    names = sources.named(game)
    found = []
    for package in sorted({point.value for point in points}):
        parts = (*package.split("."), game)
        inside = [name for name, path in names.items() if path.parent.parts[-len(parts) :] == parts]
        found.append({"package": package, "strategies": sorted(inside)})
    return found


def _checks(game: str) -> list[dict[str, Any]]:
    tests = (("streams", _streams), ("engines", lambda: _engines(game)))
    found = []
    for name, test in tests:
        try:
            ok, detail = test()
        except Exception as error:  # a report of what is broken must not break
            ok, detail = False, f"{type(error).__name__}: {error}"
        found.append({"check": name, "ok": ok, "detail": detail})
    return found


def _streams() -> tuple[bool, str]:
    import numpy as np

    from bridzik_sim import streams
    from bridzik_sim.games import plain

    words = np.zeros(4, np.uint64)
    for seed, unit in ((0, 0), (1, 2**40), (streams.MAX_SEED, 7)):
        tag = streams.stream_tag("bridzik", 1)
        streams.philox(np.uint64(seed), np.uint64(tag), np.uint64(unit), words)
        if [int(word) for word in words] != plain.unit_words(seed, tag, unit):
            return False, f"the random stream of seed {seed}, unit {unit} differs from numpy's Philox"
    return True, "random streams equal numpy's Philox"


def _engines(game: str) -> tuple[bool, str]:
    from bridzik_sim import experiment, games, trials
    from bridzik_sim.play import Player

    seats = games.get(game).usual_seats
    player = Player(experiment.make(f"{SELF_TEST}*{seats}", 1, 1, game=game))
    if not trials.engines_agree(player, 2):
        return False, f"the compiled kernel of {game} and its reference engine play different games"
    return True, f"the compiled kernel of {game} and its reference engine agree"


def _print(found: dict[str, Any], form: str) -> None:
    cells = [[name, version] for name, version in found["versions"].items()]
    processor, cores, cache = found["processor"], found["cores"], found["cache"]
    pdep = (
        "pdep is used" if processor["pdep"] else "pdep is missing or slow here, so a portable search is used"
    )
    cells += [
        ["system", processor["system"]],
        [
            "processor",
            f"{processor['name']}; {', '.join(processor['features']) or 'no special features'}; {pdep}",
        ],
        ["cores", f"{cores['usable']} usable of {cores['present']}"],
    ]
    if cache["path"]:
        cells.append(["cache", f"{cache['path']} (writable, {cache['megabytes']} MB with other versions)"])
    else:
        cells.append(["cache", "cannot be written to, so everything is compiled anew; set BRIDZIK_CACHE_DIR"])
    cells += [
        [f"strategies of {one['package']}", ", ".join(one["strategies"]) or "-"]
        for one in found["strategies"]
    ]
    cells += [
        [one["check"], ("ok: " if one["ok"] else "FAILED: ") + one["detail"]] for one in found["checks"]
    ]
    if form == "table":
        width = max(len(first) for first, _ in cells) + 2
        output.data("\n".join(f"{first:<{width}}{second}" for first, second in cells))
    else:
        output.rows(("what", "found"), cells, [False, False], form)
