#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "analysis/training/backward_tags.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Tags the ops that meet all conditions of the rule. An empty field imposes no condition.
struct TagRule {
    std::string module = {}; ///< ModulePattern: `layers.0-7`
    std::string cls = {};    ///< in a module of this class, at any depth; * is a wildcard
    std::string op = {};     ///< the operator, as displayed or as written by PyTorch; * is a wildcard
    std::string reads = {};  ///< has an input with this tag
    bool onlyUntagged = false; ///< only ops that no earlier rule tagged
    std::string tag = {};      ///< the tag; empty: the latest tag among the inputs, if there is any
    friend bool operator==(const TagRule&, const TagRule&) = default;
};

/// A list of rules applied in order; later rules override earlier ones. Tags painted by hand override all rules.
struct TagRules {
    std::vector<TagRule> rules;
    std::vector<InternedString> order = {}; ///< of tags, in execution order; other tags follow in the order of the rules
    friend bool operator==(const TagRules&, const TagRules&) = default;
    [[nodiscard]] bool empty() const { return rules.empty(); }
};

/// The effect of one rule on a model.
struct RuleEffect {
    std::size_t matched = 0;    ///< number of ops that meet its conditions
    std::vector<NodeId> painted = {}; ///< ops whose final tag is from this rule, in graph order
    std::uint64_t bytes = 0;    ///< of the parameters, buffers and constants that these ops are the first to read
};

/// The result of applying rules to a model.
struct PaintedRules {
    TagAssignment tags;              ///< the given order, followed by other tags of the rules
    std::vector<RuleEffect> effects; ///< per rule
};

/// Describes a rule in one line: "layers.0-7, class Linear → stage0".
std::string describe(const TagRule& rule);

/// Renames a tag in all rules that assign it or have it as a condition.
void renameIn(TagRules& rules, std::string_view from, std::string_view to);

/// Returns the reason why a rule is invalid as "FIELD PROBLEM"; `member` names the field. Empty rules, which match every op, are
/// valid.
Result<void> checkRule(const TagRule& rule);
/// Like checkRule(), and also refuses a tag that split_by_tags would refuse (whyNoModuleName()). For rules typed by users; files
/// with such a tag are still read, since it can be renamed.
Result<void> checkTypedRule(const TagRule& rule);

/// Applies rules to an untagged model. `order`: existing tags, which precede those of the rules. Each rule visits the ops in
/// graph order and sees the tags of earlier rules. Refuses rules that checkRule() refuses, naming the number of the rule. O(rules
/// × (nodes + edges)).
Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order);

/// Same. If the backward pass of a joint program follows, rules only apply to the forward pass and backward calls stay untagged;
/// withBackwardFollowing() tags them later. Copies the program in this case.
Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order,
                                BackwardTags backward);

/// Replaces the rules below painted tags: an op that still has the tag of the old rules gets that of the new ones; other ops keep
/// theirs. `ground`: per NodeId the tag of the old rules, as an index into the order of `tags`; empty if there were no rules.
/// O(nodes).
TagAssignment withGround(const TagAssignment& tags, std::span<const std::int32_t> ground, const PaintedRules& painted);

} // namespace sunder
