#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

class QWidget;

namespace sunder {

/// Registers resources/sunder.qrc, which a static library does not do by itself. Cheap to call again.
void loadResources();

/// Returns an icon of resources/icons, drawn in the theme's text color at the time of painting; dimmed when disabled.
QIcon themedIcon(const QString& name);

/// Returns the icon in a fixed color, e.g. for "Split", which is white on blue.
QIcon tintedIcon(const QString& name, const QColor& color);

/// Sets the icons of all buttons below `form` from their property "themedIcon".
void setThemedIcons(QWidget& form);

/// Draws an icon into `rect` in this color, sharp at any device pixel ratio.
void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color);

} // namespace sunder
