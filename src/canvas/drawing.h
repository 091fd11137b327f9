#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

#include <functional>

namespace sunder {

/// Something that a pane draws that is no picture of a graph, to be written into a file. In pixels at 100 %.
struct Drawing {
    QSizeF size;
    QRectF seen;       ///< part of it that the pane shows
    QColor background;
    std::function<void(QPainter&)> paint; ///< called in another thread: holds all that it needs by value
};

} // namespace sunder
