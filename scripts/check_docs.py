#!/usr/bin/env python3
"""Runs the examples of a document and compares their output with the document.

usage: python scripts/check_docs.py [--jigo PATH] [DOCUMENT]      (packages: scripts/requirements-docs.txt; document: docs/dataset.md)

Runs the commands of the first `sh` block in an empty folder with the given jigo, then each `python` block there in its own process. A
`text` block that follows an example is its expected output. Exits with status 1 and a message at the first example that fails.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """Yields language, content and line of each block, and the content of a `text` block that directly follows it, or None."""
    found = list(FENCE.finditer(text))
    for fence, after in zip(found, found[1:] + [None]):
        follows = after and after[1] == "text" and not text[fence.end() : after.start()].strip()
        line = text.count("\n", 0, fence.start()) + 1
        yield fence[1], fence[2], line, after[2] if follows else None


def run(command, place, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{place}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jigo", type=pathlib.Path, default=ROOT / "target/release/jigo")
    parser.add_argument("document", nargs="?", type=pathlib.Path, default=ROOT / "docs/dataset.md")
    args = parser.parse_args()
    found = list(blocks(args.document.read_text(encoding="utf-8")))
    commands = next((content for language, content, *_ in found if language == "sh"), None)
    examples = [example for example in found if example[0] == "python"]
    if not commands or not examples:
        sys.exit(f"{args.document}: no commands or no examples found")
    path = f"{args.jigo.resolve().parent}{os.pathsep}{os.environ['PATH']}"
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        run(["bash", "-euc", commands], "the commands", cwd=folder, env={**os.environ, "PATH": path})
        for _, code, line, expected in examples:
            place = f"{args.document.name}, line {line}"
            printed = run([sys.executable, "-c", code], place, cwd=folder)
            if expected is not None:
                compared += 1
                if printed != expected:
                    sys.exit(f"{place}: printed\n{printed}instead of\n{expected}")
    print(f"{args.document.name}: {len(examples)} examples run, the output of {compared} compared")


if __name__ == "__main__":
    main()
