#pragma once

#include "canvas/canvas_widget.h"
#include "patience.h"
#include "synthetic_picture.h"

#include <QTest>

namespace sunder::test {

constexpr QSize kView(700, 760);
inline const ItemId kEmbed(0U);
inline const ItemId kFrontRun(1U);
inline const ItemId kLayer(2U);
inline const ItemId kNorm(3U);
inline const ItemId kQuery(4U);
inline const ItemId kKey(5U);
inline const ItemId kValue(6U);
inline const ItemId kScores(7U);
inline const ItemId kHead(12U);

/// A canvas on the layer picture that records all its signals.
struct Canvas {
    Canvas()
    {
        widget.resize(kView);
        widget.setPictureStyle(layerStyle(theme(false)));
        widget.setPicture(scenePictureOf(std::make_shared<const Picture>(layerPicture())));
        widget.show();
        widget.setFocus();
        QVERIFY(QTest::qWaitForWindowExposed(&widget, kHangMs));
        QObject::connect(&widget, &CanvasWidget::selectionRequested, &widget,
                         [this](const std::vector<NodeId>& nodes, SelectionMode mode) {
                             selected = nodes;
                             selectionMode = mode;
                             ++selections;
                         });
        QObject::connect(&widget, &CanvasWidget::strokeExtended, &widget,
                         [this](const std::vector<NodeId>& nodes) { stroke.insert(stroke.end(), nodes.begin(), nodes.end()); });
    }

    [[nodiscard]] QPoint center(ItemId item) const { return widget.viewRectOf(item).center().toPoint(); }
    [[nodiscard]] std::vector<NodeId> nodesOf(ItemId item) const { return widget.scene().item(item).nodes; }
    void click(QPoint at, Qt::KeyboardModifiers modifiers = {}) { QTest::mouseClick(&widget, Qt::LeftButton, modifiers, at); }
    void drag(const std::vector<QPoint>& path, Qt::KeyboardModifiers modifiers = {}, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(&widget, button, modifiers, path.front());
        for (const QPoint at : path) {
            QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, button, modifiers);
            QCoreApplication::sendEvent(&widget, &move);
        }
        QTest::mouseRelease(&widget, button, modifiers, path.back());
    }

    CanvasWidget widget;
    std::vector<NodeId> selected;
    std::vector<NodeId> stroke;
    SelectionMode selectionMode = SelectionMode::replace;
    int selections = 0;
};

} // namespace sunder::test
