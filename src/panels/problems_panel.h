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
    /// Goes to the next problem (1) or the one before (−1), round and round, and leads to what it is about. Its sentence; empty
    /// where there is no problem.
    QString step(int by);

    /// Marks the first row that a split is refused for, else the first one; the selection stays.
    void markRefused();

signals:
    void repairAllRequested();
    /// The last problem is gone, and the list had the focus.
    void emptied();

private:
    void refresh();
    void alignCommands(int least, int most);
    void lead(const QModelIndex& index);
    void showMenu(const QPoint& at);
    QWidget* makeButtons(const std::vector<Repair>& repairs);

    Document& m_document;
    ProblemModel* m_model;
    std::unique_ptr<Ui::ProblemsPanel> m_ui;
};

} // namespace sunder
