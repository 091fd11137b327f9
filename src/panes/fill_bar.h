#pragma once

#include "panes/source_fills.h"

#include <QAction>
#include <QToolBar>

#include <array>

namespace sunder {

/// What fill and wand may be told, in a row above the graph while one of them is in the hand: the scope, and how wide. What does
/// not fit is behind the arrow at its end.
class FillBar final : public QToolBar {
    Q_OBJECT

public:
    FillBar(SourceFills& fills, CanvasWidget& canvas, QWidget* parent);

private:
    void refresh();
    QAction* addStep(const QString& icon, const QString& text, const QString& tip, int by);

    SourceFills& m_fills;
    CanvasWidget& m_canvas;
    QAction* m_narrower;
    QAction* m_wider;
    std::array<QAction*, kFillScopes.size() - 1> m_scopes = {}; ///< without the wand's
};

} // namespace sunder
