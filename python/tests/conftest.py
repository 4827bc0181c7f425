import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def command():
    """Runs the command `jigo` with arguments: that of `JIGO`, or the one that was built."""
    path = pathlib.Path(os.environ.get("JIGO", ROOT / "target/release/jigo"))
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return lambda *arguments: subprocess.run([path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
