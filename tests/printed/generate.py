#!/usr/bin/env python3
"""Writes the set of printed pages with known structure into `set/`: a PDF and its truth for every document.

    python3 tests/printed/generate.py [NAME…]

The same names give the same documents: every one has its own seed. Needs `chromium` and `chromedriver`, `soffice` and `pdftotext`, and
the fonts DejaVu and Liberation. Nothing that runs the tests needs any of this: the set is committed.
"""

import gzip
import json
import pathlib
import random
import sys
import zlib

import chromium
import documents
import material
import truth

SET = pathlib.Path(__file__).parent / "set"

FONTS = [("Liberation Sans", "Liberation Sans"), ("Liberation Serif", "Liberation Sans"), ("DejaVu Sans", "DejaVu Sans"),
         ("DejaVu Serif", "DejaVu Serif"), ("Liberation Serif", "Liberation Serif"), ("DejaVu Sans Condensed", "DejaVu Sans Condensed")]


def style_of(rng, lang, **chosen):
    """A look: what is not chosen is drawn."""
    font, heading_font = rng.choice(FONTS)
    size = rng.choice([9, 9.5, 10, 10.5, 11])
    style = {
        "lang": lang, "font": font, "heading_font": heading_font, "mono": rng.choice(["DejaVu Sans Mono", "Liberation Mono"]), "size": size,
        "leading": rng.choice([1.3, 1.4, 1.5]), "title_size": rng.choice([18, 20, 24]), "h1": size + rng.choice([4, 6, 8]),
        "h2": size + rng.choice([1, 2, 3]), "h2_style": rng.choice(["", "color:#1a4a7a", "font-style:italic"]),
        "accent": rng.choice(["#000", "#123a6b", "#7a1010"]), "tint": rng.choice(["#eee", "#e4edf6", "#f3f0e6"]),
        "numbered": rng.random() < 0.6, "steps": rng.choice(["1.", "1.", "1)", "step"]), "bullet": rng.choice(["•", "–", "■"]),
        "markers": rng.choice(["counted", "own"]), "warning": rng.choice(["box", "symbol", "shaded", "side", "word"]),
        "table": rng.choice(["grid", "lines", "rows", "zebra", "plain"]), "caption_at": rng.choice(["above", "above", "below"]),
        "caption_dash": rng.choice([":", " –", "."]), "caption_style": rng.choice(["normal", "italic"]), "cell_pad": rng.choice(["1mm 1.5mm", "0.7mm 1mm", "1.5mm 2mm"]),
        "cell_valign": rng.choice(["top", "middle"]), "th_weight": rng.choice(["bold", "bold", "normal"]), "head_rule": rng.choice(["none", "0.5pt solid #888"]),
        "outline": rng.random() < 0.3, "tagged": rng.random() < 0.3, "carry": True,
    }
    return {**style, **chosen}


def specs():
    """Every document: name, program, kind, language, what is chosen of its looks."""
    out = []

    def add(program, kind, lang, copies=1, **chosen):
        for _ in range(copies):
            n = sum(1 for s in out if s[1] == program)
            out.append((f"{program[0]}{n + 1:02}-{kind}-{lang}", program, kind, lang, chosen))

    c = "chromium"
    # The first twenty pages or so.
    add(c, "manual", "en")
    add(c, "data_sheet", "en", sidebar=True)
    add(c, "bill_of_materials", "en", landscape=True)
    add(c, "invoice", "de")
    add(c, "report", "en", columns=2, hyphenate=True)
    add(c, "safety_sheet", "en")
    add(c, "plan", "en", landscape=True, rotated_headers=True)
    add(c, "manual", "de")
    return out


def build(spec, printers):
    """Prints one document and writes its files."""
    name, program, kind, lang, chosen = spec
    rng = random.Random(zlib.crc32(name.encode()))
    style = style_of(rng, lang, **chosen)
    author = documents.Author(rng, lang, style)
    write = {"manual": lambda: author.manual(rng.randint(3, 4)), "bill_of_materials": lambda: author.bill_of_materials(rng.randint(30, 50))}
    blocks = write.get(kind, getattr(author, kind))()
    truth.number_blocks(blocks)
    title = next(b["text"] for b in blocks if b["k"] == "title")
    page = f"{author.words['page']} {{n}} {author.words['of']} {{N}}" if rng.random() < 0.5 else "{n}"
    number = rng.randint(1000, 9999)
    style["head"] = f"<span>{author.maker}</span><span>{title}</span>"
    style["foot"] = f"<span>Doc. {number}-{lang}</span><span data-fill='{page}'>00</span>"
    printer = printers.get(program)
    pdf, sheets = printer.print(blocks, style)
    page_of_id = {}
    furniture = []
    for n, sheet in enumerate(sheets, 1):
        for b in sheet["blocks"]:
            page_of_id.setdefault(b[0], n)
        words = " ".join(w[0] for w in sheet["words"] if w[5] == "furniture")
        furniture.append(words)
    facts = truth.of(blocks, style, sheets, printer.version, printer.boxes_from, lambda i: page_of_id.get(i), furniture)
    SET.mkdir(exist_ok=True)
    (SET / f"{name}.pdf").write_bytes(pdf)
    text = json.dumps({"kind": kind, **facts}, ensure_ascii=False, separators=(",", ":"))
    (SET / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{name}: {len(sheets)} pages, {len(pdf)} bytes", flush=True)


class ChromiumPrinter:
    """Chromium, started when first needed."""

    boxes_from = "the DOM of the printing browser"

    def __init__(self):
        self.browser = chromium.Browser()
        self.version = self.browser.version()

    def print(self, blocks, style):
        """The PDF and its sheets."""
        return chromium.print_document(self.browser, blocks, style)

    def close(self):
        """Ends it."""
        self.browser.close()


class Printers:
    """The programs that print."""

    def __init__(self):
        self.made = {}

    def get(self, program):
        """The one of this name."""
        if program not in self.made:
            self.made[program] = ChromiumPrinter()
        return self.made[program]

    def close(self):
        """Ends them all."""
        for printer in self.made.values():
            printer.close()


def main():
    """Builds what is named, or everything."""
    wanted = sys.argv[1:]
    printers = Printers()
    try:
        for spec in specs():
            if not wanted or any(spec[0].startswith(w) for w in wanted):
                build(spec, printers)
    finally:
        printers.close()


if __name__ == "__main__":
    main()
