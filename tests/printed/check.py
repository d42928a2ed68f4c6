#!/usr/bin/env python3
"""Holds the truth of the printed set against an independent reader, poppler's `pdftotext -bbox`: words that are on one side only, and
boxes that lie apart. For whoever changes the generator; not part of any test.

    python3 tests/printed/check.py [NAME…]
"""

import collections
import gzip
import html
import json
import pathlib
import re
import subprocess
import sys

SET = pathlib.Path(__file__).parent / "set"
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')


def printed_words(pdf):
    """Pages of (text, box) as pdftotext reads them."""
    out = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    pages = re.split(r"<page [^>]*>", out)[1:]
    return [[(html.unescape(m[5]), tuple(float(m[i]) for i in range(1, 5))) for m in WORD.finditer(page)] for page in pages]


def overlap(a, b):
    """Intersection over union."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    area = lambda r: (r[2] - r[0]) * (r[3] - r[1])
    return w * h / (area(a) + area(b) - w * h)


def plain(text):
    """Texts as they are compared."""
    table = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹\u2010\u2011", "0123456789--", "\u00ad")
    return text.translate(table).replace("ﬁ", "fi").replace("ﬂ", "fl")


def main():
    """Prints a line for every document and the words in dispute."""
    for path in sorted(SET.glob("*.json.gz")):
        name = path.name[:-8]
        if sys.argv[1:] and not any(name.startswith(w) for w in sys.argv[1:]):
            continue
        facts = json.loads(gzip.decompress(path.read_bytes()))
        theirs = printed_words(SET / f"{name}.pdf")
        ours = facts["pages"]
        if len(theirs) != len(ours):
            print(f"{name}: {len(ours)} pages in the truth, {len(theirs)} printed")
            continue
        n, apart, missing, surplus = 0, [], [], []
        for page, (mine, printed) in enumerate(zip(ours, theirs), 1):
            left = collections.defaultdict(list)
            for text, box in printed:
                left[plain(text)].append(box)
            for text, *box in mine["words"]:
                n += 1
                candidates = left.get(plain(text))
                if not candidates:
                    missing.append((page, text))
                    continue
                best = max(candidates, key=lambda c: overlap(c, box))
                candidates.remove(best)
                if overlap(best, box) < 0.6:
                    apart.append((page, text, box, best))
            surplus += [(page, text) for text, boxes in left.items() for _ in boxes]
        flow = collections.Counter(plain(facts["main"]).split() + [w for f in facts["free"] for w in plain(f["text"]).split()])
        print(f"{name}: {len(ours)} pages, {n} words, {len(missing)} only in the truth, {len(surplus)} only printed, {len(apart)} apart; "
              f"{len(facts['headings'])} headings, {len(facts['tables'])} tables, {len(facts['warnings'])} warnings, {sum(flow.values())} words in order")
        print("   ", missing[:8], surplus[:8], apart[:4])


if __name__ == "__main__":
    main()
