#pragma once

#include "document/document.h"
#include "jobs/jobs.h"
#include "models/balance_model.h"

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class BalanceDialog;
}

/// Dialog of "Balance…": searches for the cut with the fastest slowest device in the background and previews it before it is
/// applied as one undo step.
class BalanceDialog final : public QDialog {
    Q_OBJECT

public:
    BalanceDialog(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~BalanceDialog() override;

    /// Applies the cut to the document, or shows why that is refused.
    void accept() override;

signals:
    /// Emitted when the found cut changes, to preview it. Null while there is none and when the dialog closes.
    void proposed(const sunder::BalancePlanPtr& plan);

private:
    [[nodiscard]] BalanceOptions options() const;
    void search();
    void searchWithin(double limit);
    void take(Result<BalancePlanPtr> found);
    void showProgress(int row);
    void showQuality(const QString& search);
    void say(const QString& text, const QString& look);

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::BalanceDialog> m_ui;
    BalanceModel* m_model;
    BalancePlanPtr m_plan;
    JobId m_job;
    bool m_isFirst = false; ///< the search is the short one
    int m_searched = 0; ///< number of stages of the last search
    bool m_isOver = false; ///< accepted or rejected
};

} // namespace sunder
