#pragma once

#include "panes/source_fills.h"

#include <QAction>
#include <QToolBar>

#include <array>

namespace sunder {

/// Tool bar with the options of the fill and wand tools (scope and range), shown over the top of the graph while one of the tools
/// is active. It is an overlay because a layout row would move the graph under the mouse. Actions that do not fit are in the
/// extension menu.
class FillBar final : public QToolBar {
    Q_OBJECT

public:
    /// `parent` is the parent widget of the canvas.
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
    QAction* m_line; ///< separates the steps from the scopes
    std::array<QAction*, kFillScopes.size() - 1> m_scopes = {}; ///< all scopes except the wand's
};

} // namespace sunder
