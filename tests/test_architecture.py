"""The house: imports flow one way, files and functions stay readable."""

import ast
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "bridzik_sim": set(),
    "strategies": {"bridzik_sim"},
    "reports": {"bridzik_sim"},
    "cli": {"bridzik_sim", "reports"},
}
# Reports look at results and write files; they never play. Strategies use what the rules give them.
REPORTS_MAY_USE = {"bridzik_sim.results", "bridzik_sim.files"}
STRATEGIES_MAY_NOT_USE = {"bridzik_sim.runner", "bridzik_sim.api", "bridzik_sim.play", "bridzik_sim.folder"}
SOURCES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_flow_one_way(path):
    package = path.relative_to(ROOT).parts[0]
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[package] - {package}
    modules = list(imported(path))
    assert not [module for module in modules if module.split(".")[0] in forbidden]
    if package == "reports":
        used = {".".join(module.split(".")[:2]) for module in modules if module.startswith("bridzik_sim.")}
        assert used <= REPORTS_MAY_USE
    if package == "strategies":
        assert not STRATEGIES_MAY_NOT_USE & set(modules)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_can_be_read_in_one_sitting(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    functions = [
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long = {f.name: f.end_lineno - f.lineno + 1 for f in functions if f.end_lineno - f.lineno + 1 > 50}
    assert not long


def test_the_suite_has_what_it_compares_with():
    """Comparisons with another program are left out only where pyproject.toml says that it has no build."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["test"]])
    here = [one for one in needed if one.marker is None or one.marker.evaluate()]
    assert not [str(one) for one in here if metadata.version(one.name) not in one.specifier]


def test_the_help_imports_no_heavy_library():
    code = (
        "import sys, cli.main; cli.main.run(['--help']); "
        "sys.exit(' '.join(m for m in ('numba', 'numpy', 'pandas', 'matplotlib', 'scipy', 'rich') if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_uint64_lives_in_streams_only():
    # Mixed with int64 numba turns it into float64, silently.
    allowed = {"streams.py"}
    declared = {"view.py", "seats.py", "kernel.py"}  # dtypes of stream states, the type of the stream tag
    for path in (ROOT / "bridzik_sim").rglob("*.py"):
        uses = path.read_text(encoding="utf-8").count("uint64")
        if path.name in declared:
            assert uses <= 5
        elif path.name not in allowed | {"plain.py", "calls.py", "csv_rows.py"}:
            assert uses == 0, path
