#!/usr/bin/env python3
"""Other programs' tables on the ICDAR-2013 files, measured as `millwright evaluate parsing tabula_java` measures ours.

Not part of CI. Needs a Python environment with whatever of these is to be compared:
    pip install "camelot-py" tabula-py pdfplumber pdf_oxide      (tabula-py also needs a Java runtime)
What is not installed is said and left out.

    python tests/peers/tables.py --data ../shared/data [--millwright target/release/millwright] [--files] [NAME ...]

The measures, and why they are strict, are told in sidecar/src/evaluation/tables.rs; this is a second writing of them, so
that the same program judges all.
"""

import argparse
import collections
import importlib
import json
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOUND = 0.5


class Grid:
    """A table (or a page's part of one): cells (row, column, last_row, last_column, text)."""

    def __init__(self, page, cells):
        self.page = page
        self.cells = cells

    @classmethod
    def of_rows(cls, page, rows):
        return cls(page, [(r, c, r, c, text or "") for r, row in enumerate(rows) for c, text in enumerate(row)])

    def filled(self):
        return [(*cell[:4], normal(cell[4])) for cell in self.cells if normal(cell[4])]

    def relations(self):
        cells = self.filled()
        at = {(r, c): i for i, cell in enumerate(cells) for r in range(cell[0], cell[2] + 1) for c in range(cell[1], cell[3] + 1)}
        n_rows = 1 + max((cell[2] for cell in cells), default=-1)
        n_columns = 1 + max((cell[3] for cell in cells), default=-1)
        lines = [("right", [(r, c) for c in range(n_columns)]) for r in range(n_rows)]
        lines += [("below", [(r, c) for r in range(n_rows)]) for c in range(n_columns)]
        pairs = {}
        for direction, places in lines:
            last = None
            for index, place in enumerate(places):
                cell = at.get(place)
                if cell is None:
                    continue
                if last is not None and last[0] != cell:
                    key, n_blank = (last[0], cell, direction), index - last[1] - 1
                    pairs[key] = min(n_blank, pairs.get(key, n_blank))
                last = (cell, index)
        return collections.Counter((cells[a][4], cells[b][4], direction, n) for (a, b, direction), n in pairs.items())

    def shape(self):
        cells = self.filled()
        if not cells:
            return (0, 0)
        rows = max(cell[2] for cell in cells) - min(cell[0] for cell in cells) + 1
        return (rows, max(cell[3] for cell in cells) - min(cell[1] for cell in cells) + 1)

    def words(self):
        return collections.Counter(normal(word) for cell in self.cells for word in cell[4].split())

    def likeness(self, other):
        a, b = self.words(), other.words()
        both = sum((a & b).values())
        return both / max(1, sum(a.values()) + sum(b.values()) - both)


def normal(text):
    """As the competition compares texts: no white space, capitals, all but letters and digits alike."""
    return "".join(c if c.isalnum() else "_" for c in "".join(text.split()).upper())


def truth(path):
    grids = []
    for region in ElementTree.parse(path).getroot().iter("region"):
        cells = []
        for cell in region.iter("cell"):
            row, column = int(cell.get("start-row")), int(cell.get("start-col"))
            last_row, last_column = int(cell.get("end-row") or row), int(cell.get("end-col") or column)
            text = cell.findtext("content") or ""
            cells.append((row, column, max(row, last_row), max(column, last_column), text))
        grids.append(Grid(int(region.get("page")), cells))
    return grids


def compare(true, read):
    score = collections.Counter(tables=len(true), true=sum(sum(t.relations().values()) for t in true))
    score["read"] = sum(sum(r.relations().values()) for r in read)
    pairs = [(t.likeness(r), -i, -j) for i, t in enumerate(true) for j, r in enumerate(read) if t.page == r.page]
    used_true, used_read = set(), set()
    for likeness, i, j in sorted(pairs, reverse=True):
        i, j = -i, -j
        if likeness > 0 and i not in used_true and j not in used_read:
            used_true.add(i)
            used_read.add(j)
            score["right"] += sum((true[i].relations() & read[j].relations()).values())
            score["found"] += likeness >= FOUND
            score["exact"] += likeness >= FOUND and true[i].shape() == read[j].shape()
    score["spurious"] = len(read) - len(used_read)
    return score


# Readers: path -> grids.


def millwright(binary):
    def read(path):
        done = subprocess.run([binary, "parse", str(path), "--json"], capture_output=True, text=True, check=True)
        return millwright_grids(json.loads(done.stdout)["document"]["nodes"])

    return read


def millwright_grids(nodes):
    def is_kind(node, kind):
        return node["kind"] == kind or isinstance(node["kind"], dict) and kind in node["kind"]

    below = collections.defaultdict(list)
    for node in nodes:
        below[node["parent"]].append(node)
    grids = []
    for table in (node for node in nodes if is_kind(node, "Table")):
        parts = []
        for row in below[table["id"]]:
            if is_kind(row, "Row"):
                page = row["boxes"][0]["page"] if row["boxes"] else row["page"]
                if not parts or parts[-1][0] != page:
                    parts.append((page, []))
                parts[-1][1].append(row)
        for page, rows in parts:
            cells, taken = [], set()
            for r, row in enumerate(rows):
                for cell in below[row["id"]]:
                    span = cell["kind"]["Cell"]
                    column = next(c for c in range(10_000) if (r, c) not in taken)
                    last_row = min(r + max(1, span["rowspan"]) - 1, len(rows) - 1)
                    last_column = column + max(1, span["colspan"]) - 1
                    taken |= {(y, x) for y in range(r, last_row + 1) for x in range(column, last_column + 1)}
                    cells.append((r, column, last_row, last_column, cell["text"]))
            grids.append(Grid(page, cells))
    return grids


def camelot(flavor):
    module = importlib.import_module("camelot")

    def read(path):
        tables = module.read_pdf(str(path), pages="all", flavor=flavor, suppress_stdout=True)
        return [Grid.of_rows(int(table.page), table.df.values.tolist()) for table in tables]

    return read


def tabula(**options):
    module = importlib.import_module("tabula")
    if not shutil.which("java"):
        raise ImportError("no Java runtime")

    def read(path):
        pages = int(re.search(r"Pages:\s+(\d+)", subprocess.check_output(["pdfinfo", str(path)], text=True)).group(1))
        grids = []
        for page in range(1, pages + 1):
            tables = module.read_pdf(str(path), pages=page, output_format="json", silent=True, **options)
            for table in tables:
                grids.append(Grid.of_rows(page, [[cell["text"] for cell in row] for row in table["data"]]))
        return grids

    return read


def pdfplumber():
    module = importlib.import_module("pdfplumber")

    def read(path):
        with module.open(path) as pdf:
            return [Grid.of_rows(page.page_number, table) for page in pdf.pages for table in page.extract_tables()]

    return read


def pdf_oxide():
    module = importlib.import_module("pdf_oxide")

    def read(path):
        document = module.PdfDocument(str(path))
        grids = []
        for page in range(document.page_count()):
            for table in document.extract_tables(page):
                grids.append(Grid.of_rows(page + 1, oxide_rows(table)))
        return grids

    return read


def oxide_rows(table):
    rows = table["rows"] if isinstance(table, dict) else table.rows
    texts = []
    for row in rows:
        cells = row["cells"] if isinstance(row, dict) else getattr(row, "cells", row)
        texts.append([cell if isinstance(cell, str) else cell["text"] if isinstance(cell, dict) else cell.text for cell in cells])
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--millwright", help="our binary, to compare in the same run")
    parser.add_argument("--files", action="store_true", help="also say of every file how it did")
    parser.add_argument("only", nargs="*", metavar="NAME")
    args = parser.parse_args()
    folder = args.data / "tabula_java/icdar2013-dataset/competition-dataset-eu"
    files = [(path, folder / (path.name.removesuffix("-str.xml") + ".pdf")) for path in sorted(folder.glob("*-str.xml"))]
    files = [(xml, pdf) for xml, pdf in files if pdf.is_file()]
    if not files:
        sys.exit(f"SKIPPED: no tables with their truth are in {folder}.")
    programs = {
        "camelot lattice": lambda: camelot("lattice"),
        "camelot stream": lambda: camelot("stream"),
        "tabula (guess)": lambda: tabula(guess=True),
        "tabula lattice": lambda: tabula(lattice=True, guess=False),
        "pdfplumber": pdfplumber,
        "pdf_oxide": pdf_oxide,
    }
    if args.millwright:
        programs = {"millwright": lambda: millwright(args.millwright), **programs}
    print(f"{'program':18}{'found':>8}{'F1':>8}{'exact':>8}{'precision':>11}{'recall':>8}{'spurious':>10}{'seconds':>9}")
    for name, program in programs.items():
        if args.only and name not in args.only:
            continue
        try:
            read = program()
        except ImportError as missing:
            print(f"{name:18}skipped: {missing}")
            continue
        total, started, failed = collections.Counter(), time.monotonic(), 0
        for xml, pdf in files:
            try:
                grids = read(pdf)
            except Exception as error:  # whatever another program throws counts as nothing read
                grids, failed = [], failed + 1
                print(f"  {name}: {pdf.name}: {type(error).__name__}: {error}", file=sys.stderr)
            score = compare(truth(xml), grids)
            total.update(score)
            if args.files:
                print(f"  {pdf.name:14} {dict(score)}")
        right, n_true, n_read = total["right"], total["true"], total["read"]
        print(
            f"{name:18}{total['found'] / total['tables']:8.3f}{2 * right / max(1, n_true + n_read):8.3f}"
            f"{total['exact'] / total['tables']:8.3f}{right / max(1, n_read):11.3f}{right / max(1, n_true):8.3f}"
            f"{total['spurious']:10}{time.monotonic() - started:9.1f}" + (f"  ({failed} files failed)" if failed else "")
        )


if __name__ == "__main__":
    main()
