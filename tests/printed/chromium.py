"""Prints documents with Chromium and reads from its DOM where every word and block stands.

The flow is cut into sheets of exactly one page each by `page.js`, so that a place in the DOM is a place on the page:
96 CSS pixels are 72 points. Needs `chromium` and `chromedriver`; nothing outside Python's own library.
"""

import base64
import html
import json
import pathlib
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent


class Browser:
    """A headless Chromium, spoken to by WebDriver."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.origin = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Without hinting, glyphs are as wide on the screen as in print.
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--window-size=1400,1400"]
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}}}
        for attempt in range(50):
            try:
                self.session = self.call("/session", wanted)["sessionId"]
                break
            except OSError:
                time.sleep(0.2)

    def call(self, path, body):
        """One command."""
        request = urllib.request.Request(self.origin + path, json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def run(self, script, *arguments):
        """Runs JavaScript and gives what it returns."""
        return self.call(f"/session/{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def cdp(self, command, **parameters):
        """One command of the DevTools protocol."""
        return self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def show(self, text):
        """Shows a page."""
        frame = self.cdp("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.cdp("Page.setDocumentContent", frameId=frame, html=text)

    def close(self):
        """Ends it."""
        try:
            request = urllib.request.Request(f"{self.origin}/session/{self.session}", method="DELETE")
            urllib.request.urlopen(request, timeout=20).close()
        finally:
            self.driver.terminate()
            self.driver.wait()

    def version(self):
        """Its version."""
        return self.cdp("Browser.getVersion")["product"]


def print_document(browser, blocks, style):
    """The PDF and what was measured on each sheet."""
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    browser.show(page(blocks, style))
    browser.run("return document.fonts.ready.then(() => true)")
    head, foot = (edge(style[f"{part}_parts"]) for part in ("head", "foot"))
    options = {"head": head, "foot": foot, "landscape": style.get("landscape", False), "sidebar": style.get("sidebar", False)}
    browser.run("paginate(arguments[0])", options)
    sheets = browser.run("return measure()")
    if style.get("turned"):
        browser.run("turn()")
    printed = browser.cdp("Page.printToPDF", preferCSSPageSize=True, printBackground=True, marginTop=0, marginBottom=0, marginLeft=0,
                          marginRight=0, generateDocumentOutline=style.get("outline", False), generateTaggedPDF=style.get("tagged", False))
    pdf = base64.b64decode(printed["data"])
    return (turn_pages(pdf) if style.get("turned") else pdf), sheets


def turn_pages(pdf):
    """Turns every page by a quarter for whoever shows it, by an update at the file's end (ISO 32000-1, 7.5.6)."""
    end = int(re.findall(rb"startxref\s+(\d+)", pdf)[-1])
    trailer = re.search(rb"trailer\s*<<(.*?)>>", pdf[end:], re.DOTALL)[1]
    out, places = bytearray(pdf), []
    for page in re.finditer(rb"^(\d+) 0 obj\s*<</Type /Page\s(.*?)endobj", pdf, re.DOTALL | re.MULTILINE):
        out += b"\n"
        places.append((int(page[1]), len(out)))
        out += b"%s 0 obj\n<</Type /Page\n/Rotate 90\n%sendobj\n" % (page[1], page[2])
    at = len(out)
    out += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<<%s\n/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (trailer, end, at)
    return bytes(out)


def page(blocks, style):
    """The document as HTML."""
    carry = ' data-carry="1"' if style.get("carry") else ""
    script = (HERE / "page.js").read_text()
    body = "".join(block(b, style) for b in blocks)
    return (f'<!doctype html><html lang="{style["lang"]}"><meta charset="utf-8"><title>{html.escape(style["declared_title"])}</title><style>{css(style)}</style><script>{script}</script>'
            f'<body{carry}><div id="source">{body}</div></body></html>')


def edge(parts):
    """A running head or foot; the page's number is filled in when all pages are there."""
    spans = (f'<span data-fill="{html.escape(p)}">00</span>' if "{n}" in p else f"<span>{html.escape(p)}</span>" for p in parts)
    return "".join(spans)


def inline(text):
    """Text as HTML."""
    return html.escape(text)


def block(b, style):
    """One block as HTML; `data-id` ties it to the truth."""
    k, at = b["k"], f'data-k="{b["k"]}" data-id="{b.get("id", "")}"'
    if k == "break":
        return f"<div {at}></div>"
    if k == "title":
        return f"<div class=title {at}>{inline(b['text'])}</div>"
    if k == "heading":
        level = b["level"]
        return f"<h{level} {at}>{inline(b['text'])}</h{level}>"
    if k == "paragraph":
        note = b.get("note")
        if note:
            own = f'<p class=note data-k=footnote data-id="{note["id"]}"><sup>{note["mark"]}</sup> {inline(note["text"])}</p>'
            return f"<p {at}>{inline(b['text'])}<sup>{note['mark']}</sup><template>{own}</template></p>"
        loose = " data-loose=1" if b.get("loose") else ""
        return f"<p {at}{loose}>{inline(b['text'])}</p>"
    if k == "pair":
        return f"<p class=pair {at}>{inline(b['key'])}: {inline(b['value'])}</p>"
    if k == "side":
        left, right = ("".join(block(x, style) for x in b[s]) for s in ("left", "right"))
        return f'<div class=two {at}><div data-flow="left">{left}</div><div data-flow="right">{right}</div></div>'
    if k == "columns":
        columns = ("".join(block(x, style) for x in column) for column in b["columns"])
        return f'<div class=foot-columns {at}>{"".join(f"<div data-flow=column>{column}</div>" for column in columns)}</div>'
    if k == "aside":
        inner = "".join(block(x, style) for x in b["blocks"])
        return f'<aside data-flow="aside" {at}><p class=aside-title data-k="loose" data-id="{b["title_id"]}">{inline(b["title"])}</p>{inner}</aside>'
    if k == "list":
        return list_(b, style, at)
    if k == "warning":
        return warning(b, style, at)
    if k == "code":
        return f"<pre {at}>{inline(b['text'])}</pre>"
    if k == "figure":
        return f"<figure {at}>{drawing(b['seed'])}<figcaption data-k=caption data-id=\"{b['caption_id']}\">{inline(b['caption'])}</figcaption></figure>"
    if k == "table":
        return table(b, style, at)
    raise ValueError(k)


def list_(b, style, at):
    """A list whose markers are text of their own (real) or the browser's (counted)."""
    items = []
    counted = style["markers"] == "counted" and b["ordered"] and b["items"][0]["marker"] == "1."
    for i in b["items"]:
        inner = "".join(block(x, style) for x in i["blocks"])
        if counted:
            items.append(f"<li data-k=item data-id=\"{i['id']}\"><div>{inline(i['text'])}</div>{inner}</li>")
        else:
            marker = f"<span class=marker>{inline(i['marker'])}</span>"
            items.append(f"<li class=own data-k=item data-id=\"{i['id']}\"><div class=hang>{marker} {inline(i['text'])}</div>{inner}</li>")
    tag = "ol" if b["ordered"] else "ul"
    return f"<{tag} {at}>{''.join(items)}</{tag}>"


def warning(b, style, at):
    """A warning in the document's way: boxed, barred, shaded, with a symbol, or only its word."""
    word, text = inline(b["word"]), inline(b["text"])
    look = "plain" if b["grade"] == "note" else style["warning"]
    if look == "box":
        return f'<div class="warn box" {at}><p class=word>{word}</p><p>{text}</p></div>'
    if look == "symbol":
        return f'<div class="warn bar" {at}><p class=word>⚠ {word}</p><p>{text}</p></div>'
    if look == "shaded":
        return f'<div class="warn shaded" {at}><p><b>{word}!</b> {text}</p></div>'
    if look == "side":
        return f'<div class="warn sided" {at}><p class=word>{word}</p><p>{text}</p></div>'
    return f'<div class="warn" {at}><p><b>{word}:</b> {text}</p></div>'


def drawing(seed):
    """A technical drawing without text: a housing, a shaft, some bores."""
    bores = "".join(f'<circle cx="{70 + 30 * i}" cy="60" r="{4 + (seed + i) % 5}"/>' for i in range(4 + seed % 3))
    return (f'<svg width="320" height="110" viewBox="0 0 320 110"><g fill="none" stroke="#222"><rect x="40" y="25" width="220" height="70" rx="8"/>'
            f'<path d="M10 60h300M60 25v-12h{40 + seed % 60}v12"/>{bores}</g></svg>')


def table(b, style, at):
    """A table with its caption above or below."""
    caption, whole = b.get("caption"), " data-whole=1" if b.get("whole") else ""
    whole += " data-norepeat=1" if b.get("norepeat") else ""
    cap = f'<p class="caption caption-{style["caption_at"]}" data-k=caption data-id="{b.get("caption_id", "")}">{inline(caption)}</p>' if caption else ""
    columns = "".join(f'<col style="width:{w}%">' for w in b["widths"])
    groups, taken = [[], []], {}
    for r, row in enumerate(b["rows"]):
        header = r < b["n_header"]
        cells, column = [], 0
        for c in row:
            while taken.get((r, column)):
                column += 1
            c = c if isinstance(c, dict) else {"t": c, "cs": 1, "rs": 1}
            for dr in range(c["rs"]):
                for dc in range(c["cs"]):
                    taken[(r + dr, column + dc)] = True
            align = {"l": "left", "r": "right", "c": "center"}[b["align"][column + c["cs"] - 1 if not header else column]]
            align = "center" if c["cs"] > 1 and header else align
            spans = (f' colspan={c["cs"]}' if c["cs"] > 1 else "") + (f' rowspan={c["rs"]}' if c["rs"] > 1 else "")
            tag = "th" if header else "td"
            text = f"<div class=upright>{inline(c['t'])}</div>" if c.get("rot") else inline(c["t"]).replace("\n", "<br>")
            cells.append(f'<{tag}{spans} style="text-align:{align}">{text}</{tag}>')
            column += c["cs"]
        total = ' class="total"' if b.get("total") and r == len(b["rows"]) - 1 else ""
        groups[0 if header else 1].append(f"<tr{total}>{''.join(cells)}</tr>")
    above, below = (cap, "") if style["caption_at"] == "above" else ("", cap)
    return (f'<div class="table {b["style"]}" {at}{whole}>{above}<table><colgroup>{columns}</colgroup><thead>{"".join(groups[0])}</thead>'
            f'<tbody>{"".join(groups[1])}</tbody></table>{below}</div>')


def css(s):
    """The style sheet."""
    size, two = s["size"], "columns:2;column-gap:8mm;column-fill:auto;" if s.get("columns") == 2 else ""
    justify = "text-align:justify;hyphens:manual;" if s.get("hyphenate") or s.get("justify") else ""
    w, h = ("297mm", "210mm") if s.get("landscape") else ("210mm", "297mm")
    pw, ph = (h, w) if s.get("turned") else (w, h)
    margin = s.get("margin", "18mm 20mm 15mm 20mm")
    return f"""
@page {{ size: {pw} {ph}; margin: 0 }}
* {{ box-sizing: border-box }}
html, body {{ margin: 0; padding: 0; background: white }}
body {{ font: {size}pt/{s["leading"]} "{s["font"]}"; color: #111; text-rendering: geometricPrecision }}
#source {{ width: 170mm }}
.sheet {{ width: {w}; height: {h}; padding: {margin}; display: flex; flex-direction: column; overflow: hidden; break-after: page; position: relative }}
.turn {{ width: 210mm; height: 297mm; overflow: hidden; position: relative; break-after: page }}
.turn .sheet {{ position: absolute; left: 0; top: 0; transform-origin: 0 0; transform: translateY(297mm) rotate(-90deg); break-after: auto }}
.main {{ flex: 1; min-height: 0; display: flex; gap: 8mm }}
.body {{ flex: 1; min-width: 0; height: 100%; {two} }}
.side {{ width: 48mm; background: {s["tint"]}; padding: 3mm; font-size: 0.9em }}
.head, .foot {{ display: flex; justify-content: space-between; font-size: 8pt; color: #444; height: 9mm }}
.head {{ border-bottom: {s["head_rule"]} }}
.head {{ margin-bottom: 4mm }} .foot {{ align-items: flex-end }}
p {{ margin: 0 0 {0.6 * size}pt; {justify} }}
.title {{ font-size: {s["title_size"]}pt; font-weight: bold; line-height: 1.2; margin: 0 0 {size}pt; break-inside: avoid; color: {s["accent"]} }}
h1, h2, h3 {{ line-height: 1.2; break-after: avoid; break-inside: avoid; font-family: "{s["heading_font"]}" }}
h1 {{ font-size: {s["h1"]}pt; margin: {1.2 * size}pt 0 {0.6 * size}pt; color: {s["accent"]} }}
h2 {{ font-size: {s["h2"]}pt; margin: {size}pt 0 {0.4 * size}pt; {s["h2_style"]} }}
.body > :first-child {{ margin-top: 0 }}
ol, ul {{ margin: 0 0 {0.6 * size}pt; padding-left: 7mm }}
li {{ margin-bottom: {0.25 * size}pt; break-inside: avoid }}
li.own {{ list-style: none }}
li.own > .hang {{ text-indent: -7mm }} li.own > .hang > .marker {{ display: inline-block; min-width: 6.2mm; text-indent: 0 }}
li ol {{ margin-top: {0.25 * size}pt }}
.warn {{ margin: {0.4 * size}pt 0 {0.8 * size}pt; break-inside: avoid }} .warn p {{ margin: 0; text-align: left }}
.warn .word {{ font-weight: bold }}
.box {{ border: 1.2pt solid #c00; padding: 2mm 3mm }} .bar {{ border-left: 3pt solid #e80; padding-left: 3mm }}
.shaded {{ background: #fbe9c8; padding: 2mm 3mm }}
.sided {{ display: flex; border: 0.8pt solid #333 }} .sided .word {{ background: #f5c400; padding: 2mm; width: 32mm; flex: none }} .sided p + p {{ padding: 2mm }}
pre {{ font: {size - 1}pt/1.3 "{s["mono"]}"; background: #f2f2f2; padding: 2mm 3mm; margin: 0 0 {0.8 * size}pt; break-inside: avoid }}
figure {{ margin: {0.4 * size}pt 0 {0.8 * size}pt; break-inside: avoid }} svg {{ max-width: 100%; display: block }}
figcaption, .caption {{ font-size: {size - 1}pt; font-style: {s["caption_style"]}; margin: 1mm 0 {0.5 * size}pt; text-align: left }}
.table {{ margin: 0 0 {0.9 * size}pt; break-inside: avoid }}
table {{ border-collapse: collapse; width: 100%; table-layout: fixed; font-size: {size - 0.5}pt; line-height: 1.25 }}
th, td {{ padding: {s["cell_pad"]}; vertical-align: {s["cell_valign"]} }} th {{ font-weight: {s["th_weight"]} }}
.grid th, .grid td {{ border: 0.6pt solid #333 }} .grid th {{ background: {s["tint"]} }}
.lines thead tr:first-child th {{ border-top: 1pt solid #000 }} .lines thead tr:last-child th {{ border-bottom: 0.7pt solid #000 }} .lines tbody tr:last-child td {{ border-bottom: 1pt solid #000 }}
.rows td, .rows th {{ border-bottom: 0.4pt solid #999 }}
.zebra tbody tr:nth-child(even) {{ background: {s["tint"]} }} .zebra th {{ background: #333; color: #fff }}
.total td {{ font-weight: bold; border-top: 0.8pt solid #000 }}
.upright {{ writing-mode: vertical-rl; transform: rotate(180deg); margin: 0 auto; white-space: nowrap; height: 14mm; text-align: left }}
.two {{ display: flex; justify-content: space-between; margin-bottom: 10mm }} .two p {{ margin: 0 0 1mm }} .two > div {{ width: 70mm }}
.foot-columns {{ display: flex; gap: 6mm; font-size: {size - 2}pt; line-height: 1.25; break-inside: avoid; margin-top: 6mm }} .foot-columns > div {{ flex: 1 }} .foot-columns p {{ margin: 0; text-align: left; white-space: nowrap }}
.two > div > .table {{ margin: 0 }}
.notes {{ font-size: {size - 2}pt }} .notes:not(:empty) {{ border-top: 0.5pt solid #000; padding-top: 1mm; margin-top: 2mm }} .note {{ margin: 0; text-align: left }}
sup {{ font-size: 0.65em; line-height: 0 }}
aside p, aside li {{ text-align: left }} .aside-title {{ font-weight: bold }}
"""
