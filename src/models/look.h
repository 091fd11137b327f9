#pragma once

#include <QWidget>

namespace sunder {

/// Gives a widget one of the looks that the style sheet knows: "hint", "proven", "warning", "error", "sectionTitle", "primary" …
/// Forms say it as the dynamic property "look". An empty one is the usual look.
void setLook(QWidget& widget, const QString& look);

} // namespace sunder
