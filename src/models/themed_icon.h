#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

class QWidget;

namespace sunder {

/// Makes resources/sunder.qrc available; a static library's resources are not by themselves. Cheap to call again.
void loadResources();

/// One of resources/icons, drawn in the text colour of the theme at the time of painting; dim when disabled.
QIcon themedIcon(const QString& name);

/// The same in a colour that is given, for places that have one ("Split" is white on blue).
QIcon tintedIcon(const QString& name, const QColor& color);

/// Gives each button below `form` the icon that its property "themedIcon" names: so a form says which.
void setThemedIcons(QWidget& form);

/// Draws the icon into `rect` in this colour, sharp at any device pixel ratio.
void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color);

} // namespace sunder
