#pragma once

#include <QWidget>

namespace sunder {

/// Gives a widget a look of the style sheet: "hint", "proven", "warning", "error", "sectionTitle", "primary" … Forms set it as
/// the dynamic property "look". An empty text restores the default.
void setLook(QWidget& widget, const QString& look);

} // namespace sunder
