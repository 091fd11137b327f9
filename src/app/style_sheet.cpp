#include "app/style_sheet.h"

#include <utility>

namespace sunder {

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.soft);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim);
    palette.setColor(QPalette::Button, theme.soft);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.selection);
    palette.setColor(QPalette::LinkVisited, theme.selection);
    palette.setColor(QPalette::Light, theme.panel);
    palette.setColor(QPalette::Midlight, theme.soft);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.line);
    palette.setColor(QPalette::Shadow, mixed(theme.line, QColor(Qt::black), 0.4));
    palette.setColor(QPalette::Highlight, mixed(theme.panel, theme.selection, 0.16));
    palette.setColor(QPalette::HighlightedText, theme.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, theme.faint);
    return palette;
}

QString styleSheetOf(const Theme& theme)
{
    // @name stands for a colour of the theme.
    QString sheet = QStringLiteral(R"(
QMainWindow, QDialog { background: @window; }
QMenuBar { background: @window; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @soft; }
QMenu { background: @panel; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 8px; border-radius: 4px; }
QMenu::item:selected { background: @highlight; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: 4px 4px; }
QMenu::icon { padding-left: 6px; }
QToolTip { background: @panel; color: @text; border: 1px solid @line; padding: 4px; }

QToolBar { background: @panel; border: none; border-top: 1px solid @line; border-bottom: 1px solid @line;
    spacing: 2px; padding: 5px 8px; }
QToolBar::separator { background: @line; width: 1px; margin: 4px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px; background: transparent; }
QToolButton:hover { background: @soft; }
QToolButton#qt_toolbar_ext_button { padding: 0; }
QToolButton:pressed { background: @line; }
QToolButton:checked { background: @highlight; border-color: @selection; }
QToolButton:checked:disabled { background: transparent; border-color: transparent; }
QToolButton:focus { border-color: @selection; }
QToolButton:checked:focus { border-color: @text; }
QToolButton::menu-indicator { image: none; }
QToolButton#primary, QPushButton:default, QPushButton#primary { background: @selection; color: @onselection;
    border: 1px solid @selection; border-radius: 5px; font-weight: 600; padding: 5px 14px; }
QToolButton#primary:hover, QPushButton:default:hover, QPushButton#primary:hover { background: @selectionhover; }
QToolButton#primary:disabled, QPushButton:default:disabled, QPushButton#primary:disabled {
    background: @soft; color: @faint; border-color: @soft; }
QToolButton#secondary { background: @soft; color: @text; border: 1px solid transparent; border-radius: 5px;
    padding: 5px 14px; margin: 0 2px; font-weight: 600; }
QToolButton#secondary:hover { background: @line; }
QToolButton#secondary:disabled { color: @faint; }
QToolButton#secondary:focus { border-color: @selection; }
QToolButton#primary:focus, QPushButton:default:focus, QPushButton#primary:focus { border-color: @text; }
QPushButton { background: @soft; border: 1px solid @line; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { background: @line; }
QPushButton:disabled { color: @faint; }
QPushButton:focus { border-color: @selection; }
QToolButton#headerChoice { padding: 1px 8px; }
QToolButton#drop { background: @soft; padding: 5px 6px; }
QToolButton#drop:hover { background: @line; }
QToolButton#repair { background: @soft; border: 1px solid @soft; padding: 1px 8px; }
QToolButton#repair:hover, QToolButton#repair:focus { border-color: @selection; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QLineEdit, QComboBox, QAbstractSpinBox { background: @panel; border: 1px solid @field; border-radius: 5px; padding: 4px 8px;
    selection-background-color: @selection; selection-color: @onselection; }
QLineEdit#search { padding-left: 2px; }
QLineEdit:focus, QComboBox:focus, QComboBox:on, QAbstractSpinBox:focus { border-color: @selection; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: @faint; border-color: @line; }
QAbstractItemView QLineEdit { border-radius: 3px; padding: 0 4px; }
QComboBox { combobox-popup: 0; padding-right: 4px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/branch-open-@look.svg); width: 16px; height: 16px; }
QComboBox QAbstractItemView { border: 1px solid @line; padding: 4px; selection-background-color: @highlight;
    selection-color: @text; }
QComboBox QAbstractItemView::item { min-height: 22px; padding: 0 4px; border-radius: 4px; }
QAbstractSpinBox { padding-right: 2px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 18px; border: none;
    background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 2px 2px 0 0; border-top-right-radius: 3px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; border-bottom-right-radius: 3px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @soft; }
QAbstractSpinBox::up-arrow { image: url(:/icons/step-up-@look.svg); width: 8px; height: 8px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/step-down-@look.svg); width: 8px; height: 8px; }

QRadioButton, QCheckBox { outline: 1px solid @selection; outline-radius: 4px; }
QRadioButton::indicator, QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @dim; background: @panel; }
QRadioButton::indicator { border-radius: 7px; }
QCheckBox::indicator { border-radius: 3px; }
QRadioButton::indicator:hover, QCheckBox::indicator:hover, QRadioButton::indicator:focus, QCheckBox::indicator:focus {
    border-color: @selection; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid @selection; background: @onselection; }
QCheckBox::indicator:checked { border-color: @selection; background: @selection; image: url(:/icons/check-@look.svg); }
QRadioButton::indicator:disabled, QCheckBox::indicator:disabled { border-color: @faint; }
QRadioButton::indicator:checked:disabled { border: 4px solid @faint; }
QCheckBox::indicator:checked:disabled { background: @faint; }

QTreeView, QListView, QTableView, QPlainTextEdit { background: @panel; border: 1px solid @panel; outline: none; }
QTreeView:focus, QListView:focus, QTableView:focus, QPlainTextEdit:focus { border-color: @selection; }
QTreeView::item, QListView::item { min-height: 22px; }
QTreeView::item:selected, QListView::item:selected { background: @highlight; color: @text; }
QListView#exports::item { min-height: 24px; padding: 0 4px; border-radius: 4px; }
QTreeView#rows::item { padding: 0 8px; border: none; }
QListView#rail { background: @canvas; padding: 4px 0; border-color: @canvas; }
QListView#rail:focus { border-color: @selection; }
QTreeView#facts { padding-left: 4px; }
QTreeView#facts::item { padding: 0 4px; border: none; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @dim; border: none; padding: 2px 8px; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: @highlight; }
QTreeView::branch:has-children:closed { image: url(:/icons/branch-closed-@look.svg); }
QTreeView::branch:has-children:open { image: url(:/icons/branch-open-@look.svg); }

QTabWidget { background: @panel; }
QTabWidget::pane { border: none; background: @panel; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 5px 10px 4px 10px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @selection; font-weight: 600; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @selection; }

QSplitter::handle { background: @line; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @selection; }
QStatusBar { background: @window; border-top: 1px solid @line; color: @dim; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @dim; padding: 0 4px; }
QProgressBar { background: @soft; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @selection; border-radius: 3px; }
QMessageBox QLabel#qt_msgbox_label, QMessageBox QLabel#qt_msgbox_informativelabel { min-width: 340px; }
QScrollArea { border: none; background: transparent; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QFrame#searchPopup { background: @panel; border: 1px solid @line; border-radius: 5px; }
QWidget#panel { background: @panel; }
QFrame#notice { background: @highlight; border: none; border-bottom: 1px solid @line; }
QFrame#notice QLabel#headline { font-weight: 600; }
QWidget#paneHeader { background: @window; border-bottom: 1px solid @line; }
QLabel#sectionTitle { color: @dim; font-weight: 600; letter-spacing: 0.5px; }
QLabel#hint { color: @dim; }
QLabel#warning { color: @warning; }
QLabel#error { color: @error; }
QLabel#proven { color: @proven; }
QToolButton#segment { padding: 2px 8px; color: @dim; }
QToolButton#segment:checked { color: @text; }
QToolButton#disclosure { padding: 2px 4px; color: @dim; }
QToolButton#disclosure:checked { background: transparent; border-color: transparent; }
QToolButton#disclosure:focus, QToolButton#segment:focus { border-color: @selection; }
QToolButton#segment:checked:focus { border-color: @text; }
QWidget#tiles { background: @window; }
QFrame#tile { background: @panel; border: 1px solid @line; border-radius: 5px; }
QFrame#tile[current="true"] { border-color: @selection; }
QToolButton#crumb { padding: 2px 4px; color: @text; }
QToolButton#crumb:disabled { color: @text; }
)");
    const bool lightSelection = contrast(QColor(Qt::white), theme.selection) < 4;
    const QColor onSelection = lightSelection ? QColor(0x11, 0x14, 0x18) : QColor(Qt::white);
    // Longer names first: "@selection" is the beginning of "@selectionhover".
    const std::pair<const char*, QString> colors[] = {
        {"@selectionhover", mixed(theme.selection, theme.text, 0.12).name()},
        {"@onselection", onSelection.name()},
        {"@selection", theme.selection.name()},
        {"@highlight", mixed(theme.panel, theme.selection, 0.16).name()},
        {"@window", theme.window.name()},
        {"@canvas", theme.canvas.name()},
        {"@panel", theme.panel.name()},
        {"@line", theme.line.name()},
        {"@soft", theme.soft.name()},
        {"@text", theme.text.name()},
        {"@dim", theme.dim.name()},
        {"@faint", theme.faint.name()},
        {"@field", mixed(theme.faint, theme.dim, 0.5).name()}, // 3:1 on windows and panels
        {"@warning", theme.warning.name()},
        {"@error", theme.error.name()},
        {"@proven", theme.proven.name()},
        {"@look", theme.dark ? QStringLiteral("dark") : QStringLiteral("light")},
    };
    for (const auto& [name, value] : colors)
        sheet.replace(QLatin1String(name), value);
    return sheet;
}

} // namespace sunder
