"""Writes documents as flat OpenDocument text and lets LibreOffice print them to PDF.

The text flows as LibreOffice lets it: what stands on which page is found in the printed words, which poppler's
`pdftotext -bbox` reads, an independent program; the structure is that of the source. Needs `soffice` and `pdftotext`.
"""

import html
import json
import pathlib
import re
import subprocess
import tempfile

import check

NAMESPACES = " ".join(f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for prefix, name in [
    ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("fo", "xsl-fo-compatible"),
    ("svg", "svg-compatible"), ("meta", "meta")]) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'


def print_document(blocks, style):
    """The PDF and the words of its pages."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "document.fodt"
        source.write_text(Writer(style).document(blocks))
        options = {"ExportBookmarks": {"type": "boolean", "value": str(style.get("outline", False)).lower()},
                   "UseTaggedPDF": {"type": "boolean", "value": str(style.get("tagged", False)).lower()}}
        command = ["soffice", f"-env:UserInstallation=file://{tempfile.gettempdir()}/printed-office", "--headless", "--convert-to",
                   f"pdf:writer_pdf_Export:{json.dumps(options)}", "--outdir", folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        pdf = source.with_suffix(".pdf")
        pages = check.printed_words(pdf)
        sizes = [tuple(map(float, m)) for m in re.findall(r"Page +\d+ size: +([\d.]+) x ([\d.]+)", subprocess.run(
            ["pdfinfo", "-l", "999", str(pdf)], capture_output=True, text=True, check=True).stdout)]
        return pdf.read_bytes(), pages, sizes


def version():
    """The program's version."""
    out = subprocess.run(["soffice", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(out.split()[:2])


class Writer:
    """Writes one document; styles that blocks need are gathered as they come."""

    def __init__(self, style):
        self.s = style
        self.automatic = {}
        self.n = 0

    def name(self, family, properties):
        """The name of an automatic style, made when first needed."""
        key = (family, properties)
        if key not in self.automatic:
            self.automatic[key] = f"A{len(self.automatic) + 1}"
        return self.automatic[key]

    def document(self, blocks):
        """The whole file."""
        s = self.s
        body = self.blocks(blocks)
        if s.get("columns") == 2:
            section = self.name("section", '<style:section-properties text:dont-balance-text-columns="true"><style:columns fo:column-count="2" fo:column-gap="8mm"/>'
                                           '</style:section-properties>')
            # The title stands over both columns.
            first, rest = body.split("</text:p>", 1)
            body = f'{first}</text:p><text:section text:style-name="{section}" text:name="Columns">{rest}</text:section>'
        automatic = "".join(
            f'<style:style style:name="{name}" style:family="{family}"{" style:parent-style-name=" + chr(34) + "Body" + chr(34) if family == "paragraph" else ""}>'
            f"{properties}</style:style>" for (family, properties), name in self.automatic.items())
        w, h = ("297mm", "210mm") if s.get("landscape") else ("210mm", "297mm")
        turn = "landscape" if s.get("landscape") else "portrait"
        layout = (f'<style:page-layout style:name="PL"><style:page-layout-properties fo:page-width="{w}" fo:page-height="{h}" style:print-orientation="{turn}" '
                  'fo:margin-top="12mm" fo:margin-bottom="12mm" fo:margin-left="20mm" fo:margin-right="20mm"/>'
                  '<style:header-style><style:header-footer-properties fo:min-height="8mm" fo:margin-bottom="5mm"/></style:header-style>'
                  '<style:footer-style><style:header-footer-properties fo:min-height="8mm" fo:margin-top="5mm"/></style:footer-style></style:page-layout>')
        master = (f'<style:master-page style:name="Standard" style:page-layout-name="PL"><style:header>{self.edge(s["head_parts"])}</style:header>'
                  f'<style:footer>{self.edge(s["foot_parts"])}</style:footer></style:master-page>')
        title = html.escape(s.get("declared_title", ""))
        return (f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">'
                f"<office:meta><dc:title>{title}</dc:title></office:meta><office:styles>{self.styles()}</office:styles>"
                f"<office:automatic-styles>{layout}{automatic}</office:automatic-styles>"
                f"<office:master-styles>{master}</office:master-styles><office:body><office:text>{body}</office:text></office:body></office:document>")

    def styles(self):
        """The named styles."""
        s, size = self.s, self.s["size"]
        language = {"en": "GB", "de": "DE", "fr": "FR", "es": "ES"}[s["lang"]]

        def paragraph(name, text="", para="", parent="Body", level=None):
            outline = f' style:default-outline-level="{level}"' if level else ""
            up = f' style:parent-style-name="{parent}"' if parent else ""
            return (f'<style:style style:name="{name}" style:family="paragraph"{up}{outline}><style:paragraph-properties {para}/>'
                    f"<style:text-properties {text}/></style:style>")

        align = ' fo:text-align="justify"' if s.get("justify") or s.get("hyphenate") else ' fo:text-align="start"'
        space = f'fo:margin-top="0mm" fo:margin-bottom="{0.6 * size:.1f}pt" fo:line-height="{100 * s["leading"] - 15:.0f}%" fo:orphans="2" fo:widows="2"'
        base = f'style:font-name="{s["font"]}" fo:font-family="\'{s["font"]}\'" fo:font-size="{size}pt" fo:language="{s["lang"]}" fo:country="{language}" fo:hyphenate="false"'
        head = f'fo:font-family="\'{s["heading_font"]}\'" fo:font-weight="bold"'
        keep = 'fo:keep-with-next="always" fo:text-align="start"'
        return "".join([
            paragraph("Body", base, space + align, parent=None),
            paragraph("Title", f'{head} fo:font-size="{s["title_size"]}pt" fo:color="{colour(s["accent"])}"', f'fo:text-align="start" fo:margin-bottom="{size}pt"'),
            paragraph("H1", f'{head} fo:font-size="{s["h1"]}pt" fo:color="{colour(s["accent"])}"', f'{keep} fo:margin-top="{1.2 * size:.1f}pt" fo:margin-bottom="{0.5 * size:.1f}pt"', level=1),
            paragraph("H2", f'{head} fo:font-size="{s["h2"]}pt"' + (' fo:font-style="italic"' if "italic" in s["h2_style"] else ""),
                      f'{keep} fo:margin-top="{size}pt" fo:margin-bottom="{0.4 * size:.1f}pt"', level=2),
            paragraph("Caption", f'fo:font-size="{size - 1}pt" fo:font-style="{s["caption_style"]}"', 'fo:text-align="start" fo:margin-top="1mm"'),
            paragraph("Intro", "", 'fo:keep-with-next="always"'),
            paragraph("Code", f'fo:font-family="\'{s["mono"]}\'" fo:font-size="{size - 1}pt"', 'fo:text-align="start" fo:margin-bottom="0mm" fo:background-color="#f2f2f2"'),
            paragraph("Cell", f'fo:font-size="{size - 0.5}pt"', 'fo:text-align="start" fo:margin-bottom="0mm" fo:line-height="100%"'),
            paragraph("Edge", 'fo:font-size="8pt" fo:color="#444444"', 'fo:text-align="start" fo:margin-bottom="0mm"'),
            paragraph("Footnote", f'fo:font-size="{size - 2}pt"', 'fo:text-align="start" fo:margin-bottom="0mm"'),
            '<style:style style:name="Strong" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>',
            '<style:style style:name="Raised" style:family="text"><style:text-properties style:text-position="super 60%"/></style:style>',
            '<text:notes-configuration text:note-class="footnote" text:citation-style-name="Raised" text:citation-body-style-name="Raised" text:default-style-name="Footnote"'
            ' text:master-page-name="Standard" style:num-format="1" text:start-numbering-at="document"/>',
        ])

    def edge(self, parts):
        """A running head or foot: left and right, with the page's number."""
        width = "257mm" if self.s.get("landscape") else "170mm"
        style = self.name("paragraph", f'<style:paragraph-properties fo:text-align="start"><style:tab-stops><style:tab-stop style:position="{width}" style:type="right"/>'
                                       '</style:tab-stops></style:paragraph-properties><style:text-properties fo:font-size="8pt" fo:color="#444444"/>')
        left, right = (html.escape(p).replace("{n}", '<text:page-number text:select-page="current"/>').replace("{N}", "<text:page-count/>") for p in parts)
        return f'<text:p text:style-name="{style}">{left}<text:tab/>{right}</text:p>'

    def blocks(self, blocks):
        """Blocks one after the other."""
        out = []
        for i, b in enumerate(blocks):
            follows = blocks[i + 1]["k"] if i + 1 < len(blocks) else ""
            out.append(self.block(b, follows in ("list", "table")))
        return "".join(out)

    def p(self, style, text):
        """A paragraph of plain text."""
        return f'<text:p text:style-name="{style}">{escape(text)}</text:p>'

    def block(self, b, announces=False):
        """One block."""
        k = b["k"]
        if k == "break":
            return ""
        if k == "title":
            return self.p("Title", b["text"])
        if k == "heading":
            return f'<text:h text:style-name="H{b["level"]}" text:outline-level="{b["level"]}">{escape(b["text"])}</text:h>'
        if k == "paragraph":
            note = b.get("note")
            style = "Intro" if announces and b["text"].endswith(":") else "Body"
            if not note:
                return self.p(style, b["text"])
            self.n += 1
            own = (f'<text:note text:id="n{self.n}" text:note-class="footnote"><text:note-citation>{note["mark"]}</text:note-citation><text:note-body>'
                   f'<text:p text:style-name="Footnote">{escape(note["text"])}</text:p></text:note-body></text:note>')
            return f'<text:p text:style-name="{style}">{escape(b["text"])}{own}</text:p>'
        if k == "pair":
            return self.p("Body", f"{b['key']}: {b['value']}")
        if k == "code":
            return "".join(self.p("Code", line) for line in b["text"].split("\n")) + self.p("Body", "")
        if k == "figure":
            return self.p("Caption", b["caption"])
        if k == "side":
            return "".join(self.block(x) for side in ("left", "right") for x in b[side])
        if k == "list":
            return self.list_(b, 0)
        if k == "warning":
            return self.warning(b, 0)
        if k == "table":
            return self.table(b)
        raise ValueError(k)

    def list_(self, b, depth):
        """A list whose markers stand before a tab, hanging."""
        out = []
        indent = 7 * (depth + 1)
        first = -20 if b["items"][0]["marker"].endswith(":") else -7
        indent = max(indent, -first)
        for i in b["items"]:
            style = self.name("paragraph", f'<style:paragraph-properties fo:margin-left="{indent}mm" fo:text-indent="{first}mm" fo:margin-bottom="1mm"><style:tab-stops>'
                                           f'<style:tab-stop style:position="0mm"/></style:tab-stops></style:paragraph-properties>')
            out.append(f'<text:p text:style-name="{style}">{escape(i["marker"])}<text:tab/>{escape(i["text"])}</text:p>')
            for x in i["blocks"]:
                out.append(self.list_(x, depth + 1) if x["k"] == "list" else self.warning(x, indent))
        return "".join(out)

    def warning(self, b, indent):
        """A warning: framed, barred, shaded, in two cells, or only its word."""
        look = "plain" if b["grade"] == "note" else self.s["warning"]
        word, text = escape(b["word"]), escape(b["text"])
        at = f'fo:margin-left="{indent}mm" fo:margin-top="1mm" fo:text-align="start"'
        strong = lambda t: f'<text:span text:style-name="Strong">{t}</text:span>'
        frame = {"box": 'fo:border="1.2pt solid #cc0000" fo:padding="1.5mm"', "symbol": 'fo:border-left="3pt solid #ee8800" fo:padding-left="3mm"',
                 "shaded": 'fo:background-color="#fbe9c8" fo:padding="1.5mm" fo:border="0.1pt solid #fbe9c8"'}.get(look, "")
        if look in ("box", "symbol"):
            sign = "⚠ " if look == "symbol" else ""
            above = self.name("paragraph", f'<style:paragraph-properties {at} {frame} fo:margin-bottom="0mm" fo:keep-with-next="always" style:join-border="true"/>')
            below = self.name("paragraph", f'<style:paragraph-properties {at.replace("1mm", "0mm")} {frame} style:join-border="true"/>')
            return f'<text:p text:style-name="{above}">{strong(sign + word)}</text:p><text:p text:style-name="{below}">{text}</text:p>'
        style = self.name("paragraph", f"<style:paragraph-properties {at} {frame}/>")
        if look == "side":
            columns = "".join(f'<table:table-column table:style-name="{self.name("table-column", f"<style:table-column-properties style:column-width={chr(34)}{w * (self.width() - indent) / 100:.2f}mm{chr(34)}/>")}"/>'
                              for w in ((20, 80) if self.width() > 100 else (40, 60)))
            cell = self.name("table-cell", '<style:table-cell-properties fo:border="0.8pt solid #333333" fo:padding="1.5mm"/>')
            cells = "".join(f'<table:table-cell table:style-name="{cell}" office:value-type="string"><text:p text:style-name="Cell">{t}</text:p></table:table-cell>'
                            for t in (strong(word), text))
            whole = self.name("table", f'<style:table-properties style:width="{self.width() - indent}mm" fo:margin-left="{indent}mm" table:align="left" fo:margin-bottom="2mm"/>')
            self.n += 1
            return f'<table:table table:name="W{self.n}" table:style-name="{whole}">{columns}<table:table-row>{cells}</table:table-row></table:table>'
        mark = "!" if look == "shaded" else ":"
        return f'<text:p text:style-name="{style}">{strong(word + mark)} {text}</text:p>'

    def width(self):
        """The width of the text in millimetres."""
        if self.s.get("landscape"):
            return 257
        return 81 if self.s.get("columns") == 2 else 170

    def table(self, b):
        """A table whose header is repeated on every page."""
        s, rows = self.s, b["rows"]
        edges = {"grid": 'fo:border="0.6pt solid #333333"', "rows": 'fo:border-bottom="0.4pt solid #999999"'}.get(b["style"], "")
        pad = f'fo:padding="{s["cell_pad"].split()[0]}"'
        columns = "".join(f'<table:table-column table:style-name="{self.name("table-column", f"<style:table-column-properties style:column-width={chr(34)}{w * self.width() / 100:.2f}mm{chr(34)}/>")}"/>'
                          for w in b["widths"])
        taken, out = {}, [[], []]
        for r, row in enumerate(rows):
            header, total = r < b["n_header"], b.get("total") and r == len(rows) - 1
            cells, column = [], 0
            for c in row:
                while (r, column) in taken:
                    cells.append("<table:covered-table-cell/>")
                    column += 1
                c = c if isinstance(c, dict) else {"t": c, "cs": 1, "rs": 1}
                for dr in range(c["rs"]):
                    for dc in range(c["cs"]):
                        taken[(r + dr, column + dc)] = True
                own = edges
                if b["style"] == "lines":
                    own = ('fo:border-top="1pt solid #000000" ' if r == 0 else "") + (
                        'fo:border-bottom="0.7pt solid #000000"' if header and r + c["rs"] == b["n_header"] or r == len(rows) - 1 else "")
                if total:
                    own += ' fo:border-top="0.8pt solid #000000"' if "border" not in own or b["style"] == "lines" else ""
                tint = f' fo:background-color="{colour(s["tint"])}"' if (header and b["style"] == "grid") or (b["style"] == "zebra" and (header or r % 2)) else ""
                style = self.name("table-cell", f'<style:table-cell-properties {own} {pad}{tint} style:vertical-align="{s["cell_valign"]}"/>')
                align = {"l": "start", "r": "end", "c": "center"}[b["align"][column + (0 if header else c["cs"] - 1)]]
                align = "center" if header and c["cs"] > 1 else align
                weight = "bold" if (header and s["th_weight"] == "bold") or total else "normal"
                text = self.name("paragraph", f'<style:paragraph-properties fo:text-align="{align}" fo:margin-bottom="0mm" fo:line-height="100%"/>'
                                              f'<style:text-properties fo:font-weight="{weight}" fo:font-size="{s["size"] - 0.5}pt"/>')
                spans = f' table:number-columns-spanned="{c["cs"]}" table:number-rows-spanned="{c["rs"]}"' if c["cs"] * c["rs"] > 1 else ""
                cells.append(f'<table:table-cell table:style-name="{style}" office:value-type="string"{spans}><text:p text:style-name="{text}">{escape(c["t"])}</text:p></table:table-cell>')
                column += 1
                for _ in range(c["cs"] - 1):
                    cells.append("<table:covered-table-cell/>")
                    column += 1
            while (r, column) in taken:
                cells.append("<table:covered-table-cell/>")
                column += 1
            keep = self.name("table-row", '<style:table-row-properties fo:keep-together="always"/>')
            out[0 if header else 1].append(f'<table:table-row table:style-name="{keep}">{"".join(cells)}</table:table-row>')
        split = "false" if b.get("whole") else "true"
        whole = self.name("table", f'<style:table-properties style:width="{self.width()}mm" table:align="left" style:may-break-between-rows="{split}" '
                                   f'table:border-model="collapsing" fo:margin-bottom="{0.8 * s["size"]:.1f}pt"/>')
        self.n += 1
        table = (f'<table:table table:name="T{self.n}" table:style-name="{whole}">{columns}<table:table-header-rows>{"".join(out[0])}</table:table-header-rows>'
                 f'{"".join(out[1])}</table:table>')
        caption = b.get("caption")
        if not caption:
            return table
        keep = self.name("paragraph", f'<style:paragraph-properties fo:text-align="start" fo:keep-with-next="always" fo:margin-bottom="1mm"/><style:text-properties '
                                      f'fo:font-size="{s["size"] - 1}pt" fo:font-style="{s["caption_style"]}"/>')
        if s["caption_at"] == "above":
            return f'<text:p text:style-name="{keep}">{escape(caption)}</text:p>{table}'
        return table + self.p("Caption", caption)


def escape(text):
    """Text as XML; the soft hyphen is a character like any other."""
    return html.escape(text, quote=False)


def colour(text):
    """A colour with six digits."""
    return "#" + "".join(2 * c for c in text[1:]) if len(text) == 4 else text
