#pragma once

#include "document/tag_store.h"

#include "analysis/stages.h"
#include "support/result.h"

#include <functional>
#include <span>

namespace sunder {

/// Tags that are not painted by hand: files, other exports, rules, and computed cuts. Each verb is one undo step.
class TagSources final : private DocumentPart {
public:
    TagSources(Document& document, TagStore& store) : DocumentPart(document), m_store(store) {}

    /// Replaces all tags. Refused as a whole if a locked or protected op would change: returns the reason, which messageEmitted()
    /// also reports; empty on success.
    QString setTags(TagAssignment tags, const QString& undoText, std::vector<TagTraits> traits = {});
    /// Replaces all tags by tags derived from the current ones; a tag keeps its traits by its name. Refused if a locked tag would
    /// gain or lose ops: returns the reason, empty on success.
    QString takeTags(TagAssignment tags, const QString& undoText);
    /// Returns the traits that takeTags() would give these tags.
    [[nodiscard]] std::vector<TagTraits> traitsOnceTaken(const TagAssignment& tags) const;
    /// Tags all ops as `count` consecutive stages. Calls `failed` with the error if that is impossible.
    void tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed = {});
    /// Takes the tags of another export together with the report of the op matching. Refused like setTags().
    QString takeTransfer(const TagTransferPtr& transfer, const QString& undoText);
    /// Marks calls of the transfer as reviewed, by index. With `tag`, assigns that tag (−1: none). Otherwise untagged ops get
    /// their suggested tags and others keep theirs.
    void acceptMatches(std::span<const std::size_t> calls, std::optional<int> tag = {});
    /// Applies rules below manual painting: ops whose tag came from the previous rules get the tag of the new rules. An invalid
    /// rule is refused and reported with messageEmitted().
    void applyRules(const TagRules& rules);

private:
    /// Applies the result of rules, except for kept ops, which messageEmitted() reports.
    void takeRules(const TagRules& rules, const TagAssignment& painted, std::size_t below);

    TagStore& m_store;
};

} // namespace sunder
