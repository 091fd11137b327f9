#pragma once

#include "panes/breadcrumbs.h"

#include <QToolButton>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class PaneHeader;
}

class Pane;

/// The line above a graph: "SOURCE", where one is, and small buttons.
class PaneHeader final : public QWidget {
    Q_OBJECT

public:
    /// Made by its pane, which a dock may take it out of.
    PaneHeader(const QString& title, Pane& pane);
    ~PaneHeader() override;
    [[nodiscard]] Pane& pane() const { return m_pane; }
    [[nodiscard]] Breadcrumbs& breadcrumbs();
    /// A sentence behind the title. `look`, see setLook(): "hint", "proven", "warning", "error".
    void setStatus(const QString& text, const QString& look, const QString& tip);
    [[nodiscard]] QString status() const;
    [[nodiscard]] QString statusDetail() const;
    QToolButton* addButton(const QString& icon, const QString& tip);
    /// Puts a widget of the pane's own (tabs, a choice) in front of the buttons.
    void addWidget(QWidget* widget);

signals:
    void doubleClicked();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    Pane& m_pane;
    std::unique_ptr<Ui::PaneHeader> m_ui;
};

} // namespace sunder
