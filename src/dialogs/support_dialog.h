#pragma once

#include "dialogs/support_options.h"
#include "document/document.h"
#include "jobs/jobs.h"
#include "models/support_cut.h"

#include <QDialog>

#include <memory>
#include <vector>

class QSortFilterProxyModel;

namespace sunder {

namespace Ui {
class SupportDialog;
}

class SupportBreakModel;
class SupportNextModel;
class SupportOpsModel;

/// Dialog of "Tag by support…": cuts the model by what an accelerator supports, in the background, and previews the parts before
/// they are applied as one undo step. Says what separates the parts, and which operators to support next.
class SupportDialog final : public QDialog {
    Q_OBJECT

public:
    SupportDialog(Document& document, Jobs& jobs, SupportWish wish, QWidget* parent = nullptr);
    ~SupportDialog() override;

    /// Returns the rules and the options, with the ticked operators to support next.
    [[nodiscard]] SupportWish wish() const;
    /// Applies the parts to the document, or shows why that is refused.
    void accept() override;

signals:
    /// Emitted when the parts change, to preview them. Null while there are none and when the dialog closes.
    void proposed(const sunder::SupportCutPtr& cut);

protected:
    /// Enter in the filter goes to the list instead of applying the parts.
    void keyPressEvent(QKeyEvent* event) override;

private:
    void prepareTables();
    void makeOptions();
    void connectAll();
    void showOptions();
    [[nodiscard]] SupportList list() const;
    void tickShown(bool isSupported);
    void tick(const std::vector<int>& entries, bool isSupported);
    void setRules(SupportRules rules);
    void openFile();
    void saveFile();
    /// Computes the parts again, and the table of next operators if `wish` changed otherwise than by ticks in it.
    void search(bool isNextStale);
    void take(Result<SupportCutPtr> found);
    void fitBreaks();
    void showCut();
    void searchNext();
    void takeNext(Result<std::vector<SupportStep>> found);
    void showNext(const QString& hint);
    void showProgress(int row);
    void say(const QString& text, const QString& look);

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::SupportDialog> m_ui;
    SupportWish m_wish; ///< without the ticked operators to support next
    SupportOpsModel* m_ops;
    QSortFilterProxyModel* m_shownOps;
    SupportBreakModel* m_breaks;
    SupportNextModel* m_next;
    std::vector<SupportOptionField> m_options;
    SupportCutPtr m_cut; ///< the last one, also while the next one is computed
    JobId m_job;
    JobId m_nextJob;
    bool m_isNextStale = true;
    bool m_isOver = false; ///< accepted or rejected
};

} // namespace sunder
