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

/// The problems as sentences. Activating one leads to its nodes; its buttons apply fixes.
class ProblemsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(Document& document, QWidget* parent = nullptr);
    ~ProblemsPanel() override;
    [[nodiscard]] QListView& view();
    [[nodiscard]] const ProblemModel& model() const { return *m_model; }
    /// Goes to the next (1) or previous (−1) problem, wrapping around, and shows its nodes. Returns its sentence; empty if there
    /// are no problems.
    QString step(int by);

    /// Marks the first problem that blocks a split, or else the first one; the selection stays.
    void markRefused();

signals:
    void repairAllRequested();
    /// Emitted when the last problem was resolved while the list had the focus.
    void emptied();

private:
    void refresh();
    void alignCommands(int least, int most);
    void lead(const QModelIndex& index);
    void showMenu(const QPoint& at);
    void showRepairAll();
    QWidget* makeButtons(const std::vector<Repair>& repairs, const std::vector<BlockedRepair>& blocked);

    Document& m_document;
    ProblemModel* m_model;
    QString m_repairAllTip; ///< while there are fixes
    std::unique_ptr<Ui::ProblemsPanel> m_ui;
};

} // namespace sunder
