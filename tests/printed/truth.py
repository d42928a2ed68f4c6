"""What a document really says, from its blocks and from where they were printed: the truth that readings are held against.

Not for printing. The form is described in README.md beside this file.
"""


def number_blocks(blocks):
    """Gives every block, item, caption and footnote an id of its own."""
    count = 0

    def next_id():
        nonlocal count
        count += 1
        return f"b{count}"

    def walk(blocks):
        for b in blocks:
            b["id"] = next_id()
            if b.get("caption"):
                b["caption_id"] = next_id()
            if b.get("note"):
                b["note"]["id"] = next_id()
            if b["k"] == "aside":
                b["title_id"] = next_id()
            for i in b.get("items", []):
                i["id"] = next_id()
                walk(i["blocks"])
            for part in ("blocks", "left", "right"):
                walk(b.get(part, []))
            for column in b.get("columns", []):
                walk(column)

    walk(blocks)


def of(blocks, style, sheets, by, boxes_from, page_of, furniture):
    """The truth of a document. `page_of` tells the page of a block by its id."""
    soft = "\u00ad"
    main, free, loose = [], [], []
    headings, tables, warnings = [], [], []
    facts = {"section": "", "step": "", "title": ""}

    def say(text, flow):
        text = text.replace(soft, "")
        (main if flow is None else flow).append(text)

    def walk(blocks, flow):
        for b in blocks:
            k, page = b["k"], page_of(b["id"])
            if k == "title":
                facts["title"] = b["text"]
                say(b["text"], flow)
            elif k == "heading":
                facts["section"] = b["text"]
                headings.append({"level": b["level"], "text": b["text"], "page": page})
                say(b["text"], flow)
            elif k == "paragraph":
                note = b.get("note")
                say(b["text"] + (superscript(note["mark"]) if note else ""), flow)
                if note:
                    free.append({"page": page_of(note["id"]) or page, "text": f"{superscript(note['mark'])}{style['note_gap']}{note['text']}"})
            elif k == "pair":
                say(f"{b['key']}: {b['value']}", flow)
            elif k == "code":
                say(" ".join(b["text"].split()), flow)
            elif k == "figure":
                say(b["caption"], flow)
            elif k == "side":
                for side in ("left", "right"):
                    part = []
                    walk(b[side], part)
                    free.append({"page": page, "text": " ".join(part)})
            elif k == "columns":
                for column in b["columns"]:
                    part = []
                    walk(column, part)
                    free.append({"page": page, "text": " ".join(part)})
            elif k == "aside":
                part = [b["title"]]
                loose.append(b["title"])
                walk(b["blocks"], part)
                free.append({"page": page, "text": " ".join(part)})
            elif k == "list":
                for i in b["items"]:
                    say(f"{i['marker']} {i['text']}", flow)
                    outer, facts["step"] = facts["step"], i["text"] if b["ordered"] else facts["step"]
                    walk(i["blocks"], flow)
                    facts["step"] = outer
            elif k == "warning":
                say(f"{printed_word(b, style)} {b['text']}", flow)
                warnings.append({"grade": b["grade"], "word": b["word"], "text": b["text"], "section": facts["section"],
                                 "step": facts["step"], "page": page})
            elif k == "table":
                if b.get("caption"):
                    say(b["caption"], flow)
                grid = [[cell_truth(c) for c in row] for row in b["rows"]]
                for row in grid:
                    say(" ".join(c["t"] for c in row if c["t"]), flow)
                tables.append({"page": page, "caption": b.get("caption") or "", "style": b["style"], "n_header": b["n_header"],
                               "rows": grid})

    walk(blocks, None)
    pages = [{"size": [s["width"], s["height"]], "words": [w[:5] for w in s["words"]]} for s in sheets]
    return {"by": by, "boxes_from": boxes_from, "language": style["lang"], "title": facts["title"], "pages": pages, "main": " ".join(main),
            "free": free, "loose": loose, "furniture": furniture, "headings": headings, "tables": tables, "warnings": warnings}


def printed_word(b, style):
    """A warning's signal word with what stands around it."""
    look = "plain" if b["grade"] == "note" else style["warning"]
    return {"box": "{}", "symbol": "⚠ {}", "shaded": "{}!", "side": "{}"}.get(look, "{}:").format(b["word"])


def cell_truth(c):
    """A cell with its spans, those of one left out."""
    if not isinstance(c, dict):
        return {"t": c}
    return {"t": " ".join(c["t"].split()), **({"cs": c["cs"]} if c["cs"] > 1 else {}), **({"rs": c["rs"]} if c["rs"] > 1 else {})}


def superscript(digits):
    """Digits raised."""
    return digits.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
