#!/usr/bin/env python3
"""Kills a worker during scripts/dask_study.py and checks that the merged counts equal those of a single process, byte by byte.

usage: python scripts/check_dask.py [JIGO]   (packages: scripts/requirements-dask.txt)
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import psutil

PARTS = 12
STUDY = ["--size", "9,13", "--games", "60k", "--policy", "guarded,eye-safe", "--rules", "tromp-taylor,japanese", "--seed", "7"]


def busy_worker(driver, jigo):
    """Waits until a worker process of the cluster plays a part, and returns it."""
    for _ in range(600):
        for process in psutil.Process(driver.pid).children(recursive=True):
            try:
                if pathlib.Path(process.exe()) == jigo and process.parent().pid != driver.pid:
                    return process.parent()
            except (psutil.NoSuchProcess, AttributeError):
                continue
        time.sleep(0.05)
    sys.exit("no worker plays a part")


def main(jigo):
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory(prefix="jigo-dask-") as folder:
        folder = pathlib.Path(folder)
        subprocess.run([jigo, "study", *STUDY, "--out", folder / "alone"], check=True, capture_output=True)
        script = [sys.executable, here / "dask_study.py", "--jigo", jigo, "--workers", "2", "--parts", str(PARTS)]
        temporary = folder / "temporary"
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        command = [*script, "--out", folder / "merged", "--", *STUDY]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as driver:
            played = 0
            for line in driver.stderr:
                if "parts played" in line:
                    played += 1
                    if played == 2:
                        worker = busy_worker(driver, pathlib.Path(jigo).resolve())
                        worker.kill()
                        print(f"killed worker {worker.pid} after {played} of {PARTS} parts")
        if driver.returncode != 0:
            sys.exit(f"dask_study.py ended with status {driver.returncode}")
        if played != PARTS:
            sys.exit(f"{played} of {PARTS} parts were reported")
        if left := sorted(path.name for path in temporary.iterdir()):
            sys.exit(f"left in the temporary folder: {left}")
        alone, merged = [(folder / name / "report.json").read_bytes() for name in ("alone", "merged")]
        if alone != merged:
            sys.exit("the merged counts are not those of a single process")
        print(f"ok: {PARTS} parts, one worker killed, {len(alone)} bytes of counts as from a single process")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "target/release/jigo")
