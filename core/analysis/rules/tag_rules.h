#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "analysis/training/backward_tags.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Gives a tag to the ops for which all that it says holds; what is empty says nothing.
struct TagRule {
    std::string module = {}; ///< ModulePattern: `layers.0-7`
    std::string cls = {};    ///< in a module of this class, however deep; * is anything
    std::string op = {};     ///< the operator, as a node shows it or as torch writes it; * is anything
    std::string reads = {};  ///< reads what an op with this tag gives
    bool onlyUntagged = false; ///< only ops that no rule before it gave a tag
    std::string tag = {};      ///< the tag; empty: the latest of the tags of what the op reads, where that has any
    friend bool operator==(const TagRule&, const TagRule&) = default;
};

/// Rules that give tags, one after another: each paints over those before it. They are the ground: what is painted by hand
/// stands on it.
struct TagRules {
    std::vector<TagRule> rules;
    std::vector<InternedString> order = {}; ///< of tags, as parts run; those that are not in it come as the rules name them
    friend bool operator==(const TagRules&, const TagRules&) = default;
    [[nodiscard]] bool empty() const { return rules.empty(); }
};

/// What one rule does to a model.
struct RuleEffect {
    std::size_t matched = 0;    ///< ops for which it holds
    std::vector<NodeId> painted = {}; ///< those that have their tag from it in the end, in graph order
    std::uint64_t bytes = 0;    ///< of the parameters, buffers and constants that these are the first to read
};

/// What rules make of a model.
struct PaintedRules {
    TagAssignment tags;              ///< the order given, and behind it tags of rules that are not in it
    std::vector<RuleEffect> effects; ///< per rule
};

/// "layers.0-7, class Linear → stage0": the rule in a line.
std::string describe(const TagRule& rule);

/// Calls a tag otherwise in rules that give it or ask for it.
void renameIn(TagRules& rules, std::string_view from, std::string_view to);

/// Why a rule means nothing, as "FIELD WHAT IS WRONG"; member says the field. Empty rules, which would take everything, are
/// allowed.
Result<void> checkRule(const TagRule& rule);
/// checkRule(), and a tag that split_by_tags would refuse (whyNoModuleName()): for rules that a person types. Files with such a tag are
/// still read, as it can be renamed.
Result<void> checkTypedRule(const TagRule& rule);

/// The tags that rules give to the ops of a model, from nothing. `order`: of tags that there are, before those of the rules. Each rule looks at the ops in
/// graph order and sees what was painted before. Refuses rules of which checkRule() does, naming the number of the rule.
/// O(rules × (nodes + edges)).
Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order);

/// The same; where the backward pass of a joint program follows, rules look at its forward pass alone, and backward calls get none:
/// withBackwardFollowing() does the rest. Copies the program then.
Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order,
                                BackwardTags backward);

/// Puts other rules below tags that were painted: an op whose tag is what the old rules gave it takes what the new ones give,
/// every other keeps its own. `ground`: per NodeId what the old rules gave, by indices into the order of `tags`; empty for none.
/// O(nodes).
TagAssignment withGround(const TagAssignment& tags, std::span<const std::int32_t> ground, const PaintedRules& painted);

} // namespace sunder
