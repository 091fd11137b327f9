"""Checks the forms of ui/: each opens in Designer, and each widget has a name and can be reached.

    forms_are_sound.py REPOSITORY

A form is named after its class, every buddy and tab stop exists, every class outside Qt is declared with a header of src/, and
every input widget has a name for assistive technology: a text, a buddy label, or an accessible name. Dialogs, panels, and panes do
not lay out widgets in code, except for those below, and each form is used.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

# Widgets without a text. Our subclasses count as their base class.
NAMELESS = {"QLineEdit", "QSpinBox", "QDoubleSpinBox", "QComboBox", "QSlider", "QProgressBar", "QTableView", "QTableWidget",
            "QTreeView", "QTreeWidget", "QListView", "QListWidget", "QPlainTextEdit", "QTextEdit", "QTextBrowser"}
# Widgets that usually have a text.
BUTTONS = {"QCheckBox", "QRadioButton", "QPushButton", "QToolButton"}

LAYOUT = re.compile(r"\bQ(?:HBox|VBox|Grid|Form|Stacked)Layout\b\s*(?:\(|\{|;|\w+\s*[({;])")
# The number of widgets depends on the contents.
BY_HAND = {
    "dialogs/pass_options_dialog.cpp": "one row for each option of a pass",
    "panels/problems_panel.cpp": "one button for each fix of a problem",
    "panes/breadcrumbs.cpp": "one button for each step of a path",
}


def value_of(widget, name):
    """Returns the text of a property of this widget itself, or ''."""
    for entry in widget.findall("property"):
        if entry.get("name") == name:
            return "".join(entry.itertext()).strip()
    return ""


def class_of(path):
    return "sunder::" + "".join(word.capitalize() for word in path.stem.split("_"))


def declared_classes(form, path, sources):
    """Returns base classes by class; adds a fault for each missing header."""
    bases, faults = {}, []
    for entry in form.iterfind("customwidgets/customwidget"):
        name, header = entry.findtext("class", ""), entry.findtext("header", "")
        bases[name] = entry.findtext("extends", "")
        if not header or not (sources / header).is_file():
            faults.append(f"{path}: {name}: src/{header} does not exist")
    return bases, faults


def faults_of(path, sources):
    try:
        form = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        return [f"{path}: {error}"]
    bases, faults = declared_classes(form, path, sources)
    if form.findtext("class") != class_of(path):
        faults.append(f"{path}: its class is {form.findtext('class')}, not {class_of(path)}")
    root = form.find("widget")
    widgets = [] if root is None else list(root.iter("widget"))
    named = {}
    for widget in widgets:
        if widget.get("name") in named:
            faults.append(f"{path}: two widgets are named {widget.get('name')}")
        named[widget.get("name")] = widget
    buddies = {value_of(widget, "buddy") for widget in widgets} - {""}
    faults += [f"{path}: no widget for the buddy {name}" for name in sorted(buddies - named.keys())]
    faults += [f"{path}: no widget for the tab stop {entry.text}" for entry in form.iterfind("tabstops/tabstop")
               if entry.text not in named]
    for name, widget in named.items():
        kind = widget.get("class", "")
        if not kind.startswith("Q") and kind not in bases:
            faults.append(f"{path}: {name}: {kind} is not declared")
        kind = bases.get(kind, kind)
        says = value_of(widget, "accessibleName") or name in buddies or (kind in BUTTONS and value_of(widget, "text"))
        if kind in NAMELESS | BUTTONS and not says:
            faults.append(f"{path}: {name} ({kind}) has neither a label nor an accessible name")
    return faults


def faults_of_sources(sources, forms):
    """Finds layouts made in code, outdated exceptions, and unused forms."""
    texts = {path.relative_to(sources).as_posix(): path.read_text(encoding="utf-8")
             for folder in ("dialogs", "panels", "panes") for path in sorted((sources / folder).rglob("*.cpp"))}
    by_hand = {name for name, text in texts.items() if LAYOUT.search(text)}
    faults = [f"src/{name}: lays out widgets in code; use a form in ui/" for name in sorted(by_hand - BY_HAND.keys())]
    faults += [f"src/{name}: lays out nothing in code; remove it from the list" for name in sorted(BY_HAND.keys() - by_hand)]
    included = {name for text in texts.values() for name in re.findall(r'#include "([\w/]*ui_\w+\.h)"', text)}
    for path in forms:
        header = path.parent.relative_to(sources.parent / "ui") / f"ui_{path.stem}.h"
        if header.as_posix() not in included:
            faults.append(f"{path}: {header} is never included")
    return faults


def main():
    repository = pathlib.Path(sys.argv[1])
    forms = sorted((repository / "ui").rglob("*"))
    faults = [f"{path}: not a form" for path in forms if path.is_file() and path.suffix != ".ui"]
    forms = [path for path in forms if path.suffix == ".ui"]
    if not forms:
        faults.append("no forms found")
    for path in forms:
        faults += faults_of(path, repository / "src")
    faults += faults_of_sources(repository / "src", forms)
    print("\n".join(faults) if faults else f"{len(forms)} forms are sound")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
