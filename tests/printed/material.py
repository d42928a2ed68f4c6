"""The words that the printed pages are made of: sentences, headings, warnings and table material of an invented factory.

Everything here was written for this set. Sentences have slots in braces that `fill` replaces. Not for layout.
"""

import random

LANGUAGES = ("en", "de", "fr", "es")

MACHINES = ["KV-210", "TR-45/2", "P100", "HX 3000", "M-Line 8", "DK-77", "S-620", "RAMO 4"]
MAKERS = ["Orvel Works", "Tamber & Sohn", "Lindqvist Pumps", "Hauer Antriebe", "Castellan Motion"]

PARTS = {
    "en": ["shaft seal", "bearing housing", "coupling half", "suction flange", "drain plug", "tension roller", "guide rail",
           "impeller", "gear stage", "filter cartridge", "junction box", "limit switch", "clamping ring", "oil sight glass"],
    "de": ["Wellendichtung", "Lagergehäuse", "Kupplungshälfte", "Saugflansch", "Ablassschraube", "Spannrolle", "Führungsschiene",
           "Laufrad", "Getriebestufe", "Filterpatrone", "Klemmenkasten", "Endschalter", "Spannring", "Ölschauglas"],
    "fr": ["joint d’arbre", "corps de palier", "demi-accouplement", "bride d’aspiration", "bouchon de vidange", "galet tendeur",
           "rail de guidage", "rotor", "étage de réduction", "cartouche filtrante", "boîte à bornes", "bague de serrage"],
    "es": ["sello del eje", "caja del cojinete", "semiacoplamiento", "brida de aspiración", "tapón de vaciado", "rodillo tensor",
           "riel de guía", "rodete", "etapa de engranajes", "cartucho filtrante", "caja de bornes", "anillo de sujeción"],
}

SENTENCES = {
    "en": [
        "The {part} of the {machine} is inspected every {hours} operating hours and replaced when the wear mark is no longer visible.",
        "Before the cover is lifted, the supply is disconnected at the main switch and secured against being switched on again.",
        "A torque of {torque} is sufficient for the {part}; tighten the screws crosswise in two passes.",
        "Lubricate the {part} sparingly, because surplus grease collects dust and shortens the interval to {hours} hours.",
        "The flow rate is read at the local display and must not differ from the set value by more than {percent}.",
        "If the {part} was stored for longer than six months, turn it by hand before the first start.",
        "Ambient temperature, humidity and vibration are recorded by the controller and kept for ninety days.",
        "Spare parts are ordered with the serial number, which is stamped on the plate next to the {part}.",
        "The working pressure of {pressure} refers to clean water at {temperature}; other liquids need a correction.",
        "After the filling, open the vent until liquid without bubbles flows out, and close it again.",
        "The alignment of both shafts is measured cold and checked once more after four hours of operation.",
        "Noise from the {part} is the first sign of a damaged bearing and should be looked into on the same shift.",
        "Waste oil and used filter cartridges are collected separately and handed to an approved disposer.",
        "Each {part} leaves the works with an inspection certificate according to the specification agreed with the customer.",
        "The clearance between rotor and housing is {length}, measured with a feeler gauge at four positions.",
        "Do not connect the {machine} to a network without a residual current device of the sensitive type.",
        "The controller confirms the end of the cycle with a long tone and shows the counted pieces.",
        "Where the floor is uneven, shim plates of {length} are put under the feet before the anchors are tightened.",
        "A first fill of {volume} is enough for the reservoir; check the level after a quarter of an hour.",
        "Cables for signals are laid apart from power cables, with their shield connected at one end only.",
        "In the case of a long standstill, empty the line completely and protect bare surfaces with an oil film.",
        "Only staff who have read this document and were instructed on the machine may work on the {part}.",
        "The difference between both readings is noted in the maintenance book together with the date and the name.",
        "Efficient operation is reached between half load and full load; below that, the finish of the surface suffers.",
        "The offset of the sensor was set in the factory and is not to be changed without a calibrated reference.",
        "A filter that is difficult to pull out is often a sign of swollen sealing rings.",
        "Five test pieces per batch are measured at {temperature}, and the largest deviation counts.",
        "The supplier keeps reserve parts for ten years after the last delivery of the series.",
        "Any modification of the control program has to be signed off by the quality officer.",
        "The {part} may be used again if its sealing surface shows neither scratches nor corrosion.",
        "Unplug the connector first, release the latch with a flat screwdriver and pull the module towards you.",
        "The belt is tensioned correctly when it gives way by {length} under firm pressure of the thumb.",
        "Traces of liquid under the {part} point to a leaking gasket, which is part of the set for the yearly service.",
        "Its rated current of {current} must not be exceeded for longer than ten minutes in an hour.",
        "For transport, both axes are moved to the park position and the clamps are closed.",
        "The reading office files one copy of this report; the second one stays with the machine.",
        "Machines delivered since last spring have a stiffened frame, and their {part} cannot be exchanged with older ones.",
        "It takes about {minutes} minutes until the temperature is stable, and only then do readings count.",
    ],
    "de": [
        "Die {part} der {machine} wird alle {hours} Betriebsstunden geprüft und ersetzt, sobald die Verschleißmarke nicht mehr sichtbar ist.",
        "Vor dem Abnehmen der Haube wird die Versorgung am Hauptschalter getrennt und gegen Wiedereinschalten gesichert.",
        "Ein Anzugsmoment von {torque} genügt; die Schrauben werden über Kreuz in zwei Durchgängen angezogen.",
        "Der Durchfluss wird an der Anzeige abgelesen und darf höchstens um {percent} vom Sollwert abweichen.",
        "Ersatzteile werden mit der Seriennummer bestellt, die auf dem Typenschild eingeschlagen ist.",
        "Der Betriebsdruck von {pressure} gilt für sauberes Wasser bei {temperature}; andere Flüssigkeiten erfordern eine Korrektur.",
        "Nach dem Befüllen wird die Entlüftung geöffnet, bis die Flüssigkeit blasenfrei austritt, und danach wieder geschlossen.",
        "Die Ausrichtung beider Wellen wird kalt gemessen und nach vier Stunden Betrieb noch einmal kontrolliert.",
        "Altöl und gebrauchte Filterpatronen werden getrennt gesammelt und einem zugelassenen Entsorger übergeben.",
        "Signalleitungen werden getrennt von Leistungskabeln verlegt, ihr Schirm wird nur an einem Ende aufgelegt.",
        "Bei längerem Stillstand wird die Leitung vollständig entleert und blanke Flächen werden mit einem Ölfilm geschützt.",
        "Nur eingewiesenes Personal, das dieses Dokument gelesen hat, darf an der Anlage arbeiten.",
        "Für die Erstbefüllung des Behälters reichen {volume}; der Füllstand wird nach einer Viertelstunde überprüft.",
        "Geräusche aus dem Lagergehäuse sind das erste Zeichen eines Schadens und werden noch in derselben Schicht untersucht.",
        "Das Spiel zwischen Laufrad und Gehäuse beträgt {length} und wird an vier Stellen mit der Fühlerlehre gemessen.",
        "Der Nennstrom von {current} darf nicht länger als zehn Minuten je Stunde überschritten werden.",
        "Die Abweichung beider Messungen wird mit Datum und Name im Wartungsbuch festgehalten.",
        "Eine Änderung des Steuerungsprogramms muss von der Qualitätsstelle freigegeben werden.",
        "Undichte Stellen erkennt man an Flüssigkeitsspuren unter der Dichtung, die zum jährlichen Wartungssatz gehört.",
        "Es dauert etwa {minutes} Minuten, bis die Temperatur stabil ist; erst dann zählen die Messwerte.",
    ],
    "fr": [
        "La {part} de la {machine} est contrôlée toutes les {hours} heures de service et remplacée dès que le repère d’usure n’est plus visible.",
        "Avant de déposer le capot, coupez l’alimentation à l’interrupteur principal et verrouillez-le contre toute remise en marche.",
        "Un couple de {torque} suffit ; les vis sont serrées en croix et en deux passes.",
        "Le débit se lit sur l’afficheur local et ne doit pas s’écarter de plus de {percent} de la valeur de consigne.",
        "Les pièces de rechange se commandent avec le numéro de série frappé sur la plaque signalétique.",
        "La pression de service de {pressure} s’entend pour de l’eau propre à {temperature} ; les autres liquides exigent une correction.",
        "Après le remplissage, ouvrez le purgeur jusqu’à ce que le liquide s’écoule sans bulles, puis refermez-le.",
        "L’alignement des deux arbres est mesuré à froid et vérifié de nouveau après quatre heures de fonctionnement.",
        "Les huiles usagées et les cartouches filtrantes sont collectées séparément et remises à un organisme agréé.",
        "Les câbles de signaux sont posés à l’écart des câbles de puissance et leur blindage n’est relié qu’à une extrémité.",
        "En cas d’arrêt prolongé, videz complètement la conduite et protégez les surfaces nues par un film d’huile.",
        "Seul le personnel formé ayant lu ce document est autorisé à intervenir sur l’installation.",
        "Un premier remplissage de {volume} suffit pour le réservoir ; contrôlez le niveau après un quart d’heure.",
        "Le jeu entre le rotor et le corps est de {length}, mesuré à quatre endroits avec une jauge d’épaisseur.",
        "Le courant nominal de {current} ne doit pas être dépassé pendant plus de dix minutes par heure.",
        "Toute modification du programme de commande doit être validée par le service qualité.",
        "Il faut environ {minutes} minutes pour que la température se stabilise ; les mesures ne comptent qu’ensuite.",
    ],
    "es": [
        "La {part} de la {machine} se revisa cada {hours} horas de servicio y se sustituye cuando la marca de desgaste ya no es visible.",
        "Antes de retirar la tapa se desconecta la alimentación en el interruptor principal y se bloquea contra una nueva conexión.",
        "Un par de apriete de {torque} es suficiente; los tornillos se aprietan en cruz y en dos pasadas.",
        "El caudal se lee en la pantalla local y no debe apartarse más de {percent} del valor de consigna.",
        "Los repuestos se piden con el número de serie que está grabado en la placa de características.",
        "La presión de servicio de {pressure} se refiere a agua limpia a {temperature}; otros líquidos exigen una corrección.",
        "Después del llenado se abre el purgador hasta que el líquido salga sin burbujas y se vuelve a cerrar.",
        "La alineación de ambos ejes se mide en frío y se comprueba otra vez tras cuatro horas de funcionamiento.",
        "El aceite usado y los cartuchos filtrantes se recogen por separado y se entregan a un gestor autorizado.",
        "Los cables de señal se tienden separados de los cables de potencia y su blindaje se conecta en un solo extremo.",
        "Si la parada es larga, vacíe por completo la tubería y proteja las superficies desnudas con una película de aceite.",
        "Solo el personal instruido que haya leído este documento puede trabajar en la instalación.",
        "Para el primer llenado del depósito bastan {volume}; el nivel se controla al cabo de un cuarto de hora.",
        "El juego entre el rodete y la carcasa es de {length} y se mide en cuatro puntos con una galga.",
        "La corriente nominal de {current} no debe superarse durante más de diez minutos por hora.",
        "Toda modificación del programa de control debe ser aprobada por el departamento de calidad.",
        "La temperatura tarda unos {minutes} minutos en estabilizarse; solo entonces cuentan las mediciones.",
    ],
}

STEPS = {
    "en": [
        "Switch off the drive at the main switch and wait until the display is dark.",
        "Close both shut-off valves and open the drain plug at the lowest point.",
        "Loosen the four screws of the cover with a 6 mm key and lift the cover off straight.",
        "Clean the sealing surface with a lint-free cloth and a little spirit.",
        "Put the new seal in with the lip facing the liquid; do not use any tool with an edge.",
        "Tighten the screws crosswise to {torque} and mark them with paint.",
        "Refill {volume} of the prescribed oil and check the level in the sight glass.",
        "Open the suction valve slowly and bleed the housing.",
        "Start the drive, watch the pressure for five minutes and compare it with the plate.",
        "Enter the exchange in the maintenance book with date, hours and name.",
        "Check the direction of rotation with a short pulse of the start button.",
        "Move the axis to its reference position and confirm with the green key.",
        "Fit the guard again and try the interlock before the line is released.",
    ],
    "de": [
        "Den Antrieb am Hauptschalter ausschalten und warten, bis die Anzeige dunkel ist.",
        "Beide Absperrventile schließen und die Ablassschraube am tiefsten Punkt öffnen.",
        "Die vier Schrauben der Haube mit einem 6-mm-Schlüssel lösen und die Haube gerade abheben.",
        "Die Dichtfläche mit einem fusselfreien Tuch und etwas Spiritus reinigen.",
        "Die neue Dichtung mit der Lippe zur Flüssigkeit einsetzen; kein scharfes Werkzeug verwenden.",
        "Die Schrauben über Kreuz mit {torque} anziehen und mit Farbe markieren.",
        "{volume} des vorgeschriebenen Öls einfüllen und den Stand im Schauglas prüfen.",
        "Den Antrieb starten und den Druck fünf Minuten lang beobachten.",
        "Den Tausch mit Datum, Stunden und Name in das Wartungsbuch eintragen.",
    ],
    "fr": [
        "Arrêter l’entraînement à l’interrupteur principal et attendre que l’afficheur soit éteint.",
        "Fermer les deux vannes d’arrêt et ouvrir le bouchon de vidange au point le plus bas.",
        "Desserrer les quatre vis du capot avec une clé de 6 mm et soulever le capot bien droit.",
        "Nettoyer la portée du joint avec un chiffon non pelucheux et un peu d’alcool.",
        "Monter le joint neuf avec la lèvre vers le liquide, sans outil tranchant.",
        "Serrer les vis en croix à {torque} et les marquer à la peinture.",
        "Verser {volume} de l’huile prescrite et contrôler le niveau au voyant.",
        "Noter le remplacement avec la date, les heures et le nom dans le carnet d’entretien.",
    ],
    "es": [
        "Apagar el accionamiento en el interruptor principal y esperar a que la pantalla quede oscura.",
        "Cerrar las dos válvulas de cierre y abrir el tapón de vaciado en el punto más bajo.",
        "Aflojar los cuatro tornillos de la tapa con una llave de 6 mm y levantarla recta.",
        "Limpiar la superficie de cierre con un paño sin pelusa y un poco de alcohol.",
        "Colocar el sello nuevo con el labio hacia el líquido, sin herramientas cortantes.",
        "Apretar los tornillos en cruz a {torque} y marcarlos con pintura.",
        "Llenar {volume} del aceite prescrito y comprobar el nivel en la mirilla.",
        "Anotar el cambio con fecha, horas y nombre en el libro de mantenimiento.",
    ],
}

SUBSTEPS = {
    "en": ["Use the short key from the tool kit.", "Keep the screws; they are needed again.", "Wear gloves resistant to oil.",
           "Note the position of the shim plates.", "The latch clicks audibly."],
    "de": ["Den kurzen Schlüssel aus dem Werkzeugsatz verwenden.", "Die Schrauben aufbewahren; sie werden wieder gebraucht.",
           "Ölfeste Handschuhe tragen.", "Die Lage der Passscheiben notieren."],
    "fr": ["Utiliser la clé courte de la trousse.", "Conserver les vis, elles resserviront.", "Porter des gants résistant à l’huile."],
    "es": ["Usar la llave corta del juego.", "Guardar los tornillos, se necesitan de nuevo.", "Llevar guantes resistentes al aceite."],
}

BULLETS = {
    "en": ["lint-free cloths and spirit", "torque wrench from 5 to 60 Nm", "feeler gauge, 0.05 to 1 mm", "one set of sealing rings",
           "protective goggles and gloves", "collecting tray for at least 3 litres", "printed copy of the inspection sheet",
           "two shackles of the lifting class 2 t", "hand lamp with protective cage"],
    "de": ["fusselfreie Tücher und Spiritus", "Drehmomentschlüssel von 5 bis 60 Nm", "Fühlerlehre, 0,05 bis 1 mm", "ein Satz Dichtringe",
           "Schutzbrille und Handschuhe", "Auffangwanne für mindestens 3 Liter"],
    "fr": ["chiffons non pelucheux et alcool", "clé dynamométrique de 5 à 60 Nm", "jauge d’épaisseur, 0,05 à 1 mm", "un jeu de joints",
           "lunettes de protection et gants"],
    "es": ["paños sin pelusa y alcohol", "llave dinamométrica de 5 a 60 Nm", "galga de 0,05 a 1 mm", "un juego de juntas",
           "gafas de protección y guantes"],
}

# Grade, signal word as printed, text.
WARNINGS = {
    "en": [
        ("danger", "DANGER", "Lethal voltage behind this cover. Disconnect the supply and wait ten minutes before opening it."),
        ("danger", "DANGER", "Crushing of limbs by the lowering tool. Support the tool with the beam before anybody reaches in."),
        ("warning", "WARNING", "Hot surfaces up to {temperature}. Let the housing cool down and wear heat-resistant gloves."),
        ("warning", "WARNING", "Liquid under pressure may injure eyes and skin. Relieve the line before a fitting is loosened."),
        ("warning", "WARNING", "Suspended load. Nobody may stand below the hoist while the rotor is being lifted."),
        ("caution", "CAUTION", "Sharp burrs on the edges of the sheet. Wear cut-resistant gloves."),
        ("caution", "CAUTION", "Spilled oil makes the floor slippery. Put the collecting tray in place first."),
        ("notice", "NOTICE", "Dry running destroys the seal within a minute. Fill the housing before every start."),
        ("notice", "NOTICE", "A torque above {torque} strips the thread of the aluminium housing."),
        ("note", "Note", "The set for the yearly service contains all rings that are mentioned here."),
        ("note", "Note", "Two persons save a quarter of an hour, because the cover needs not be put down."),
    ],
    "de": [
        ("danger", "GEFAHR", "Lebensgefährliche Spannung hinter dieser Haube. Versorgung trennen und zehn Minuten warten."),
        ("warning", "WARNUNG", "Heiße Oberflächen bis {temperature}. Gehäuse abkühlen lassen und Schutzhandschuhe tragen."),
        ("warning", "WARNUNG", "Flüssigkeit unter Druck kann Augen und Haut verletzen. Leitung vor dem Lösen entlasten."),
        ("caution", "VORSICHT", "Scharfe Grate an den Blechkanten. Schnittfeste Handschuhe tragen."),
        ("notice", "HINWEIS", "Trockenlauf zerstört die Dichtung innerhalb einer Minute. Gehäuse vor jedem Start füllen."),
        ("note", "Tipp", "Zu zweit geht es eine Viertelstunde schneller, weil die Haube nicht abgelegt werden muss."),
    ],
    "fr": [
        ("danger", "DANGER", "Tension mortelle derrière ce capot. Couper l’alimentation et attendre dix minutes avant de l’ouvrir."),
        ("warning", "AVERTISSEMENT", "Surfaces chaudes jusqu’à {temperature}. Laisser refroidir le corps et porter des gants."),
        ("caution", "ATTENTION", "Bavures coupantes sur les bords de la tôle. Porter des gants anti-coupures."),
        ("notice", "AVIS", "La marche à sec détruit le joint en une minute. Remplir le corps avant chaque démarrage."),
        ("note", "Remarque", "À deux, on gagne un quart d’heure car le capot n’a pas besoin d’être posé."),
    ],
    "es": [
        ("danger", "PELIGRO", "Tensión mortal detrás de esta tapa. Desconectar la alimentación y esperar diez minutos."),
        ("warning", "ADVERTENCIA", "Superficies calientes hasta {temperature}. Dejar enfriar la carcasa y llevar guantes."),
        ("caution", "ATENCIÓN", "Rebabas cortantes en los bordes de la chapa. Llevar guantes anticorte."),
        ("notice", "AVISO", "La marcha en seco destruye el sello en un minuto. Llenar la carcasa antes de cada arranque."),
        ("note", "Nota", "Entre dos personas se ahorra un cuarto de hora porque no hay que dejar la tapa en el suelo."),
    ],
}

# A chapter and its sections, for manuals.
CHAPTERS = {
    "en": [
        ("About this manual", ["Who should read it", "Symbols and signal words", "Further documents"]),
        ("Safety", ["Intended use", "Residual risks", "Protective equipment", "Behaviour in an emergency"]),
        ("Description", ["Design of the machine", "How it works", "Name plate", "Scope of delivery"]),
        ("Transport and storage", ["Unpacking", "Lifting points", "Long storage"]),
        ("Installation", ["Foundation", "Alignment", "Electrical connection", "Pipe connection"]),
        ("Operation", ["First start", "Daily operation", "Standstill", "Operating modes of the controller"]),
        ("Maintenance", ["Maintenance plan", "Exchange of the shaft seal", "Lubrication", "Cleaning the filter"]),
        ("Faults and remedies", ["Reading the fault memory", "Table of faults", "Customer service"]),
        ("Technical data", ["Dimensions and weights", "Operating limits", "Tightening torques", "Electrical data"]),
        ("Disposal", ["Dismantling", "Materials"]),
    ],
    "de": [
        ("Zu dieser Anleitung", ["Zielgruppe", "Symbole und Signalwörter"]),
        ("Sicherheit", ["Bestimmungsgemäße Verwendung", "Restgefahren", "Schutzausrüstung"]),
        ("Aufbau und Funktion", ["Aufbau der Maschine", "Arbeitsweise", "Typenschild"]),
        ("Montage", ["Fundament", "Ausrichten der Wellen", "Elektrischer Anschluss"]),
        ("Betrieb", ["Erste Inbetriebnahme", "Täglicher Betrieb", "Stillsetzen"]),
        ("Wartung", ["Wartungsplan", "Tausch der Wellendichtung", "Schmierung"]),
        ("Störungen", ["Störspeicher auslesen", "Störungstabelle"]),
        ("Technische Daten", ["Maße und Gewichte", "Einsatzgrenzen", "Anzugsmomente"]),
    ],
    "fr": [
        ("Sécurité", ["Utilisation conforme", "Risques résiduels", "Équipement de protection"]),
        ("Description", ["Construction de la machine", "Principe de fonctionnement"]),
        ("Installation", ["Fondation", "Alignement des arbres", "Raccordement électrique"]),
        ("Utilisation", ["Première mise en service", "Service quotidien", "Mise à l’arrêt"]),
        ("Entretien", ["Plan d’entretien", "Remplacement du joint d’arbre", "Lubrification"]),
        ("Caractéristiques techniques", ["Dimensions et masses", "Limites d’emploi", "Couples de serrage"]),
    ],
    "es": [
        ("Seguridad", ["Uso previsto", "Riesgos residuales", "Equipo de protección"]),
        ("Descripción", ["Construcción de la máquina", "Modo de funcionamiento"]),
        ("Instalación", ["Cimentación", "Alineación de los ejes", "Conexión eléctrica"]),
        ("Funcionamiento", ["Primera puesta en marcha", "Servicio diario", "Parada"]),
        ("Mantenimiento", ["Plan de mantenimiento", "Cambio del sello del eje", "Lubricación"]),
        ("Datos técnicos", ["Dimensiones y pesos", "Límites de uso", "Pares de apriete"]),
    ],
}

WORDS = {
    "en": {"manual": "Operating manual", "table": "Table", "figure": "Figure", "page": "Page", "of": "of", "contents": "Contents",
           "part": "Part", "number": "Part number", "quantity": "Quantity", "total": "Total", "material": "Material", "tools": "Have the following at hand:",
           "follow": "Proceed as follows:", "value": "Value", "property": "Property", "unit": "Unit", "limits": "Limits", "min": "min.", "max": "max.",
           "fault": "Fault", "cause": "Cause", "remedy": "Remedy", "size": "Size", "torque": "Torque in Nm", "strength": "Strength class",
           "interval": "Interval", "work": "Work", "drawing": "View from the drive side", "step": "Step", "chapter": "Chapter"},
    "de": {"manual": "Betriebsanleitung", "table": "Tabelle", "figure": "Abbildung", "page": "Seite", "of": "von", "contents": "Inhalt",
           "part": "Teil", "number": "Teilenummer", "quantity": "Menge", "total": "Summe", "material": "Werkstoff", "tools": "Folgendes wird benötigt:",
           "follow": "So gehen Sie vor:", "value": "Wert", "property": "Eigenschaft", "unit": "Einheit", "limits": "Grenzwerte", "min": "min.", "max": "max.",
           "fault": "Störung", "cause": "Ursache", "remedy": "Abhilfe", "size": "Größe", "torque": "Moment in Nm", "strength": "Festigkeitsklasse",
           "interval": "Intervall", "work": "Tätigkeit", "drawing": "Ansicht von der Antriebsseite", "step": "Schritt", "chapter": "Kapitel"},
    "fr": {"manual": "Notice d’utilisation", "table": "Tableau", "figure": "Figure", "page": "Page", "of": "sur", "contents": "Sommaire",
           "part": "Pièce", "number": "Référence", "quantity": "Quantité", "total": "Total", "material": "Matière", "tools": "Préparez le matériel suivant :",
           "follow": "Procédez ainsi :", "value": "Valeur", "property": "Propriété", "unit": "Unité", "limits": "Limites", "min": "min.", "max": "max.",
           "fault": "Défaut", "cause": "Cause", "remedy": "Remède", "size": "Taille", "torque": "Couple en Nm", "strength": "Classe",
           "interval": "Intervalle", "work": "Travail", "drawing": "Vue du côté entraînement", "step": "Étape", "chapter": "Chapitre"},
    "es": {"manual": "Manual de instrucciones", "table": "Tabla", "figure": "Figura", "page": "Página", "of": "de", "contents": "Índice",
           "part": "Pieza", "number": "Referencia", "quantity": "Cantidad", "total": "Total", "material": "Material", "tools": "Se necesita lo siguiente:",
           "follow": "Proceda de este modo:", "value": "Valor", "property": "Propiedad", "unit": "Unidad", "limits": "Límites", "min": "mín.", "max": "máx.",
           "fault": "Fallo", "cause": "Causa", "remedy": "Solución", "size": "Tamaño", "torque": "Par en Nm", "strength": "Clase",
           "interval": "Intervalo", "work": "Trabajo", "drawing": "Vista desde el lado de accionamiento", "step": "Paso", "chapter": "Capítulo"},
}

FAULTS = {
    "en": [
        ("Drive does not start", "Main fuse has blown, or the emergency stop is still pressed", "Replace the fuse; release the stop and acknowledge"),
        ("Pressure too low", "Suction filter is clogged", "Clean the filter and bleed the housing"),
        ("Housing becomes hot", "Valve on the pressure side is closed", "Open the valve by at least a quarter"),
        ("Unusual noise", "Bearing damaged or shafts out of line", "Measure the alignment; exchange the bearing of the drive side where the clearance is above the limit"),
        ("Oil leaks out", "Seal worn", "Exchange the seal"),
        ("Display shows E-17", "Encoder cable interrupted", "Check plug X4 and the cable for kinks"),
        ("Speed fluctuates", "Belt is slack", "Tension the belt to the mark"),
        ("Motor protection trips", "Load too high for the set ramp, or one phase is missing", "Lengthen the ramp; measure all three phases at the terminals"),
    ],
    "de": [
        ("Antrieb läuft nicht an", "Hauptsicherung ausgelöst oder Not-Halt noch gedrückt", "Sicherung ersetzen; Not-Halt lösen und quittieren"),
        ("Druck zu niedrig", "Saugfilter verstopft", "Filter reinigen und Gehäuse entlüften"),
        ("Gehäuse wird heiß", "Ventil auf der Druckseite geschlossen", "Ventil mindestens zu einem Viertel öffnen"),
        ("Ungewöhnliches Geräusch", "Lager beschädigt oder Wellen nicht ausgerichtet", "Ausrichtung messen und das Lager der Antriebsseite tauschen"),
        ("Öl tritt aus", "Dichtung verschlissen", "Dichtung tauschen"),
    ],
    "fr": [
        ("L’entraînement ne démarre pas", "Fusible principal fondu ou arrêt d’urgence encore enfoncé", "Remplacer le fusible ; déverrouiller et acquitter"),
        ("Pression trop faible", "Filtre d’aspiration colmaté", "Nettoyer le filtre et purger le corps"),
        ("Le corps chauffe", "Vanne de refoulement fermée", "Ouvrir la vanne d’au moins un quart"),
        ("Fuite d’huile", "Joint usé", "Remplacer le joint"),
    ],
    "es": [
        ("El accionamiento no arranca", "Fusible principal fundido o parada de emergencia pulsada", "Cambiar el fusible; soltar la parada y confirmar"),
        ("Presión demasiado baja", "Filtro de aspiración obstruido", "Limpiar el filtro y purgar la carcasa"),
        ("La carcasa se calienta", "Válvula de impulsión cerrada", "Abrir la válvula al menos un cuarto"),
        ("Fuga de aceite", "Sello desgastado", "Cambiar el sello"),
    ],
}

FOOTNOTES = {
    "en": ["Measured at the flange, not at the display.", "Valid from serial number 4 200 onwards.", "Not for devices with the option H2.",
           "According to the test report of the works."],
    "de": ["Am Flansch gemessen, nicht an der Anzeige.", "Gültig ab Seriennummer 4 200."],
    "fr": ["Mesuré à la bride, non sur l’afficheur.", "Valable à partir du numéro de série 4 200."],
    "es": ["Medido en la brida, no en la pantalla.", "Válido a partir del número de serie 4 200."],
}

CODE = [
    "CONNECT 10.0.4.7 PORT 502\nREAD HOLDING 40101 COUNT 2\nIF ALARM THEN\n    STOP AXIS X\nEND",
    "# set point of the heater\nheater.target = 62.5\nheater.ramp_seconds = 180\nheater.on_fault = 'stop'",
    "G21 G90\nG0 X0 Y0 Z5\nG1 Z-1.5 F120\nG1 X40 Y25 F600\nM5",
    "$ diag --port 2 --verbose\nencoder   ok     4096\ndrive     ok     3.2 A\nheater    fault  E-17",
]

# Where words may be broken, for the pages that are justified and hyphenated.
BREAKS = {
    "en": "op-er-at-ing dis-con-nect-ed se-cured suf-fi-cient com-plete-ly in-spect-ed tem-per-a-ture hu-mid-i-ty vi-bra-tion con-trol-ler "
          "cor-rec-tion cor-ro-sion align-ment main-te-nance to-geth-er ef-fi-cient sur-face cal-i-brat-ed ref-er-ence dif-fi-cult de-vi-a-tion "
          "mod-i-fi-ca-tion pro-gram con-nec-tor screw-driv-er trans-port ma-chines de-liv-ered ex-changed sta-ble read-ings car-tridges "
          "sep-a-rate-ly ap-proved cer-tifi-cate spec-i-fi-ca-tion cus-tom-er po-si-tions res-er-voir pro-tect dam-aged pres-sure liq-uid "
          "in-ter-val vis-i-ble re-placed lu-bri-cate sup-pli-er re-serve se-ries offi-cer in-struct-ed doc-u-ment ca-bles sig-nals",
    "de": "Be-triebs-stun-den Ver-schleiß-mar-ke Haupt-schal-ter Wie-der-ein-schal-ten ge-si-chert An-zugs-mo-ment Schrau-ben Durch-gän-gen "
          "Durch-fluss Soll-wert ab-wei-chen Er-satz-tei-le Se-ri-en-num-mer Ty-pen-schild Be-triebs-druck Flüs-sig-kei-ten er-for-dern Kor-rek-tur "
          "Ent-lüf-tung bla-sen-frei ge-schlos-sen Aus-rich-tung kon-trol-liert Fil-ter-pa-tro-nen zu-ge-las-se-nen Ent-sor-ger Si-gnal-lei-tun-gen "
          "Leis-tungs-ka-beln voll-stän-dig ein-ge-wie-se-nes Per-so-nal Erst-be-fül-lung Be-häl-ters Vier-tel-stun-de La-ger-ge-häu-se un-ter-sucht "
          "Fühler-leh-re Ab-wei-chung Mes-sun-gen War-tungs-buch Steue-rungs-pro-gramms Qua-li-täts-stel-le frei-ge-ge-ben Dich-tung Tem-pe-ra-tur Mess-wer-te",
    "fr": "con-trô-lée rem-pla-cée ali-men-ta-tion in-ter-rup-teur prin-ci-pal ver-rouil-lez af-fi-cheur con-si-gne com-man-dent si-gna-lé-tique "
          "pres-sion cor-rec-tion rem-plis-sage ali-gne-ment fonc-tion-ne-ment car-tou-ches fil-trantes col-lec-tées sé-pa-ré-ment or-ga-nisme "
          "puis-sance ex-tré-mi-té pro-lon-gé com-plè-te-ment pro-té-gez per-son-nel au-to-ri-sé in-ter-ve-nir ins-tal-la-tion ré-ser-voir mo-di-fi-ca-tion "
          "pro-gramme tem-pé-ra-ture sta-bi-lise",
    "es": "sus-ti-tu-ye des-gas-te des-co-nec-ta ali-men-ta-ción in-te-rrup-tor prin-ci-pal co-ne-xión su-fi-cien-te tor-ni-llos con-sig-na re-pues-tos "
          "ca-rac-te-rís-ti-cas pre-sión lí-qui-dos co-rrec-ción pur-ga-dor ali-nea-ción fun-cio-na-mien-to car-tu-chos fil-tran-tes se-pa-ra-do au-to-ri-za-do "
          "po-ten-cia blin-da-je com-ple-to tu-be-ría su-per-fi-cies pe-lí-cu-la per-so-nal ins-trui-do do-cu-men-to ins-ta-la-ción mo-di-fi-ca-ción "
          "de-par-ta-men-to tem-pe-ra-tu-ra es-ta-bi-li-zar-se me-di-cio-nes",
}
HYPHENATED = {lang: {word.replace("-", ""): word.split("-") for word in words.split()} for lang, words in BREAKS.items()}
SOFT_HYPHEN = "\u00ad"


def decimal(lang, number, digits=1):
    """A number as the language writes it."""
    text = f"{number:.{digits}f}"
    return text if lang == "en" else text.replace(".", ",")


def fill(rng, lang, template, machine):
    """Replaces the slots of a sentence."""
    values = {
        "part": rng.choice(PARTS[lang]),
        "machine": machine,
        "hours": str(rng.choice([250, 500, 800, 1200, 2000, 4000])),
        "torque": f"{rng.choice([9, 12, 22, 25, 45, 79])} Nm",
        "percent": f"{rng.choice([2, 3, 5, 8])} %",
        "pressure": f"{decimal(lang, rng.choice([2.5, 4.0, 6.3, 10.0]))} bar",
        "temperature": f"{rng.choice([20, 45, 60, 80, 110])} °C",
        "length": f"{decimal(lang, rng.choice([0.05, 0.2, 0.35, 1.5]), 2)} mm",
        "volume": f"{decimal(lang, rng.choice([0.8, 1.5, 2.2, 3.5]))} l",
        "current": f"{decimal(lang, rng.choice([3.2, 6.5, 12.0, 16.0]))} A",
        "minutes": str(rng.choice([5, 10, 15, 20, 30])),
    }
    text = template.format_map(values)
    return text[0].upper() + text[1:]


def break_softly(lang, text):
    """Puts soft hyphens into the words that may be broken."""
    table = HYPHENATED[lang]

    def one(word):
        core = word.strip(".,;:()’")
        if core not in table and core.lower() not in table:
            return word
        pieces = table.get(core) or table[core.lower()]
        at, out = word.find(core), []
        for piece in pieces:
            out.append(core[: len(piece)])
            core = core[len(piece) :]
        return word[:at] + SOFT_HYPHEN.join(out) + word[at + sum(map(len, out)) :]

    return " ".join(one(word) for word in text.split(" "))


class Bag:
    """Gives the items of a list in a shuffled order, each once before any comes again."""

    def __init__(self, rng, items):
        self.rng, self.items, self.left = rng, list(items), []

    def take(self):
        """The next one."""
        if not self.left:
            self.left = self.items[:]
            self.rng.shuffle(self.left)
        return self.left.pop()


class Voice:
    """The material in one language for one document: no sentence comes twice before all have come."""

    def __init__(self, rng: random.Random, lang, machine, soft=False):
        self.rng, self.lang, self.machine, self.soft = rng, lang, machine, soft
        self.words = WORDS[lang]
        self.bags = {name: Bag(rng, table[lang]) for name, table in (
            ("sentence", SENTENCES), ("step", STEPS), ("substep", SUBSTEPS), ("bullet", BULLETS), ("fault", FAULTS),
            ("footnote", FOOTNOTES), ("part", PARTS))}
        self.warnings = {}

    def say(self, text):
        """Fills a template."""
        return fill(self.rng, self.lang, text, self.machine)

    def sentence(self):
        """One sentence."""
        return self.say(self.bags["sentence"].take())

    def paragraph(self, n=None):
        """Some sentences."""
        text = " ".join(self.sentence() for _ in range(n or self.rng.randint(2, 4)))
        return break_softly(self.lang, text) if self.soft else text

    def take(self, name):
        """One item of a list, filled."""
        item = self.bags[name].take()
        return self.say(item) if isinstance(item, str) and name != "part" and name != "bullet" else item

    def warning(self, grade=None):
        """Grade, signal word and text of a warning."""
        bag = self.warnings.setdefault(grade, Bag(self.rng, [w for w in WARNINGS[self.lang] if grade in (None, w[0])]))
        grade, word, text = bag.take()
        return grade, word, self.say(text)
