#pragma once

#include "panes/breadcrumbs.h"
#include "panes/elided_label.h"

#include <QToolButton>
#include <QWidget>

class QHBoxLayout;

namespace sunder {

class Pane;

/// The line above a graph: "SOURCE", where one is, and small buttons.
class PaneHeader final : public QWidget {
    Q_OBJECT

public:
    /// Made by its pane, which a dock may take it out of.
    PaneHeader(const QString& title, Pane& pane);
    [[nodiscard]] Pane& pane() const { return m_pane; }
    [[nodiscard]] Breadcrumbs& breadcrumbs() { return *m_breadcrumbs; }
    /// A sentence behind the title. `look`, see setLook(): "hint", "proven", "warning", "error".
    void setStatus(const QString& text, const QString& look, const QString& tip);
    [[nodiscard]] QString status() const { return m_status->line(); }
    [[nodiscard]] QString statusDetail() const { return m_status->tip(); }
    QToolButton* addButton(const QString& icon, const QString& tip);
    /// Puts a widget of the pane's own (tabs, a choice) in front of the buttons.
    void addWidget(QWidget* widget);

signals:
    void doubleClicked();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    Pane& m_pane;
    QHBoxLayout* m_row;
    ElidedLabel* m_status;
    Breadcrumbs* m_breadcrumbs;
};

} // namespace sunder
