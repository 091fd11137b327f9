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

/// "Tag automatically…": asks how, and shows what would come of it before it is taken.
class TaggingDialog final : public QDialog {
    Q_OBJECT

public:
    TaggingDialog(Document& document, Jobs& jobs, const TaggingWish& wish, QWidget* parent = nullptr);
    ~TaggingDialog() override;

    /// As it is set now.
    [[nodiscard]] TaggingWish wish() const;
    /// What comes of it; null while it is worked out, or refused.
    [[nodiscard]] const TaggingProposal* proposal() const { return m_proposal.get(); }
    /// Takes the proposal as the document's tags, one undo step; says why where that is refused.
    void accept() override;

signals:
    /// What would come of it is another: to be shown in the graph. Null: it is refused, or the dialog goes.
    void proposed(const sunder::TaggingProposal* proposal);
    /// The proposal is the document's tags now, as one step; `before` are those that there were.
    void taken(const sunder::TaggingWish& wish, const sunder::TagAssignment& before);

private:
    void restore(const TaggingWish& wish);
    void propose();
    /// The same where something else is wished for than was.
    void proposeOther();
    void take(Result<std::shared_ptr<const TaggingProposal>> made);
    void say(const QString& text, const QString& look);
    [[nodiscard]] QString undoText() const;

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::TaggingDialog> m_ui;
    StageModel* m_stages;
    /// The order of the model, made by the first job and kept for those that follow.
    std::shared_ptr<const ModelSequence> m_sequence;
    std::shared_ptr<const TaggingProposal> m_proposal;
    TaggingWish m_asked; ///< what the last job works out, or has
    bool m_isOver = false; ///< taken or given up: what a job still brings is about other tags
};

} // namespace sunder
