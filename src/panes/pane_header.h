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

/// The line above the content of a pane: title, breadcrumbs or status, and small buttons.
class PaneHeader final : public QWidget {
    Q_OBJECT

public:
    /// Created by its pane; a dock may reparent it.
    PaneHeader(const QString& title, Pane& pane);
    ~PaneHeader() override;
    [[nodiscard]] Pane& pane() const { return m_pane; }
    [[nodiscard]] Breadcrumbs& breadcrumbs();
    /// Sets the sentence after the title. `look` is "hint", "proven", "warning", or "error", see setLook().
    void setStatus(const QString& text, const QString& look, const QString& tip);
    [[nodiscard]] QString status() const;
    [[nodiscard]] QString statusDetail() const;
    QToolButton* addButton(const QString& icon, const QString& tip);
    /// Adds a widget of the pane (tabs, a combo box) before the buttons.
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
