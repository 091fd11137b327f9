#pragma once

#include "document/document_part.h"
#include "document/tag_basis.h"
#include "document/tag_edits.h"

namespace sunder {

/// The tags of the open model, and the undo steps that change them. TagList, Painting, and TagSources offer its verbs.
class TagStore final : private DocumentPart {
public:
    explicit TagStore(Document& document) : DocumentPart(document) {}

    [[nodiscard]] const TagState& state() const { return m_state; }
    [[nodiscard]] const TagBasis& basis() const { return m_basis; }
    [[nodiscard]] bool isLocked(int tag) const { return tag >= 0 && m_state.traits[static_cast<std::size_t>(tag)].isLocked; }

    void pushState(TagState state, const QString& undoText);
    void pushBasis(TagState state, TagBasis basis, const QString& undoText);
    /// Pushes a command with these changes, except for kept ops, which messageEmitted() reports. Returns the number of changes.
    int pushChanges(TagChanges wanted, int stroke, const QString& verb);
    /// Pushes a command with exactly these changes.
    void pushRetagging(TagChanges changes, int stroke, const QString& verb);
    /// Reports all ops kept so far in the current stroke, each counted once.
    void reportSkipped(const KeptOps& kept, int stroke);
    /// Removes the last step if this stroke made it, undone or not. Steps that were undone before it stay undone.
    void dropStroke(int stroke);

private:
    friend class Document;
    friend class Painting; // view settings, which are not undo steps
    friend class RetagCommand;
    friend class TagList;
    /// Takes the tags of another model. `seen` keeps its view settings.
    void swapModel(TagState& state, TagBasis& basis);
    void reset(TagState state, TagBasis basis);
    void swapTags(TagChanges& changes);
    void swapState(TagState& state);
    void swapBasis(TagState& state, TagBasis& basis);
    void tagsChanged(Changes more = {});

    TagState m_state;
    TagBasis m_basis;
    bool m_isCancelling = false; ///< undo removes the step
    KeptOps m_kept; ///< ops kept in the stroke m_keptStroke
    int m_keptStroke = 0;
};

} // namespace sunder
