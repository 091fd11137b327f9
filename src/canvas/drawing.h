#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

#include <functional>

namespace sunder {

/// Something that a pane draws other than a graph, for export to a file. In pixels at 100%.
struct Drawing {
    QSizeF size;
    QRectF seen;       ///< part that is visible in the pane
    QColor background;
    std::function<void(QPainter&)> paint; ///< called in another thread; captures everything by value
};

} // namespace sunder
