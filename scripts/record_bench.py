#!/usr/bin/env python3
"""Measures with `jigo bench` and writes one record to benches/record.

usage: python scripts/record_bench.py [--compare ARGS NAME CMD]... [options] [-- ARGS]

    python scripts/record_bench.py                                  # jigo alone, with default arguments
    python scripts/record_bench.py -- --size 9 --rules tromp-taylor # jigo alone, with arguments of `jigo bench`
    python scripts/record_bench.py \\
        --compare "--size 9,13 --threads 1" "another program" "other-program {width} 100000" \\
        --compare "--size 19 --threads 1" "another program, tuned for 19x19" "other-program --big {width} 20000"

Each --compare is a comparison with a reference: a program CMD that plays the same kind of games and prints its games per second in a line with
`median: pps=NUMBER`. For each size and number of threads in ARGS, each round runs `jigo bench` and then the reference, so both run under the same
conditions, and each round gives a ratio. In CMD, {size}, {width}, {height} and {threads} are replaced. The record keeps NAME and the
arguments of CMD, but not the path of the program. benches/record/README.md explains the format.
Needs only Python 3.10 and a release build (`cargo build --release`).
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEED = re.compile(r"median:\s*pps=([0-9][0-9_,]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
NO_SPEED = "{} printed no line with `median: pps=NUMBER` and a number above 0: wrap it in a script that does"


def main():
    options = parse()
    comparisons = [comparison(options, *planned) for planned in options.plan]
    first = comparisons[0]["rounds"][0]["bench"]
    record = {
        "format": 2,
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "machine": first["machine"],
        "version": first["version"],
        "commit": first["commit"],
        "uncommitted_changes": bool(output_of(["git", "-C", str(ROOT), "status", "--porcelain"])),
        "rustc": output_of(["rustc", "--version"]),
        "rustflags": os.environ.get("RUSTFLAGS"),
        "comparisons": comparisons,
    }
    path = free_path(options.out, first["machine"]["processor"] or first["machine"]["arch"])
    path.write_text(json.dumps(record, indent=1) + "\n")
    for one in comparisons:
        for row in one["ratios"]:
            spread = f"{row['median']:.2f} ({row['min']:.2f}..{row['max']:.2f})"
            line = f"{row['size']} {row['rules']} {row['policy']} by {row['backend']}, {row['needs']}, threads: {row['threads']}"
            told(f"{line}: {spread} times {one['reference']}")
    print(path)


def parse():
    """Parses the options. `plan` holds the comparisons: arguments of jigo bench, name and command of the reference."""
    parser = argparse.ArgumentParser(
        description=__doc__.split("usage:")[0], epilog=__doc__.split("\n", 4)[4], usage=__doc__.split("usage: ")[1].split("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )
    parser.add_argument(
        "--compare", nargs=3, action="append", default=[], metavar=("ARGS", "NAME", "CMD"),
        help="arguments of jigo bench, in quotes (a single word needs a space in front), and the reference: its name in the record and its command",
    )
    parser.add_argument("--rounds", type=int, default=5, help="runs of each setting of a comparison [default: 5]; jigo alone runs once")
    parser.add_argument("--jigo", default=str(ROOT / "target/release/jigo"), help="the command that is measured")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "benches/record", help="folder of the record")
    parser.add_argument("bench", nargs="*", metavar="ARGS", help="after --: arguments of jigo bench for lines without a reference")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be 1 or more")
    if not options.out.is_dir():
        parser.error(f"{options.out} is not a folder: choose one with --out")
    options.plan = [(shlex.split(arguments), name, shlex.split(command)) for arguments, name, command in options.compare]
    if options.bench or not options.plan:
        options.plan.append((options.bench, None, []))
    for _, name, command in options.plan:
        if name is not None and not command:
            parser.error(f"no command for `{name}`: --compare ARGS NAME CMD")
        if command and not shutil.which(command[0]):
            parser.error(f"there is no program {command[0]}: name another for `{name}` with --compare")
    if not shutil.which(options.jigo):
        parser.error(f"there is no program {options.jigo}: build it with `cargo build --release`, or name it with --jigo")
    return options


def comparison(options, arguments, name, command):
    """Runs all rounds of one comparison, for each size and number of threads."""
    lists = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    lists.add_argument("--size", default="9,13,19")
    lists.add_argument("--threads", default="1,all")
    settings, others = lists.parse_known_args(arguments)
    last = options.rounds if command else 1
    rounds = []
    for size in settings.size.split(","):
        for threads in settings.threads.split(","):
            for number in range(1, last + 1):
                told(f"{shlex.join(['--size', size, '--threads', threads, *others])}, round {number} of {last}")
                bench = [options.jigo, "bench", "--size", size, "--threads", threads, *others, "--json"]
                rounds.append(measured(bench, command, number))
    return {"reference": name, "rounds": rounds, "ratios": ratios(rounds)}


def measured(bench, command, number):
    """Runs jigo and then the reference, once each."""
    bench = json.loads(run(bench))
    found = {"round": number, "bench": bench}
    if command:
        line = bench["lines"][0]
        width, height = line["size"].split("x")
        values = {"size": line["size"], "width": width, "height": height, "threads": str(line["threads"])}
        for name, value in values.items():
            command = [word.replace("{" + name + "}", value) for word in command]
        speed = SPEED.search(run(command))
        games_per_s = float(re.sub("[_,]", "", speed[1])) if speed else 0
        if games_per_s <= 0:
            sys.exit(NO_SPEED.format(command[0]))
        found["reference"] = {"arguments": command[1:], "games_per_s": games_per_s}
    return found


def ratios(rounds):
    """Returns the speed of each line relative to the reference: median and range of one ratio per round."""
    by_line = {}
    for one in rounds:
        for line in one["bench"]["lines"] if "reference" in one else []:
            key = tuple((name, line[name]) for name in ["size", "rules", "policy", "backend", "needs", "threads"])
            by_line.setdefault(key, []).append(line["games_per_s"]["median"] / one["reference"]["games_per_s"])
    return [
        dict(key) | {"median": statistics.median(values), "min": min(values), "max": max(values)}
        for key, values in by_line.items()
    ]


def run(command):
    """Returns what the command prints on standard output; exits if it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} ended with status {done.returncode}: no record was written")
    return done.stdout


def output_of(command):
    """Returns the output of a command, or None if there is no such command."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def free_path(folder, processor):
    """Returns <date>-<processor>.json, with a number if the file exists: records are never overwritten."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    name = f"{date}-{re.sub('[^a-z0-9]+', '-', processor.lower()).strip('-')}"
    names = [name] + [f"{name}-{number}" for number in range(2, 1000)]
    return next(path for path in (folder / f"{name}.json" for name in names) if not path.exists())


def told(text):
    print(text, file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        told("interrupted: no record was written")
        sys.exit(130)
