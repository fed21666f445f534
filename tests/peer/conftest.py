"""Where the programs under test are, and how they are called."""

import json
import os
import pathlib
import subprocess
import warnings

import pytest

warnings.filterwarnings("ignore", category=DeprecationWarning)
warnings.filterwarnings("ignore", category=FutureWarning)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items):
    """All tests of one architecture run in one process: it is made once."""
    for item in items:
        made = getattr(item, "callspec", None)
        name = made.params.get("architecture") if made else None
        item.add_marker(pytest.mark.xdist_group(name.__name__ if name else item.nodeid))


@pytest.fixture(scope="session")
def tools():
    folder = pathlib.Path(os.environ.get("PIPESCOPE_PEER_TOOLS", ROOT / "build" / "bin"))
    if not (folder / "peer-chunks").exists():
        pytest.fail(f"{folder}/peer-chunks is missing: build first, or set PIPESCOPE_PEER_TOOLS")
    return folder


@pytest.fixture(scope="session")
def cli():
    """Calls pipescope-cli with --json; returns (exit code, the one object it printed)."""
    program = pathlib.Path(os.environ.get("PIPESCOPE_CLI", ROOT / "build" / "bin" / "pipescope-cli"))
    if not program.exists():
        pytest.fail(f"{program} is missing: build first, or set PIPESCOPE_CLI")

    def call(*arguments):
        done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=600)
        assert done.stdout.strip(), done.stderr
        return done.returncode, json.loads(done.stdout)

    return call
