#!/usr/bin/env python3
"""Writes the set of printed pages with known structure into `set/`: a PDF and its truth for every document.

    python3 tests/printed/generate.py [--anew] [NAME…]

A PDF whose words stand where they stood is kept, unless `--anew` is said (after a change of lines or colours). The same names give the same documents: every one has its own seed. Needs `chromium` and `chromedriver`, `soffice` and `pdftotext`, and
the fonts DejaVu and Liberation. Nothing that runs the tests needs any of this: the set is committed.
"""

import gzip
import json
import pathlib
import random
import sys
import tempfile
import zlib

import check
import chromium
import documents
import material
import office
import truth

SET = pathlib.Path(__file__).parent / "set"

FONTS = [("Liberation Sans", "Liberation Sans"), ("Liberation Serif", "Liberation Sans"), ("DejaVu Sans", "DejaVu Sans"),
         ("DejaVu Serif", "DejaVu Serif"), ("Liberation Serif", "Liberation Serif"), ("DejaVu Sans Condensed", "DejaVu Sans Condensed")]


def style_of(rng, kind, lang, **chosen):
    """A look: what is not chosen is drawn."""
    font, heading_font = rng.choice(FONTS)
    size = chosen.get("size", rng.choice([9, 9.5, 10, 10.5, 11]))
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
        "outline": rng.random() < 0.3,
        # Tags make a file large, one with long tables most of all.
        "tagged": rng.random() < 0.15 and kind != "bill_of_materials", "carry": True,
    }
    return {**style, **chosen}


def specs():
    """Every document: name, program, kind, language, what is chosen of its looks."""
    out = []

    def add(program, kind, lang, copies=1, **chosen):
        for _ in range(copies):
            n = sum(1 for s in out if s[1] == program)
            letter = {"chromium": "c", "office": "l"}[program]
            out.append((f"{letter}{n + 1:02}-{kind}-{lang}", program, kind, lang, chosen))

    c, o = "chromium", "office"
    # The first of them are the first that were made; what comes later is added at the end, so that names stay.
    add(c, "manual", "en")
    add(c, "data_sheet", "en", sidebar=True)
    add(c, "bill_of_materials", "en", landscape=True)
    add(c, "invoice", "de")
    add(c, "report", "en", columns=2, hyphenate=True)
    add(c, "safety_sheet", "en")
    add(c, "plan", "en", landscape=True, rotated_headers=True)
    add(c, "manual", "de")
    add(o, "manual", "en")
    add(o, "report", "en", columns=2, hyphenate=True)
    add(o, "bill_of_materials", "de")
    add(o, "manual", "fr")
    add(o, "safety_sheet", "en", justify=True)
    add(o, "invoice", "en")
    # Chromium.
    add(c, "manual", "en", 2, justify=True)
    add(c, "manual", "en", 2, columns=2, hyphenate=True, size=9)
    add(c, "manual", "fr", hyphenate=True)
    add(c, "manual", "fr", chapter_break=True)
    add(c, "manual", "es", hyphenate=True)
    add(c, "manual", "es")
    add(c, "manual", "de", columns=2, hyphenate=True, size=9)
    add(c, "manual", "en", 2, chapter_break=True)
    add(c, "manual", "en", warning="side", table="grid")
    add(c, "report", "en", 2, columns=2, hyphenate=True)
    add(c, "report", "de", columns=2, hyphenate=True)
    add(c, "report", "fr", columns=2, hyphenate=True)
    add(c, "report", "es")
    add(c, "report", "en", 2, justify=True)
    add(c, "data_sheet", "en", 2, sidebar=True)
    add(c, "data_sheet", "de", sidebar=True)
    add(c, "data_sheet", "fr", sidebar=True)
    add(c, "data_sheet", "en", 2)
    add(c, "bill_of_materials", "en", landscape=True, turned=True)
    add(c, "bill_of_materials", "de", table="plain")
    add(c, "bill_of_materials", "en", table="lines")
    add(c, "bill_of_materials", "fr", table="grid")
    add(c, "bill_of_materials", "es", landscape=True, turned=True, table="rows")
    add(c, "invoice", "en", 2)
    add(c, "invoice", "fr")
    add(c, "invoice", "es")
    add(c, "invoice", "de", table="plain")
    add(c, "safety_sheet", "de")
    add(c, "safety_sheet", "en", columns=2, hyphenate=True)
    add(c, "safety_sheet", "fr")
    add(c, "safety_sheet", "es")
    add(c, "plan", "de", landscape=True, turned=True, rotated_headers=True)
    add(c, "plan", "en", rotated_headers=True)
    add(c, "plan", "en", landscape=True)
    add(c, "plan", "fr", landscape=True, rotated_headers=True)
    # LibreOffice.
    add(o, "manual", "en", 2, justify=True)
    add(o, "manual", "en", hyphenate=True, columns=2, size=9)
    add(o, "manual", "de", 2, hyphenate=True)
    add(o, "manual", "fr", hyphenate=True)
    add(o, "manual", "es", 2)
    add(o, "manual", "en", 2)
    add(o, "report", "en", 2, hyphenate=True)
    add(o, "report", "de", columns=2, hyphenate=True)
    add(o, "report", "fr", columns=2)
    add(o, "report", "es")
    add(o, "bill_of_materials", "en", landscape=True)
    add(o, "bill_of_materials", "en", table="plain")
    add(o, "bill_of_materials", "fr", table="grid")
    add(o, "bill_of_materials", "es", table="lines")
    add(o, "safety_sheet", "de")
    add(o, "safety_sheet", "fr")
    add(o, "safety_sheet", "en", columns=2, hyphenate=True)
    add(o, "invoice", "de", 2)
    add(o, "invoice", "es")
    add(o, "plan", "en", landscape=True)
    add(o, "plan", "de", landscape=True)
    add(o, "data_sheet", "en")
    add(o, "data_sheet", "es")
    # Hard tables, and what is none.
    add(c, "statement", "en", table="plain")
    add(c, "statement", "en", table="lines")
    add(c, "statement", "de", table="rows")
    add(c, "statement", "fr", table="plain", th_weight="normal")
    add(c, "statement", "es", table="zebra")
    add(c, "statement", "en", columns=2, hyphenate=True, size=9, table="lines")
    add(c, "statement", "de", columns=2, hyphenate=True, size=9, table="rows")
    add(c, "statement", "en", landscape=True, turned=True, table="plain")
    add(c, "items", "en", table="plain", n_items=1)
    add(c, "items", "de", table="rows", n_items=4)
    add(c, "items", "fr", table="lines", n_items=2)
    add(c, "items", "es", table="plain", n_items=30, norepeat=True)
    add(c, "items", "de", table="lines", n_items=40, norepeat=True)
    add(c, "items", "en", table="zebra", n_items=30)
    add(c, "plan", "en", landscape=True, rotated_headers=True, plan_style="rows")
    add(c, "plan", "de", rotated_headers=True, plan_style="lines")
    add(c, "letter", "en")
    add(c, "letter", "de")
    add(c, "letter", "fr")
    return out


def build(spec, printers, anew):
    """Prints one document and writes its files."""
    name, program, kind, lang, chosen = spec
    rng = random.Random(zlib.crc32(name.encode()))
    style = style_of(rng, kind, lang, **chosen)
    author = documents.Author(rng, lang, style)
    write = {"manual": lambda: author.manual(rng.randint(3, 4)), "bill_of_materials": lambda: author.bill_of_materials(rng.randint(30, 50))}
    blocks = write.get(kind, getattr(author, kind))()
    truth.number_blocks(blocks)
    title = next(b["text"] for b in blocks if b["k"] == "title")
    page = f"{author.words['page']} {{n}} {author.words['of']} {{N}}" if rng.random() < 0.5 else "{n}"
    number = rng.randint(1000, 9999)
    style["head_parts"] = [author.maker, title]
    style["foot_parts"] = [f"Doc. {number}-{lang}", page]
    # Half of all documents declare their title; the others declare what nobody wants to read.
    style["declared_title"] = title if rng.random() < 0.5 else f"{kind}_{number}_v2"
    # LibreOffice sets a footnote's text right after its mark.
    style["note_gap"] = "" if program == "office" else " "
    printer = printers.get(program)
    pdf, sheets, page_of = printer.print(blocks, style)
    edges = " ".join(style["head_parts"] + style["foot_parts"])
    furniture = [edges.replace("{n}", str(n)).replace("{N}", str(len(sheets))) for n in range(1, len(sheets) + 1)]
    facts = truth.of(blocks, style, sheets, printer.version, printer.boxes_from, page_of, furniture)
    SET.mkdir(exist_ok=True)
    file = SET / f"{name}.pdf"
    if anew or not file.is_file() or not same_words(file, pdf):
        file.write_bytes(pdf)
    text = json.dumps({"kind": kind, **facts}, ensure_ascii=False, separators=(",", ":"))
    (SET / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{name}: {len(sheets)} pages, {len(pdf)} bytes", flush=True)


def same_words(file, pdf):
    """Whether a PDF has every word where the one that was printed now has it. Its dates and ids differ every time."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as other:
        other.write(pdf)
        other.flush()
        return check.printed_words(file) == check.printed_words(other.name)


class ChromiumPrinter:
    """Chromium, started when first needed."""

    boxes_from = "the DOM of the printing browser"

    def __init__(self):
        self.browser = chromium.Browser()
        self.version = self.browser.version()

    def print(self, blocks, style):
        """The PDF, its sheets, and what tells the page of a block."""
        pdf, sheets = chromium.print_document(self.browser, blocks, style)
        pages = {}
        for n, sheet in enumerate(sheets, 1):
            for b in sheet["blocks"]:
                pages.setdefault(b[0], n)
        return pdf, sheets, pages.get

    def close(self):
        """Ends it."""
        self.browser.close()


class OfficePrinter:
    """LibreOffice."""

    boxes_from = "pdftotext -bbox, which did not print them"

    def __init__(self):
        self.version = office.version()

    def print(self, blocks, style):
        """The PDF, its sheets, and what tells the page of a block."""
        pdf, pages, sizes = office.print_document(blocks, style)
        sheets = [{"width": w, "height": h, "words": [[check.plain(t), *(round(v, 1) for v in box)] for t, box in words]}
                  for words, (w, h) in zip(pages, sizes)]
        found = find_blocks(blocks, [[w[0] for w in sheet["words"]] for sheet in sheets])
        return pdf, sheets, found.get

    def close(self):
        """Nothing is left running."""


def find_blocks(blocks, pages):
    """The page of every block that has one of its own, found by its words: each first match that no earlier block took."""
    found, used, at = {}, set(), 1

    def find(ident, text):
        nonlocal at
        words = check.plain(text).split()
        for page in range(at, len(pages) + 1):
            there = pages[page - 1]
            for i in range(len(there) - len(words) + 1):
                if there[i : i + len(words)] == words and (page, i) not in used:
                    used.add((page, i))
                    found[ident], at = page, page
                    return
        # In columns the independent reader may read across.
        find_row(ident, [text])

    def find_row(ident, texts):
        nonlocal at
        words = [w for t in texts for w in check.plain(t).split()]
        # A narrow column may break a word, so that not all are found.
        at = next(page for page in range(at, len(pages) + 1) if sum(w in pages[page - 1] for w in words) >= 0.6 * len(words))
        found[ident] = at

    def walk(blocks):
        for b in blocks:
            if b["k"] in ("heading", "title"):
                find(b["id"], b["text"])
            elif b["k"] == "warning":
                find(b["id"], " ".join(b["text"].split()[:4]))
            elif b["k"] == "table":
                find_row(b["id"], [c if isinstance(c, str) else c["t"] for c in b["rows"][b["n_header"]]])
            for i in b.get("items", []):
                walk(i["blocks"])
            for part in ("blocks", "left", "right"):
                walk(b.get(part, []))

    walk(blocks)
    return found


class Printers:
    """The programs that print."""

    def __init__(self):
        self.made = {}

    def get(self, program):
        """The one of this name."""
        if program not in self.made:
            self.made[program] = {"chromium": ChromiumPrinter, "office": OfficePrinter}[program]()
        return self.made[program]

    def close(self):
        """Ends them all."""
        for printer in self.made.values():
            printer.close()


def main():
    """Builds what is named, or everything."""
    anew = "--anew" in sys.argv
    wanted = [argument for argument in sys.argv[1:] if argument != "--anew"]
    printers = Printers()
    try:
        for spec in specs():
            if not wanted or any(spec[0].startswith(w) for w in wanted):
                build(spec, printers, anew)
    finally:
        printers.close()


if __name__ == "__main__":
    main()
