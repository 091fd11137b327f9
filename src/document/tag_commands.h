#pragma once

#include "document/prepared_model.h"
#include "document/runs/run_history.h"

#include <QUndoCommand>

#include <vector>

namespace sunder {

class Document;

/// Changes tags of some nodes. Undo and redo swap the tags in the command with those in the document.
class RetagCommand final : public QUndoCommand {
public:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;
    /// Commands with the same `stroke` > 0 are merged. `verb` is the text without the count: "Paint stage 1".
    RetagCommand(Document& document, Changes changes, int stroke, QString verb);

    /// Removes the command from the stack if its stroke is being canceled.
    void undo() override;
    void redo() override { swap(); }
    [[nodiscard]] int id() const override { return 1; }
    [[nodiscard]] int stroke() const { return m_stroke; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    void swap();
    bool remember(NodeId id);
    void nameIt();

    Document& m_document;
    Changes m_changes;
    std::vector<bool> m_has; ///< per node: is in m_changes; filled when strokes are merged
    int m_stroke;
    QString m_verb;
};

/// Changes the tag list, or all tags. Undo and redo swap the whole state.
class TagStateCommand final : public QUndoCommand {
public:
    TagStateCommand(Document& document, TagState state, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();

    Document& m_document;
    TagState m_state;
};

/// Changes tags together with their rules or transfer. Undo and redo swap both.
class TagBasisCommand final : public QUndoCommand {
public:
    TagBasisCommand(Document& document, TagState state, TagBasis basis, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();

    Document& m_document;
    TagState m_state;
    TagBasis m_basis;
};

/// Replaces the model by its reloaded file: another snapshot, with fitting tags and without runs. Undo and redo swap everything.
class ReloadCommand final : public QUndoCommand {
public:
    ReloadCommand(Document& document, PreparedModel model, const QString& text);
    /// Destroys the model in the background, since it can be large.
    ~ReloadCommand() override;
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();

    Document& m_document;
    PreparedModel m_model;
    RunHistory m_runs;
};

} // namespace sunder
