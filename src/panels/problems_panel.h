#pragma once

#include "document/document.h"

#include <QListView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class ProblemsPanel;
}

class ProblemModel;

/// Problems as sentences; activating one leads to its nodes, buttons beside it repair it.
class ProblemsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(Document& document, QWidget* parent = nullptr);
    ~ProblemsPanel() override;
    [[nodiscard]] QListView& view();
    [[nodiscard]] const ProblemModel& model() const { return *m_model; }

signals:
    /// The last problem is gone, and the list had the focus.
    void emptied();

private:
    void refresh();
    void showMenu(const QPoint& at);
    QWidget* makeButtons(const Problem& problem);

    Document& m_document;
    ProblemModel* m_model;
    std::unique_ptr<Ui::ProblemsPanel> m_ui;
};

} // namespace sunder
