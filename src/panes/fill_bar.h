#pragma once

#include "panes/source_fills.h"

#include <QAction>
#include <QToolBar>

#include <array>

namespace sunder {

/// What fill and wand may be told, in a row that lies over the top of the graph while one of them is in the hand: the scope, and how
/// wide. It takes no room of the graph, which would move under the mouse. What does not fit is behind the arrow at its end.
class FillBar final : public QToolBar {
    Q_OBJECT

public:
    /// `parent`: what the canvas lies in.
    FillBar(SourceFills& fills, CanvasWidget& canvas, QWidget* parent);

    bool eventFilter(QObject* canvas, QEvent* event) override;

private:
    void place();
    void refresh();
    QAction* addStep(const QString& icon, const QString& text, const QString& tip, int by);

    SourceFills& m_fills;
    CanvasWidget& m_canvas;
    QAction* m_narrower;
    QAction* m_wider;
    QAction* m_line; ///< between those and the scopes
    std::array<QAction*, kFillScopes.size() - 1> m_scopes = {}; ///< without the wand's
};

} // namespace sunder
