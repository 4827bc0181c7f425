#!/usr/bin/env python3
"""Plays a study in parts on a Dask cluster and merges the parts into one report.

usage: python scripts/dask_study.py --parts 64 --out report -- --size 9,19 --games 1e8   (packages: scripts/requirements-dask.txt)

Arguments after `--` go to `jigo study`. Without --scheduler it starts a cluster of one worker per processor on this machine; with it, every worker
must have `jigo` at the path of --jigo. A part that fails, or whose worker dies, is played again elsewhere. The report's counts (report.json)
equal those of a single process, byte by byte.
"""

import argparse
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile

import dask
import distributed

TRIES_AFTER_FAILURE = 3


def play_part(part, jigo, arguments):
    """Plays one part and returns its counts: the bytes of its report.json."""
    # A worker's own folder goes with the worker, even if that is killed.
    with tempfile.TemporaryDirectory(prefix="jigo-part-", dir=distributed.get_worker().local_directory) as folder:
        command = [jigo, "study", *arguments, "--shard", part, "--out", folder]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"part {part}: {done.stderr.strip()[-2000:]}")
        return (pathlib.Path(folder) / "report.json").read_bytes()


def play_all(client, count, jigo, arguments):
    """Yields the counts of each part as it finishes."""
    parts = [f"{index}/{count}" for index in range(count)]
    futures = client.map(play_part, parts, jigo=jigo, arguments=arguments, pure=False, retries=TRIES_AFTER_FAILURE)
    for done, (future, counts) in enumerate(distributed.as_completed(futures, with_results=True), start=1):
        future.release()
        print(f"{done} of {count} parts played", file=sys.stderr, flush=True)
        yield counts


def connect(options, folder):
    """Connects to a cluster. What a cluster on this machine writes is in the folder."""
    if options.scheduler:
        return distributed.Client(options.scheduler)
    dask.config.set({"temporary-directory": folder})
    return distributed.Client(
        n_workers=options.workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs=logging.CRITICAL,  # what fails for good is said at the end
    )


def main():
    parser = argparse.ArgumentParser(description="Play a study in parts on a Dask cluster.", epilog="Arguments after -- go to `jigo study`.")
    parser.add_argument("--parts", type=int, required=True, help="number of parts; several per worker balance the load")
    parser.add_argument("--out", required=True, help="folder of the report")
    parser.add_argument("--jigo", default="target/release/jigo", help="the program (default: %(default)s)")
    parser.add_argument("--scheduler", help="address of a running scheduler, as in tcp://host:8786 (default: a cluster on this machine)")
    parser.add_argument("--workers", type=int, help="workers of a cluster on this machine (default: one per processor)")
    parser.add_argument("study", nargs="*", metavar="ARGUMENT", help="arguments of `jigo study`, after --")
    options = parser.parse_args()
    if options.parts < 1:
        parser.error("--parts must be at least 1")
    if any(argument.split("=")[0] in ("--shard", "--out") for argument in options.study):
        parser.error("--shard and --out are given to each part by this script")
    jigo = shutil.which(options.jigo)
    if jigo is None:
        parser.error(f"{options.jigo} is no program: build it with `cargo build --release`, or name it with --jigo")
    jigo = str(pathlib.Path(jigo).resolve())
    arguments = options.study
    if not options.scheduler and "--threads" not in arguments:
        # There is already one worker for each processor.
        arguments = [*arguments, "--threads", "1"]

    with tempfile.TemporaryDirectory(prefix="jigo-parts-", ignore_cleanup_errors=True) as folder, connect(options, folder) as client:
        files = []
        for number, counts in enumerate(play_all(client, options.parts, jigo, arguments)):
            files.append(pathlib.Path(folder) / f"part-{number}.json")
            files[-1].write_bytes(counts)
        sys.exit(subprocess.run([jigo, "merge", "--out", options.out, *files]).returncode)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError) as error:
        sys.exit(f"error: {error}")
