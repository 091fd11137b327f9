#include "cli/tags_by_rules.h"

#include "analysis/rules/tag_rules.h"
#include "cli/backward_option.h"
#include "cli/files.h"
#include "cli/tags.h"
#include "io/side_files/rules_file.h"
#include "support/format.h"

#include <QJsonArray>

#include <algorithm>

namespace sunder::cli {
namespace {

void describeRules(const TagRules& rules, const PaintedRules& painted, Outcome& outcome)
{
    QJsonArray said;
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        const RuleEffect& effect = painted.effects[i];
        const std::string what = describe(rules.rules[i]);
        std::string line = std::to_string(i + 1) + ". " + what + ": " + formatCount(effect.painted.size(), "op") + ", "
            + formatBytes(effect.bytes);
        if (effect.painted.size() != effect.matched)
            line += ", of " + formatCount(effect.matched) + " matching ops; later rules tag the others";
        outcome.say(std::move(line));
        if (effect.matched == 0)
            outcome.warnings.push_back("rule " + std::to_string(i + 1) + " matches no op: " + what);
        said.append(QJsonObject{{QStringLiteral("rule"), text(what)},
                                {QStringLiteral("ops"), static_cast<qint64>(effect.painted.size())},
                                {QStringLiteral("fits"), static_cast<qint64>(effect.matched)},
                                {QStringLiteral("bytes"), static_cast<qint64>(effect.bytes)}});
    }
    outcome.json[QStringLiteral("rules")] = said;
}

} // namespace

Result<Outcome> runTagsByRules(const Invocation& invocation)
{
    SUNDER_TRY(const TagRules file, readRulesFile(invocation.value("rules")));
    SUNDER_TRY(Program program, readInput(invocation, invocation.files[0]));
    ColoredTags own{.tags = {.tagOf = std::vector<std::int32_t>(program.rootGraph().idBound(), TagAssignment::kUntagged)}};
    if (invocation.isSet("tags")) {
        SUNDER_TRY(ColoredTags given, readColoredTags(program, invocation.value("tags")));
        own = std::move(given);
    }
    std::vector<InternedString> order = own.tags.order;
    for (const InternedString tag : file.order)
        if (std::ranges::find(order, tag) == order.end())
            order.push_back(tag);
    own.tags.order = order;
    Outcome outcome;
    SUNDER_TRY(const BackwardTags backward, backwardOf(invocation));
    const TrainingGraph training = followedBackward(invocation, program, backward, outcome);
    const Snapshot snapshot(std::move(program));
    SUNDER_TRY(const PaintedRules painted,
               invocation.timer.measure("pass", [&] { return paintRules(snapshot, file, order, backward); }));
    own.tags = withBackwardFollowing(snapshot.graph(), training, withGround(own.tags, {}, painted));
    const Result<void> written = invocation.outputs.write(
        invocation.value("o"), [&](const std::string& at) { return writeColoredTags(snapshot.program, own, at); });
    if (!written)
        return forward(written);
    describeRules(file, painted, outcome);
    std::size_t untagged = 0;
    for (const NodeId id : snapshot.graph().nodes())
        untagged += snapshot.isCall(id) && own.tags[id] == TagAssignment::kUntagged ? 1 : 0;
    outcome.json[QStringLiteral("untagged")] = static_cast<qint64>(untagged);
    if (untagged > 0)
        outcome.say(formatCount(untagged, "op") + " without a tag");
    return outcome;
}

} // namespace sunder::cli
