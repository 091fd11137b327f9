#pragma once

#include "ir/ids.h"

#include <QUndoCommand>

#include <vector>

namespace sunder {

class TagStore;

/// Changes tags of some nodes. Undo and redo swap the tags in the command with those of the document.
class RetagCommand final : public QUndoCommand {
public:
    using Changes = std::vector<std::pair<NodeId, std::int32_t>>;
    /// Commands with the same `stroke` > 0 are merged. `verb` is the text without the count: "Paint stage 1".
    RetagCommand(TagStore& tags, Changes changes, int stroke, QString verb);

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

    TagStore& m_tags;
    Changes m_changes;
    std::vector<bool> m_has; ///< per node: is in m_changes; filled when strokes are merged
    int m_stroke;
    QString m_verb;
};

} // namespace sunder
