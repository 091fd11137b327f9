#pragma once

#include "document/document.h"
#include "jobs/jobs.h"
#include "tagging/automatic_tags.h"

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class TaggingDialog;
}

class StageModel;

/// Dialog of "Tag automatically…": previews the result of the chosen way before it is applied.
class TaggingDialog final : public QDialog {
    Q_OBJECT

public:
    TaggingDialog(Document& document, Jobs& jobs, const TaggingRequest& wish, QWidget* parent = nullptr);
    ~TaggingDialog() override;

    /// Returns the current input.
    [[nodiscard]] TaggingRequest wish() const;
    /// Returns the proposal; null while it is being computed or if it was refused.
    [[nodiscard]] const TaggingProposal* proposal() const { return m_proposal.get(); }
    /// Applies the proposal to the document as one undo step, or shows why that is refused.
    void accept() override;

signals:
    /// Emitted when the proposal changes, to show it in the graph. Null if it was refused or the dialog closes.
    void proposed(const sunder::TaggingProposal* proposal);
    /// Emitted after the proposal was applied as one undo step; `before` holds the previous tags.
    void taken(const sunder::TaggingRequest& wish, const sunder::TagAssignment& before);

private:
    void restore(const TaggingRequest& wish);
    void propose();
    /// Computes a proposal if the input has changed.
    void proposeOther();
    void take(Result<std::shared_ptr<const TaggingProposal>> made);
    void say(const QString& text, const QString& look);
    [[nodiscard]] QString undoText() const;

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::TaggingDialog> m_ui;
    StageModel* m_stages;
    /// Execution order of the model, computed by the first job and reused.
    std::shared_ptr<const ModelSequence> m_sequence;
    std::shared_ptr<const TaggingProposal> m_proposal;
    TaggingRequest m_asked; ///< input of the last job
    bool m_isOver = false; ///< accepted or rejected: ignore results of running jobs
};

} // namespace sunder
