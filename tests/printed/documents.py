"""Documents as lists of blocks, before anything is known of how they will look: manuals, data sheets, bills of materials,
invoices, safety sheets, reports, maintenance plans.

A block is a dictionary whose `k` says what it is. Not for layout (`chromium.py`, `office.py`) nor for truth (`truth.py`).
"""

import material as m
from statements import Statements


def heading(level, text):
    """A section's heading as printed, its number included."""
    return {"k": "heading", "level": level, "text": text}


def paragraph(text, **more):
    """Running text."""
    return {"k": "paragraph", "text": text, **more}


def item(marker, text, *blocks):
    """One item of a list with what stands in it."""
    return {"marker": marker, "text": text, "blocks": list(blocks)}


def table(rows, n_header=1, style="grid", **more):
    """A table; a cell is a text or a dictionary with `t` and its spans `cs`, `rs`."""
    return {"k": "table", "rows": rows, "n_header": n_header, "style": style, **more}


def cell(text, cs=1, rs=1, **more):
    """A cell with spans."""
    return {"t": text, "cs": cs, "rs": rs, **more}


class Author:
    """Writes one document."""

    def __init__(self, rng, lang, style):
        self.rng, self.lang, self.style = rng, lang, style
        self.machine = rng.choice(m.MACHINES)
        self.maker = rng.choice(m.MAKERS)
        self.voice = m.Voice(rng, lang, self.machine, soft=style.get("hyphenate", False))
        self.words = self.voice.words
        self.n_tables = self.n_figures = self.n_notes = 0

    # Parts.

    def caption(self, kind, text):
        """A numbered caption."""
        n = self.n_tables = self.n_tables + (kind == "table")
        if kind == "figure":
            n = self.n_figures = self.n_figures + 1
        dash = self.style["caption_dash"]
        return f"{self.words[kind]} {n}{dash} {text}"

    def warning(self, grade=None):
        """A warning in the document's way of showing them."""
        grade, word, text = self.voice.warning(grade)
        return {"k": "warning", "grade": grade, "word": word, "text": text}

    def steps(self, n, warn=True, nested=True):
        """A procedure; a warning stands inside one of its steps, small steps below another."""
        style = self.style["steps"]
        items = []
        warned = self.rng.randrange(n) if warn else -1
        below = self.rng.randrange(n) if nested else -1
        for i in range(n):
            marker = {"1.": f"{i + 1}.", "1)": f"{i + 1})", "step": f"{self.words['step']} {i + 1}:"}[style]
            blocks = []
            if i == below:
                # Small steps too get the marker that the style has for them.
                subs = [item(f"{'abcdef'[j]})", self.voice.take("substep")) for j in range(2)]
                blocks.append({"k": "list", "ordered": True, "items": subs})
            if i == warned:
                blocks.append(self.warning(self.rng.choice(["danger", "warning", "caution", "notice"])))
            items.append(item(marker, self.voice.take("step"), *blocks))
        return {"k": "list", "ordered": True, "items": items}

    def bullets(self, n):
        """A plain list."""
        mark = self.style["bullet"]
        return {"k": "list", "ordered": False, "items": [item(mark, self.voice.take("bullet")) for _ in range(n)]}

    def code(self):
        """A listing."""
        return {"k": "code", "text": self.rng.choice(m.CODE)}

    def figure(self):
        """A drawing with its caption."""
        part = self.voice.take("part")
        return {"k": "figure", "caption": self.caption("figure", f"{self.words['drawing']}, {part}"), "seed": self.rng.randrange(1000)}

    def noted(self):
        """A paragraph with a footnote."""
        self.n_notes += 1
        return paragraph(self.voice.paragraph(2), note={"mark": str(self.n_notes), "text": self.voice.take("footnote")})

    # Tables.

    def limits_table(self, n=5):
        """Values with a spanning header: property, unit, limits with minimum and maximum below."""
        w, d = self.words, lambda x, k=1: m.decimal(self.lang, x, k)
        names = {"en": ["Flow", "Pressure", "Temperature", "Speed", "Rated power", "Sound level", "Mass"],
                 "de": ["Durchfluss", "Druck", "Temperatur", "Drehzahl", "Nennleistung", "Schallpegel", "Masse"],
                 "fr": ["Débit", "Pression", "Température", "Vitesse", "Puissance", "Niveau sonore", "Masse"],
                 "es": ["Caudal", "Presión", "Temperatura", "Velocidad", "Potencia", "Nivel sonoro", "Masa"]}[self.lang]
        units = ["m³/h", "bar", "°C", "1/min", "kW", "dB(A)", "kg"]
        rows = [[cell(w["property"], rs=2), cell(w["unit"], rs=2), cell(w["limits"], cs=2)], [w["min"], w["max"]]]
        for i in range(min(n, 7)):
            low = self.rng.randint(2, 40) / 4
            rows.append([names[i], units[i], d(low), d(low * self.rng.choice([2, 3, 5]))])
        return table(rows, 2, self.style["table"], caption=self.caption("table", f"{w['limits']}, {self.machine}"), widths=[34, 18, 24, 24],
                     align="llrr", whole=True)

    def torque_table(self, n=5, **more):
        """Sizes and torques: units in the header."""
        w = self.words
        rows = [[w["size"], w["number"], w["strength"], w["torque"]]]
        for i in range(n):
            size = ["M4", "M5", "M6", "M8", "M10", "M12", "M16", "M20"][i % 8]
            rows.append([f"{size}x{self.rng.choice([12, 16, 20, 25, 40])}", f"SKU-{self.rng.randint(40000, 49999)}",
                         self.rng.choice(["8.8", "10.9", "A2-70"]), m.decimal(self.lang, [2.8, 5.5, 9.5, 23, 46, 79, 195, 380][i % 8])])
        return table(rows, 1, self.style["table"], caption=self.caption("table", w["torque"]), widths=[20, 30, 25, 25], align="lllr", **more)

    def fault_table(self, n=4):
        """Long cells that wrap."""
        w = self.words
        rows = [[w["fault"], w["cause"], w["remedy"]]] + [list(self.voice.bags["fault"].take()) for _ in range(n)]
        return table(rows, 1, self.style["table"], caption=self.caption("table", w["fault"]), widths=[24, 36, 40], align="lll")

    def parts_table(self, n, style=None, total=True, caption=True):
        """A parts list with prices and a total."""
        w = self.words
        price = {"en": "Price EUR", "de": "Preis EUR", "fr": "Prix EUR", "es": "Precio EUR"}[self.lang]
        amount = {"en": "Amount EUR", "de": "Betrag EUR", "fr": "Montant EUR", "es": "Importe EUR"}[self.lang]
        head = ["Pos.", w["number"], w["part"], w["quantity"], price, amount]
        rows, sum_cents = [head], 0
        for i in range(n):
            quantity, cents = self.rng.randint(1, 24), self.rng.randint(40, 24000)
            sum_cents += quantity * cents
            number = self.rng.choice(["{}-{}", "{}.{}", "A{}/{}"]).format(self.rng.randint(100, 999), self.rng.randint(1000, 9999))
            name = self.voice.take("part")
            if self.rng.random() < 0.25:
                name += {"en": ", stainless steel, with fastening set", "de": ", Edelstahl, mit Befestigungssatz",
                         "fr": ", acier inoxydable, avec kit de fixation", "es": ", acero inoxidable, con juego de fijación"}[self.lang]
            rows.append([str(10 * (i + 1)), number, name, str(quantity), m.decimal(self.lang, cents / 100, 2),
                         m.decimal(self.lang, quantity * cents / 100, 2)])
        if total:
            rows.append([cell(w["total"], cs=5), m.decimal(self.lang, sum_cents / 100, 2)])
        caption = self.caption("table", f"{w['part']}, {self.machine}") if caption else None
        if not total:
            # Without a sum the columns that lead to it are not needed either.
            return table([row[1:5] for row in rows], 1, style or self.style["table"], caption=caption, widths=[24, 38, 18, 20], align="llrr")
        return table(rows, 1, style or self.style["table"], caption=caption, widths=[8, 17, 35, 12, 13, 15], align="lllrrr",
                     total=total)

    def plan_table(self, n=6, rotated=False):
        """A maintenance plan: crosses under intervals, whose headers may stand upright."""
        w = self.words
        hours = ["8 h", "50 h", "250 h", "1000 h", "4000 h"]
        rows = [[w["work"]] + [cell(h, rot=rotated) for h in hours]]
        for i in range(n):
            crosses = ["X" if self.rng.random() < 0.4 else "" for _ in hours]
            crosses[i % len(hours)] = "X"
            part = self.voice.take("part")
            rows.append([part[0].upper() + part[1:]] + crosses)
        return table(rows, 1, self.style.get("plan_style", "grid"), caption=self.caption("table", w["interval"]), widths=[40, 12, 12, 12, 12, 12], align="lccccc", whole=True)

    # Documents.

    def manual(self, n_chapters):
        """Chapters and sections with everything that a manual has."""
        w, rng, numbered = self.words, self.rng, self.style["numbered"]
        blocks = [{"k": "title", "text": f"{w['manual']} {self.machine}"}, paragraph(f"{self.maker}, 2026", loose=True)]
        chapters = m.CHAPTERS[self.lang]
        start = rng.randrange(max(1, len(chapters) - n_chapters + 1))
        for c, (chapter, sections) in enumerate(chapters[start : start + n_chapters], 1):
            if c > 1 and self.style.get("chapter_break"):
                blocks.append({"k": "break"})
            blocks.append(heading(1, f"{c} {chapter}" if numbered else chapter))
            blocks.append(paragraph(self.voice.paragraph(2)))
            if rng.random() < 0.5:
                blocks.append(self.warning())
            for s, section in enumerate(sections, 1):
                blocks.append(heading(2, f"{c}.{s} {section}" if numbered else section))
                blocks.append(paragraph(self.voice.paragraph()))
                blocks.extend(self.insert())
        return blocks

    def insert(self):
        """What stands in a section besides running text."""
        kind = self.rng.choice(["steps", "steps", "bullets", "limits", "torque", "fault", "figure", "code", "warning", "note", "plain"])
        v, w = self.voice, self.words
        return {
            "steps": lambda: [paragraph(w["follow"]), self.steps(self.rng.randint(3, 5)), paragraph(v.paragraph(1))],
            "bullets": lambda: [paragraph(w["tools"]), self.bullets(self.rng.randint(3, 4)), paragraph(v.paragraph(2))],
            "limits": lambda: [self.limits_table(self.rng.randint(4, 6)), paragraph(v.paragraph(2))],
            "torque": lambda: [self.torque_table(self.rng.randint(4, 7)), paragraph(v.paragraph(2))],
            "fault": lambda: [self.fault_table(self.rng.randint(3, 4)), paragraph(v.paragraph(1))],
            "figure": lambda: [self.figure(), paragraph(v.paragraph(2))],
            "code": lambda: [self.code(), paragraph(v.paragraph(2))],
            "warning": lambda: [self.warning(), paragraph(v.paragraph(2))],
            "note": lambda: [self.noted()],
            "plain": lambda: [paragraph(v.paragraph())],
        }[kind]()

    def report(self):
        """A test report: running text in sections, tables, footnotes."""
        titles = {"en": ("Test report", ["Purpose", "Set-up", "Procedure", "Results", "Assessment", "Next steps"]),
                  "de": ("Prüfbericht", ["Zweck", "Aufbau", "Durchführung", "Ergebnisse", "Bewertung"]),
                  "fr": ("Rapport d’essai", ["Objet", "Montage", "Déroulement", "Résultats", "Évaluation"]),
                  "es": ("Informe de ensayo", ["Objeto", "Montaje", "Desarrollo", "Resultados", "Valoración"])}[self.lang]
        blocks = [{"k": "title", "text": f"{titles[0]} {self.machine}"}]
        for i, title in enumerate(titles[1], 1):
            blocks.append(heading(1, f"{i}. {title}" if self.style["numbered"] else title))
            blocks.append(paragraph(self.voice.paragraph(3)))
            blocks.append(paragraph(self.voice.paragraph(4)) if i % 3 else self.noted())
            if i in (2, 4):
                blocks.append(self.limits_table(5) if i == 4 else self.bullets(3))
            if i == 3:
                blocks.append(self.steps(4))
            if i == 5:
                blocks.append(self.torque_table(6))
        return blocks

    def data_sheet(self):
        """A page with a sidebar and tables of values."""
        names = {"en": ("Data sheet", "At a glance", ["Description", "Applications", "Technical data", "Ordering"]),
                 "de": ("Datenblatt", "Auf einen Blick", ["Beschreibung", "Anwendungen", "Technische Daten", "Bestellangaben"]),
                 "fr": ("Fiche technique", "En bref", ["Description", "Applications", "Caractéristiques", "Commande"]),
                 "es": ("Hoja de datos", "De un vistazo", ["Descripción", "Aplicaciones", "Características", "Pedido"])}[self.lang]
        blocks = [{"k": "title", "text": f"{names[0]} {self.machine}"}]
        if self.style.get("sidebar"):
            blocks.append({"k": "aside", "title": names[1], "blocks": [self.bullets(4), paragraph(self.voice.paragraph(1))]})
        inserts = [lambda: [paragraph(self.voice.paragraph(2))], lambda: [self.bullets(3)], lambda: [self.limits_table(6)],
                   lambda: [self.parts_table(5, total=False)]]
        for title, insert in zip(names[2], inserts):
            blocks.append(heading(1, title))
            blocks.append(paragraph(self.voice.paragraph(2)))
            blocks.extend(insert())
        blocks.append(self.warning("caution"))
        return blocks

    def bill_of_materials(self, n):
        """A long table over several pages."""
        title = {"en": "Bill of materials", "de": "Stückliste", "fr": "Nomenclature", "es": "Lista de materiales"}[self.lang]
        blocks = [{"k": "title", "text": f"{title} {self.machine}"}, paragraph(self.voice.paragraph(2))]
        blocks.append(self.parts_table(n))
        blocks.append(paragraph(self.voice.paragraph(2)))
        return blocks

    def invoice(self):
        """Sender, recipient, facts, lines, payment."""
        n = self.rng
        t = {"en": ("Invoice", ["Invoice number", "Date", "Customer number", "Order"], "Payable within 30 days without deduction."),
             "de": ("Rechnung", ["Rechnungsnummer", "Datum", "Kundennummer", "Auftrag"], "Zahlbar innerhalb von 30 Tagen ohne Abzug."),
             "fr": ("Facture", ["Numéro de facture", "Date", "Numéro de client", "Commande"], "Payable à 30 jours sans escompte."),
             "es": ("Factura", ["Número de factura", "Fecha", "Número de cliente", "Pedido"], "Pago a 30 días sin descuento.")}[self.lang]
        values = [f"RE-{n.randint(1000, 9999)}/26", f"2026-{n.randint(1, 12):02}-{n.randint(1, 28):02}", str(n.randint(10000, 99999)),
                  f"{n.randint(100, 999)}-{n.randint(10, 99)}"]
        address = ["Brandt Gerätebau GmbH", f"Ringstraße {n.randint(1, 99)}", f"{n.randint(10000, 98000)} Altenfurt"]
        blocks = [
            {"k": "side", "left": [paragraph(line) for line in address],
             "right": [{"k": "pair", "key": key, "value": value} for key, value in zip(t[1], values)]},
            {"k": "title", "text": f"{t[0]} {values[0]}"},
            paragraph(self.voice.paragraph(1)),
            self.parts_table(n.randint(5, 9), caption=False),
            paragraph(t[2]),
            paragraph(self.voice.paragraph(1)),
        ]
        return blocks

    def statement(self):
        """A yearly report: tables of every hard kind between a little text."""
        s, w = Statements(self), Statements(self).words
        blocks = [{"k": "title", "text": f"{w['statement']} {self.machine}"}, paragraph(self.voice.paragraph(2))]
        parts = [(w["statement"], [s.income(), paragraph(w["notes"])]), (w["lines"], [s.sites()]), (w["check"], [s.checks()]), (w["compared"], [s.beside()])]
        # In a narrow column two tables have no room beside one another.
        for title, inserts in parts[: 3 if self.style.get("columns") == 2 else 4]:
            blocks += [heading(1, title), paragraph(self.voice.paragraph(2)), *inserts, paragraph(self.voice.paragraph(1))]
        return blocks

    def items(self):
        """An invoice whose items have more lines than figures, over pages if there are many."""
        s, n = Statements(self), self.rng
        title = {"en": "Invoice", "de": "Rechnung", "fr": "Facture", "es": "Factura"}[self.lang]
        return [s.addresses(), {"k": "title", "text": f"{title} RE-{n.randint(1000, 9999)}/26"}, paragraph(self.voice.paragraph(1)),
                s.items(self.style.get("n_items", 3)), paragraph(self.voice.paragraph(1)), s.contacts()]

    def letter(self):
        """A page without any table: addresses, lists, contacts, an index."""
        s = Statements(self)
        return [{"k": "title", "text": f"{s.words['letter']} {self.maker}"}, paragraph(self.voice.paragraph(2)), s.addresses(),
                paragraph(self.voice.paragraph(3)), self.bullets(3), heading(1, s.words["index"]), s.index(), paragraph(self.voice.paragraph(1)), s.contacts()]

    def safety_sheet(self):
        """Numbered sections with pairs of keys and values."""
        names = {
            "en": ["Identification", "Hazards", "Composition", "First-aid measures", "Fire-fighting measures", "Accidental release", "Handling and storage",
                   "Personal protection", "Physical properties", "Stability", "Toxicology", "Ecology", "Disposal considerations"],
            "de": ["Bezeichnung", "Mögliche Gefahren", "Zusammensetzung", "Erste Hilfe", "Brandbekämpfung", "Freisetzung", "Handhabung und Lagerung",
                   "Persönliche Schutzausrüstung", "Physikalische Eigenschaften"],
            "fr": ["Identification", "Dangers", "Composition", "Premiers secours", "Lutte contre l’incendie", "Dispersion accidentelle", "Stockage"],
            "es": ["Identificación", "Peligros", "Composición", "Primeros auxilios", "Lucha contra incendios", "Vertido accidental", "Almacenamiento"],
        }[self.lang]
        section = {"en": "SECTION", "de": "ABSCHNITT", "fr": "RUBRIQUE", "es": "SECCIÓN"}[self.lang]
        sheet = {"en": "Safety data sheet", "de": "Sicherheitsdatenblatt", "fr": "Fiche de données de sécurité", "es": "Ficha de datos de seguridad"}[self.lang]
        blocks = [{"k": "title", "text": f"{sheet}: Cutting oil CO-{self.rng.randint(10, 99)}"}]
        for i, name in enumerate(names, 1):
            blocks.append(heading(1, f"{section} {i}: {name}"))
            if i == 2:
                blocks.append(self.warning("danger"))
            if i == 9:
                blocks.append(self.limits_table(5))
            elif i == 3:
                rows = [[self.words["material"], "CAS", "%"]]
                rows += [[name, f"{self.rng.randint(100, 9999)}-{self.rng.randint(10, 99)}-{self.rng.randint(1, 9)}", f"{low}–{low + 10}"]
                         for name, low in (("Mineral oil", 60), ("Zinc salt", 2), ("Ester", 10))]
                blocks.append(table(rows, 1, self.style["table"], widths=[50, 30, 20], align="llr"))
            else:
                blocks.append(paragraph(self.voice.paragraph(2)))
            if i in (4, 8):
                blocks.append(self.bullets(3))
        return blocks

    def plan(self):
        """A maintenance plan on a wide page."""
        title = {"en": "Maintenance plan", "de": "Wartungsplan", "fr": "Plan d’entretien", "es": "Plan de mantenimiento"}[self.lang]
        return [{"k": "title", "text": f"{title} {self.machine}"}, paragraph(self.voice.paragraph(2)),
                self.plan_table(9, rotated=self.style.get("rotated_headers", False)), self.warning("warning"), paragraph(self.voice.paragraph(2))]
