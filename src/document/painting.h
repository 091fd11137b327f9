#pragma once

#include "document/tag_store.h"
#include "tagging/problem.h"

#include <span>

namespace sunder {

struct FillPlan;

/// Selects which legal tag an untagged op gets.
enum class FillIn : quint8 { earliest, latest };

/// Tags ops by hand: strokes, fills, lists, and fixes of problems.
class Painting final : private DocumentPart {
public:
    Painting(Document& document, TagStore& store) : DocumentPart(document), m_store(store) {}

    /// Tags the call nodes among `nodes`, as one undo step or as a part of the current stroke. Returns the number of changed
    /// nodes; messageEmitted() reports nodes that locked or protected tags keep.
    int paint(std::span<const NodeId> nodes, int tag);
    int erase(std::span<const NodeId> nodes);
    /// Starts a stroke: until commitStroke() or cancelStroke(), all that paint() and erase() change is one undo step.
    void beginStroke();
    void commitStroke() { m_isStroking = false; }
    /// Reverts the stroke and removes its step, so that it cannot be redone.
    void cancelStroke();
    /// Applies the plan as one undo step such as "Fill all Linear modules with stage1: 96 ops". The document must still have the
    /// planned state. Returns the number of changed nodes.
    int fill(const FillPlan& plan);
    /// Paints a list as a named undo step such as "Paint hits of op:linear with stage1: 41 ops". Tag −1 erases.
    int paintList(std::span<const NodeId> nodes, int tag, const QString& what);
    /// Adds a tag and paints the list with it, as one undo step.
    void paintWithNewTag(std::span<const NodeId> nodes, const QString& what);
    /// Gives untagged nodes the earliest tag that their producers allow, or the latest that their consumers allow.
    void fillInUntagged(FillIn which = FillIn::earliest);
    /// Retags calls as one undo step with the text `what`. Skips ops whose old or new tag is locked.
    void retag(TagChanges changes, const QString& what);
    void apply(const Repair& repair);

    /// Protects tagged ops from strokes, fills, and lists, but not from the eraser.
    void setProtecting(bool isProtecting);
    /// Sets whether every backward op of a joint forward-backward program has the tag of its forward op. Undoable.
    void setBackwardFollows(bool follows);

private:
    void applyChanges(TagChanges changes, const QString& verb);
    void applyTags(const Repair& repair);

    TagStore& m_store;
    int m_stroke = 0; ///< number of the current or last stroke
    bool m_isStroking = false;
};

} // namespace sunder
