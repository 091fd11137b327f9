#pragma once

#include "document/prepared_model.h"
#include "document/runs/run_history.h"

#include <QUndoCommand>

#include <vector>

namespace sunder {

class Document;

/// One stroke: some nodes take other tags. Undo and redo swap the tags in the command with those in the document.
class RetagCommand final : public QUndoCommand {
public:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;
    /// `stroke` > 0 joins commands of one stroke into one; `verb` is its name without the count ("Paint stage 1").
    RetagCommand(Document& document, Changes changes, int stroke, QString verb);

    void undo() override { swap(); }
    void redo() override { swap(); }
    [[nodiscard]] int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    void swap();
    bool remember(NodeId id);
    void nameIt();

    Document& m_document;
    Changes m_changes;
    std::vector<bool> m_has; ///< per node: it is among the changes; made when a stroke goes on
    int m_stroke;
    QString m_verb;
};

/// The list of tags changes, or all tags at once. Undo and redo swap the whole state.
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

/// Tags change together with what they rest on: rules, or what was taken over. Undo and redo swap both.
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

/// The file of the model is read again: another snapshot, with tags that fit it and without runs. Undo and redo swap all of it.
class ReloadCommand final : public QUndoCommand {
public:
    ReloadCommand(Document& document, PreparedModel model, const QString& text);
    /// In the background: the model may be large.
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
