#pragma once

#include <QHash>
#include <QString>

namespace sunder {

/// Replaces default shortcuts in a text with the current ones. A shortcut is in parentheses, as in "Split again (Ctrl+Return)",
/// or after a tab, as in menus. A shortcut whose command has none now is removed with its parentheses.
QString withPresentKeys(const QString& text);

/// Sets the current shortcuts by default shortcut, for the whole process. Contains only changed shortcuts; empty for none.
void setPresentKeys(QHash<QString, QString> byFirst);

} // namespace sunder
