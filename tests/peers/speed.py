#!/usr/bin/env python3
"""How fast other programs read PDF, beside ours, in one run: pages per second, the median of alternating turns.

Not part of CI. Needs the release build of the sidecar, and whatever of these is to be compared:
    pip install pdfplumber docling-rs       and poppler's pdftotext
What is not installed is said and left out. docling-rs reads the text layer alone here, which is its fastest way: its models for
layout and tables are several hundred megabytes and come from elsewhere.

    python tests/peers/speed.py --data ../shared/data [--millwright target/release/millwright] [--turns 3]

Ours and pdftotext are programs that start anew for every turn, the others are called within this one: that is to their good. It is
processor time that counts, of all threads together, so that a busy machine slows none of them.
"""

import argparse
import importlib
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

FILES = {"551-page manual": "manual_linuxcnc/pdf/LinuxCNC_Manual_Pages.pdf", "dense report": "docling/pdf/sources/redp5110_sampled.pdf"}


def program(*command):
    """A reader that is a program; the file's name comes where PATH stands."""

    def read(path):
        filled = [str(path) if part == "PATH" else part for part in command]
        subprocess.run(filled, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return read


def pdfplumber(tables):
    """Text of every page as it is laid out, and, if asked for, its tables: what somebody would call for the same."""
    library = importlib.import_module("pdfplumber")

    def read(path):
        with library.open(path) as pdf:
            for page in pdf.pages:
                page.extract_text()
                if tables:
                    page.extract_tables()
                page.close()

    return read


def docling():
    """Its text layer as Markdown."""
    reader = importlib.import_module("docling_rs.markitdown").MarkItDown()
    return lambda path: reader.convert(str(path)).markdown


def readers(millwright):
    """Every reader that is there, by name."""
    found = {}
    if Path(millwright).is_file():
        found["Millwright (whole tree, printed)"] = program(str(Path(millwright).resolve()), "parse", "PATH")
    else:
        sys.exit(f"{millwright} is not there: cargo build --release -p millwright-sidecar")
    if shutil.which("pdftotext"):
        found["pdftotext -layout"] = program("pdftotext", "-layout", "PATH", "-")
    else:
        print("left out: pdftotext (Debian: apt install poppler-utils)", file=sys.stderr)
    for name, make in (
        ("docling-rs, text layer", docling),
        ("pdfplumber, text", lambda: pdfplumber(tables=False)),
        ("pdfplumber, text and tables", lambda: pdfplumber(tables=True)),
    ):
        try:
            found[name] = make()
        except ImportError as error:
            print(f"left out: {name} ({error})", file=sys.stderr)
    return found


def used():
    """The processor seconds of this program and of those that it ran."""
    own, run = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + run.ru_utime + run.ru_stime


def n_pages(path):
    """The number of pages, by poppler."""
    out = subprocess.run(["pdfinfo", str(path)], check=True, capture_output=True, text=True).stdout
    return next(int(line.split()[1]) for line in out.splitlines() if line.startswith("Pages:"))


def main():
    """Prints a table for every file."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--millwright", default="target/release/millwright")
    arguments.add_argument("--turns", type=int, default=3)
    given = arguments.parse_args()
    found = readers(given.millwright)
    for title, name in FILES.items():
        path = given.data / name
        if not path.is_file():
            print(f"left out: {name} is not there", file=sys.stderr)
            continue
        pages, times = n_pages(path), {reader: [] for reader in found}
        for _ in range(given.turns):
            for reader, read in found.items():
                began = used()
                read(path)
                times[reader].append(used() - began)
        print(f"\n| {title}, {pages} pages | pages per second | part of Millwright's |\n| --- | --: | --: |")
        speeds = {reader: pages / statistics.median(turns) for reader, turns in times.items()}
        ours = next(iter(speeds.values()))
        for reader, speed in speeds.items():
            print(f"| {reader} | {speed:.1f} | {speed / ours:.2f} |")


if __name__ == "__main__":
    main()
