"""Tables that are hard to read, and pages that only look like tables: figures in groups with two years, negatives in brackets,
names over several columns, columns whose first cells are empty, lists in cells, two tables beside one another, items with more
lines than their figures; and addresses, contacts and indexes, which are none.

Not for how they look: that is the style's, as for all others.
"""

import material as m

GROUPS = {
    "en": [("Revenue", ["Machines", "Spare parts", "Service contracts"]), ("Expenses", ["Material", "Wages and salaries", "Depreciation", "Energy"]),
           ("Financial result", ["Interest received", "Interest paid"])],
    "de": [("Umsatzerlöse", ["Maschinen", "Ersatzteile", "Wartungsverträge"]), ("Aufwendungen", ["Material", "Löhne und Gehälter", "Abschreibungen", "Energie"]),
           ("Finanzergebnis", ["Zinserträge", "Zinsaufwand"])],
    "fr": [("Chiffre d’affaires", ["Machines", "Pièces de rechange", "Contrats d’entretien"]), ("Charges", ["Matières", "Salaires", "Amortissements", "Énergie"]),
           ("Résultat financier", ["Produits d’intérêts", "Charges d’intérêts"])],
    "es": [("Ingresos", ["Máquinas", "Repuestos", "Contratos de servicio"]), ("Gastos", ["Material", "Salarios", "Amortizaciones", "Energía"]),
           ("Resultado financiero", ["Intereses cobrados", "Intereses pagados"])],
}
WORDS = {
    "en": {"sum": "Total", "of": "thousand EUR", "change": "Change %", "site": "Site", "line": "Line", "output": "Output", "scrap": "Scrap", "days": "Days",
           "statement": "Income statement", "result": "Result", "lines": "Production by site", "check": "Checks", "point": "Point", "actions": "Actions", "limit": "Limit",
           "compared": "Both shifts", "shift": "Shift", "pieces": "Pieces", "serial": "Serial number", "delivered": "Delivered on", "tax": "VAT", "rate": "Rate",
           "letter": "Change of address", "from": "Previous address", "to": "New address", "index": "Index", "notes": "* Estimated."},
    "de": {"sum": "Summe", "of": "Tsd. EUR", "change": "Veränderung %", "site": "Standort", "line": "Linie", "output": "Ausstoß", "scrap": "Ausschuss", "days": "Tage",
           "statement": "Gewinn- und Verlustrechnung", "result": "Ergebnis", "lines": "Fertigung nach Standort", "check": "Prüfungen", "point": "Punkt", "actions": "Tätigkeiten",
           "limit": "Grenze", "compared": "Beide Schichten", "shift": "Schicht", "pieces": "Stück", "serial": "Seriennummer", "delivered": "Geliefert am", "tax": "MwSt.",
           "rate": "Satz", "letter": "Neue Anschrift", "from": "Bisherige Anschrift", "to": "Neue Anschrift", "index": "Stichwörter", "notes": "* Geschätzt."},
    "fr": {"sum": "Total", "of": "milliers EUR", "change": "Variation %", "site": "Site", "line": "Ligne", "output": "Production", "scrap": "Rebut", "days": "Jours",
           "statement": "Compte de résultat", "result": "Résultat", "lines": "Production par site", "check": "Contrôles", "point": "Point", "actions": "Actions", "limit": "Limite",
           "compared": "Les deux équipes", "shift": "Équipe", "pieces": "Pièces", "serial": "Numéro de série", "delivered": "Livré le", "tax": "TVA", "rate": "Taux",
           "letter": "Changement d’adresse", "from": "Ancienne adresse", "to": "Nouvelle adresse", "index": "Index", "notes": "* Estimé."},
    "es": {"sum": "Total", "of": "miles EUR", "change": "Variación %", "site": "Planta", "line": "Línea", "output": "Producción", "scrap": "Rechazo", "days": "Días",
           "statement": "Cuenta de resultados", "result": "Resultado", "lines": "Producción por planta", "check": "Controles", "point": "Punto", "actions": "Acciones", "limit": "Límite",
           "compared": "Ambos turnos", "shift": "Turno", "pieces": "Piezas", "serial": "Número de serie", "delivered": "Entregado el", "tax": "IVA", "rate": "Tipo",
           "letter": "Cambio de dirección", "from": "Dirección anterior", "to": "Nueva dirección", "index": "Índice", "notes": "* Estimado."},
}
TOWNS = ["Altenfurt", "Brookfield", "Castellan", "Dornbach", "Estrel"]


def cell(text, cs=1, rs=1, **more):
    """A cell with spans."""
    return {"t": text, "cs": cs, "rs": rs, **more}


class Statements:
    """Writes such blocks in one document's language and look."""

    def __init__(self, author):
        self.author, self.rng, self.lang = author, author.rng, author.lang
        self.words = WORDS[self.lang]

    def table(self, rows, n_header, **more):
        """A table in the document's look."""
        return {"k": "table", "rows": rows, "n_header": n_header, "style": more.pop("style", self.author.style["table"]), **more}

    def thousands(self, number):
        """As printed, negatives in brackets."""
        mark = {"en": ",", "de": ".", "fr": " ", "es": "."}[self.lang]
        digits = f"{abs(number):,}".replace(",", mark)
        return f"({digits})" if number < 0 else digits

    def income(self):
        """Groups of rows with two years each: amounts and shares under names over two columns."""
        w, rng = self.words, self.rng
        rows = [["", cell("2026", cs=2), cell("2025", cs=2)], ["", w["of"], "%", w["of"], "%"]]
        for name, labels in GROUPS[self.lang]:
            rows.append([name, "", "", "", ""])
            for i, label in enumerate(labels):
                star = "*" if rng.random() < 0.2 else ""
                values = [rng.choice([1, 1, -1]) * rng.randint(12, 48_000) for _ in range(2)]
                shares = [m.decimal(self.lang, rng.randint(-400, 900) / 10) for _ in range(2)]
                rows.append([label + star, self.thousands(values[0]), shares[0], self.thousands(values[1]), shares[1]])
        rows.append([w["result"], self.thousands(rng.randint(100, 9000)), "100", self.thousands(-rng.randint(100, 9000)), "100"])
        return self.table(rows, 2, caption=self.author.caption("table", w["statement"]), widths=[36, 18, 14, 18, 14], align="lrrrr", whole=True)

    def sites(self, n_sites=4):
        """A column whose name is printed once for several rows, and names of two lines."""
        w, rng = self.words, self.rng
        rows = [[w["site"], w["line"], f"{w['output']} ({w['pieces']}/h)", f"{w['scrap']} %", w["days"]]]
        for town in TOWNS[:n_sites]:
            for i in range(rng.randint(2, 3)):
                rows.append([town if i == 0 else "", f"L{rng.randint(1, 9)}", str(rng.randint(40, 900)), m.decimal(self.lang, rng.randint(1, 90) / 10),
                             str(rng.randint(3, 31))])
        return self.table(rows, 1, caption=self.author.caption("table", w["lines"]), widths=[26, 14, 24, 20, 16], align="llrrr", norepeat=True)

    def checks(self, n=4):
        """Lists in cells."""
        w, rng = self.words, self.rng
        rows = [[w["point"], w["actions"], w["limit"]]]
        for i in range(n):
            part = self.author.voice.take("part")
            tools = [self.author.voice.take("bullet") for _ in range(rng.randint(2, 3))]
            rows.append([part[0].upper() + part[1:], cell("\n".join(f"• {tool}" for tool in tools)), m.decimal(self.lang, rng.randint(2, 90) / 10) + " mm"])
        return self.table(rows, 1, caption=self.author.caption("table", w["check"]), widths=[30, 50, 20], align="llr")

    def beside(self):
        """Two small tables beside one another."""
        w, rng = self.words, self.rng

        def one(shift):
            rows = [[f"{w['shift']} {shift}", w["pieces"], f"{w['scrap']} %"]]
            rows += [[f"L{i}", str(rng.randint(100, 999)), m.decimal(self.lang, rng.randint(1, 60) / 10)] for i in range(1, 6)]
            return self.table(rows, 1, widths=[40, 30, 30], align="lrr", whole=True)

        return {"k": "side", "left": [one("A")], "right": [one("B")]}

    def items(self, n, details=True):
        """Lines of an invoice with what is said of each below its name, and the sums under them."""
        w, rng, lang = self.words, self.rng, self.lang
        names = self.author.words
        price = {"en": "Unit price", "de": "Einzelpreis", "fr": "Prix unitaire", "es": "Precio unitario"}[lang]
        amount = {"en": "Amount", "de": "Gesamtbetrag", "fr": "Montant", "es": "Importe"}[lang]
        rows, cents = [["Pos.", names["part"], names["quantity"], price, amount]], 0
        for i in range(n):
            quantity, each = rng.randint(1, 12), rng.randint(400, 99_000)
            cents += quantity * each
            text = self.author.voice.take("part")
            if details and rng.random() < 0.7:
                text += f"\n{w['serial']} {rng.randint(10_000, 99_999)}-{rng.randint(10, 99)}"
                text += f"\n{w['delivered']} 2026-{rng.randint(1, 9):02}-{rng.randint(10, 28)}" if rng.random() < 0.5 else ""
            money = lambda c: m.decimal(lang, c / 100, 2)
            rows.append([str(i + 1), cell(text), str(quantity), money(each), money(quantity * each)])
        rows.append([cell(w["sum"], cs=4), m.decimal(lang, cents / 100, 2)])
        return self.table(rows, 1, widths=[8, 46, 14, 16, 16], align="llrrr", total=True, norepeat=self.author.style.get("norepeat", False))

    # What is no table.

    def address(self):
        """Lines of an address."""
        n = self.rng
        return [n.choice(["Brandt Gerätebau GmbH", "Orvel Works Ltd", "Lindqvist Pumps AB"]), f"{n.choice(['Ringstraße', 'Mill Road', 'Kajgatan'])} {n.randint(1, 99)}",
                f"{n.randint(10_000, 98_000)} {n.choice(TOWNS)}"]

    def addresses(self):
        """Two addresses beside one another under their names."""
        text = lambda line: {"k": "paragraph", "text": line}
        return {"k": "side", "left": [text(self.words["from"]), *map(text, self.address())], "right": [text(self.words["to"]), *map(text, self.address())]}

    def contacts(self):
        """The foot of a letter: four columns of how to reach a company."""
        n = self.rng
        digits = lambda k: "".join(str(n.randint(0, 9)) for _ in range(k))
        columns = [[*self.address()], [f"Tel. +49 {digits(4)} {digits(6)}", f"Fax +49 {digits(4)} {digits(6)}", "info@works.example"],
                   ["Kreditbank", f"IBAN DE{digits(2)} {digits(4)} {digits(4)}", f"BIC KRED{digits(4)}"], [f"HRB {digits(5)}", f"USt-Id DE{digits(9)}", "www.works.example"]]
        return {"k": "columns", "columns": [[{"k": "paragraph", "text": line} for line in column] for column in columns]}

    def index(self, n=14):
        """Entries of an index in two columns."""
        def entries():
            parts = sorted({self.author.voice.take("part") for _ in range(n)})
            return [{"k": "paragraph", "text": f"{part}, {self.rng.randint(2, 60)}"} for part in parts]

        return {"k": "side", "left": entries(), "right": entries()}
