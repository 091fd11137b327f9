#pragma once

#include <QHash>
#include <QString>

namespace sunder {

/// Our texts name keys of commands as they are at first, in brackets: "Split again (Ctrl+Return)", or behind a tab, as menus
/// do. The same with the keys that they have now; without the brackets where a command has none.
QString withPresentKeys(const QString& text);

/// By the keys that a command has at first, those that it has now, empty for none; only of commands whose keys are others. Holds
/// for the whole program.
void setPresentKeys(QHash<QString, QString> byFirst);

} // namespace sunder
