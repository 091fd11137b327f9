#include "analysis/rules/tag_rules.h"

#include "analysis/part_names.h"
#include "analysis/rules/module_pattern.h"
#include "analysis/search/node_matcher.h"
#include "analysis/training/backward_tags.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace sunder {
namespace {

Result<std::optional<NodeQuery::Term>> termOf(QueryField field, const std::string& written)
{
    if (written.empty())
        return std::optional<NodeQuery::Term>();
    SUNDER_TRY(TextPattern text, TextPattern::parse(written));
    return std::optional(NodeQuery::Term{.field = field, .written = written, .text = std::move(text)});
}

/// Returns the index of a tag in the order, adding it if necessary.
std::int32_t placeOf(std::vector<InternedString>& order, const std::string& tag)
{
    const InternedString name = intern(tag);
    const auto found = std::ranges::find(order, name);
    const auto place = static_cast<std::int32_t>(found - order.begin());
    if (found == order.end())
        order.push_back(name);
    return place;
}

/// Returns the index of a tag in the order; an index that no op has if it is missing.
std::int32_t knownPlaceOf(const std::vector<InternedString>& order, const std::string& tag)
{
    constexpr std::int32_t kNoSuchTag = -3;
    const auto found = std::ranges::find(order, intern(tag));
    return found == order.end() ? kNoSuchTag : static_cast<std::int32_t>(found - order.begin());
}

/// Applies a rule to ops one by one.
class RuleBrush {
public:
    RuleBrush(const Snapshot& snapshot, const TagRule& rule, TagAssignment& tags)
        : m_snapshot(snapshot), m_rule(rule), m_tags(tags)
    {
    }

    Result<void> prepare()
    {
        SUNDER_PROPAGATE(checkRule(m_rule));
        if (!m_rule.module.empty())
            m_module = *ModulePattern::parse(m_rule.module);
        m_classTerm = *termOf(QueryField::cls, m_rule.cls);
        m_opTerm = *termOf(QueryField::op, m_rule.op);
        if (m_classTerm)
            m_class.emplace(m_snapshot, m_tags, *m_classTerm);
        if (m_opTerm)
            m_op.emplace(m_snapshot, m_tags, *m_opTerm);
        if (!m_rule.tag.empty())
            m_tag = placeOf(m_tags.order, m_rule.tag);
        if (!m_rule.reads.empty())
            m_reads = knownPlaceOf(m_tags.order, m_rule.reads);
        return {};
    }

    /// Returns the tag for an op; nothing if the rule does not apply.
    std::optional<std::int32_t> tagFor(NodeId id)
    {
        if (m_rule.onlyUntagged && m_tags[id] != TagAssignment::kUntagged)
            return {};
        if (m_module && !isInModule(m_snapshot.graph()[id]))
            return {};
        if ((m_class && !m_class->matches(id)) || (m_op && !m_op->matches(id)))
            return {};
        std::int32_t latest = TagAssignment::kUntagged;
        bool isRead = m_rule.reads.empty();
        for (const NodeId input : m_snapshot.graph().inputs(id)) {
            latest = std::max(latest, m_tags[input]);
            isRead = isRead || m_tags[input] == m_reads;
        }
        if (!isRead)
            return {};
        if (!m_rule.tag.empty())
            return m_tag;
        return latest == TagAssignment::kUntagged ? std::nullopt : std::optional(latest);
    }

private:
    [[nodiscard]] bool isInModule(const Node& node)
    {
        const std::string_view path = modulePathOf(m_snapshot.program, node);
        const auto [at, isNew] = m_paths.try_emplace(path, false);
        if (isNew)
            at->second = m_module->matches(path);
        return at->second;
    }

    const Snapshot& m_snapshot;
    const TagRule& m_rule;
    TagAssignment& m_tags;
    std::optional<ModulePattern> m_module;
    std::optional<NodeQuery::Term> m_classTerm;
    std::optional<NodeQuery::Term> m_opTerm;
    std::optional<NodeMatcher> m_class;
    std::optional<NodeMatcher> m_op;
    std::int32_t m_tag = TagAssignment::kUntagged;
    std::int32_t m_reads = TagAssignment::kUntagged;
    std::unordered_map<std::string_view, bool> m_paths;
};

tl::unexpected<Error> wrongField(const char* field, const std::string& what)
{
    return fail(ErrorCode::usage, what, {.member = field});
}

} // namespace

std::string describe(const TagRule& rule)
{
    std::string text = rule.module;
    const auto add = [&](std::string_view word, const std::string& value) {
        if (!value.empty())
            text += (text.empty() ? "" : ", ") + std::string(word) + value;
    };
    add("class ", rule.cls);
    add("op ", rule.op);
    add("reads ", rule.reads);
    if (rule.onlyUntagged)
        text += text.empty() ? "untagged" : ", untagged";
    return (text.empty() ? "everything" : text) + " \u2192 " + (rule.tag.empty() ? "tag of its input" : rule.tag);
}

void renameIn(TagRules& rules, std::string_view from, std::string_view to)
{
    for (TagRule& rule : rules.rules)
        for (std::string* tag : {&rule.reads, &rule.tag})
            if (*tag == from)
                *tag = to;
    std::ranges::replace(rules.order, intern(from), intern(to));
}

Result<void> checkRule(const TagRule& rule)
{
    constexpr std::size_t kLongest = 1'000;
    const std::pair<const char*, const std::string&> fields[] = {
        {"module", rule.module}, {"class", rule.cls}, {"op", rule.op}, {"reads", rule.reads}, {"tag", rule.tag}};
    for (const auto& [field, value] : fields)
        if (value.size() > kLongest)
            return wrongField(field, "is longer than 1,000 characters");
    if (!rule.module.empty())
        if (const auto pattern = ModulePattern::parse(rule.module); !pattern)
            return wrongField("module", pattern.error().message);
    if (const auto term = termOf(QueryField::cls, rule.cls); !term)
        return wrongField("class", term.error().message);
    if (const auto term = termOf(QueryField::op, rule.op); !term)
        return wrongField("op", term.error().message);
    if (rule.tag.find_first_of(".\n") != std::string::npos)
        return wrongField("tag", "contains a dot or a line break, so it cannot name a part");
    return {};
}

Result<void> checkTypedRule(const TagRule& rule)
{
    const Result<void> checked = checkRule(rule);
    if (!checked || rule.tag.empty())
        return checked;
    if (const std::optional<std::string> why = whyNoModuleName(rule.tag); why)
        return wrongField("tag", "cannot name a part: " + *why);
    return {};
}

Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order)
{
    for (const InternedString tag : rules.order)
        placeOf(order, tag.str());
    PaintedRules painted{.tags = {.order = std::move(order),
                                  .tagOf = std::vector<std::int32_t>(snapshot.graph().idBound(), TagAssignment::kUntagged)},
                         .effects = std::vector<RuleEffect>(rules.rules.size())};
    constexpr std::uint32_t kNoRule = 0xffffffffU;
    std::vector<std::uint32_t> ruleOf(snapshot.graph().idBound(), kNoRule);
    for (std::uint32_t i = 0; i < rules.rules.size(); ++i) {
        RuleBrush brush(snapshot, rules.rules[i], painted.tags);
        if (const Result<void> ready = brush.prepare(); !ready) {
            Error error = ready.error();
            error.message = "rule " + std::to_string(i + 1) + ": \"" + error.where.member + "\" " + error.message;
            error.where.member = "rules[" + std::to_string(i) + "]." + error.where.member;
            return tl::unexpected<Error>(std::move(error));
        }
        for (const NodeId id : snapshot.graph().nodes()) {
            if (!snapshot.isCall(id))
                continue;
            const std::optional<std::int32_t> tag = brush.tagFor(id);
            if (!tag)
                continue;
            ++painted.effects[i].matched;
            painted.tags.tagOf[id.index()] = *tag;
            ruleOf[id.index()] = i;
        }
    }
    for (const NodeId id : snapshot.graph().nodes())
        if (const std::uint32_t rule = ruleOf[id.index()]; rule != kNoRule) {
            painted.effects[rule].painted.push_back(id);
            painted.effects[rule].bytes += snapshot.sizes.parameterBytes[id.index()];
        }
    return painted;
}

Result<PaintedRules> paintRules(const Snapshot& snapshot, const TagRules& rules, std::vector<InternedString> order,
                                BackwardTags backward)
{
    return backward == BackwardTags::follow && snapshot.training.isTraining()
        ? paintRules(Snapshot(forwardProgram(snapshot.program, snapshot.training)), rules, std::move(order))
        : paintRules(snapshot, rules, std::move(order));
}

TagAssignment withGround(const TagAssignment& tags, std::span<const std::int32_t> ground, const PaintedRules& painted)
{
    TagAssignment merged = tags;
    std::vector<std::int32_t> placeIn; // per tag of the rules
    for (const InternedString tag : painted.tags.order)
        placeIn.push_back(placeOf(merged.order, tag.str()));
    for (std::size_t id = 0; id < merged.tagOf.size(); ++id) {
        const std::int32_t before = id < ground.size() ? ground[id] : TagAssignment::kUntagged;
        if (merged.tagOf[id] != before)
            continue;
        const std::int32_t given = id < painted.tags.tagOf.size() ? painted.tags.tagOf[id] : TagAssignment::kUntagged;
        merged.tagOf[id] = given == TagAssignment::kUntagged ? TagAssignment::kUntagged
                                                             : placeIn[static_cast<std::size_t>(given)];
    }
    return merged;
}

} // namespace sunder
