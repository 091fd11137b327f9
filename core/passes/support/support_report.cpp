#include "passes/support/support_report.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace sunder {
namespace {

/// Returns the ops between two parts from which an op of `before` can be reached. `isFound` per position, is cleared again.
std::vector<std::uint32_t> opsBetween(const SupportGraph& graph, const SupportParts& parts,
                                      const std::vector<std::uint32_t>& between, std::uint32_t before, std::vector<char>& isFound)
{
    std::vector<std::uint32_t> found;
    for (auto at = between.rbegin(); at != between.rend(); ++at)
        if (std::ranges::any_of(graph.users[*at],
                                [&](std::uint32_t user) { return isFound[user] != 0 || parts.partOf[user] == before; })) {
            isFound[*at] = 1;
            found.push_back(*at);
        }
    std::ranges::reverse(found);
    for (const std::uint32_t at : found)
        isFound[at] = 0;
    return found;
}

} // namespace

SupportFigures supportFigures(const SupportGraph& graph, const SupportParts& parts)
{
    SupportFigures figures{.partitions = parts.isAccelerator.size()};
    std::vector<std::uint32_t> readers;
    for (std::uint32_t at = 0; at < graph.size(); ++at) {
        const std::uint32_t part = parts.partOf[at];
        if (part == SupportParts::kNone)
            continue;
        figures.nodes += parts.isAccelerator[part] != 0 ? 1 : 0;
        if (graph.bytes[at] == 0)
            continue;
        readers.clear();
        for (const std::uint32_t user : graph.users[at])
            if (const std::uint32_t other = parts.partOf[user];
                other != SupportParts::kNone && other != part && std::ranges::find(readers, other) == readers.end())
                readers.push_back(other);
        figures.bytes += graph.bytes[at] * readers.size();
    }
    return figures;
}

std::vector<SupportBreak> supportBreaks(const SupportGraph& graph, const SupportedOps& supported, const SupportParts& parts)
{
    std::vector<std::vector<std::uint32_t>> nodesOf(parts.isAccelerator.size());
    for (std::uint32_t at = 0; at < graph.size(); ++at)
        if (parts.partOf[at] != SupportParts::kNone && parts.isAccelerator[parts.partOf[at]] == 0)
            nodesOf[parts.partOf[at]].push_back(at);
    std::vector<SupportBreak> breaks;
    std::vector<char> isFound(graph.size(), 0);
    std::optional<std::uint32_t> last;
    std::vector<std::uint32_t> between; // ops since the last accelerator part
    for (std::uint32_t part = 0; part < parts.isAccelerator.size(); ++part) {
        if (parts.isAccelerator[part] == 0) {
            between.insert(between.end(), nodesOf[part].begin(), nodesOf[part].end());
            continue;
        }
        if (last) {
            std::ranges::sort(between);
            SupportBreak& found = breaks.emplace_back(
                SupportBreak{.after = *last, .before = part, .unsupported = {}, .other = {}});
            for (const std::uint32_t at : opsBetween(graph, parts, between, part, isFound))
                (supported.contains(graph.nodes[at]) ? found.other : found.unsupported).push_back(graph.nodes[at]);
        }
        last = part;
        between.clear();
    }
    return breaks;
}

Result<std::vector<SupportStep>> supportNext(const SupportGraph& graph, SupportedOps supported, SupportOptions options,
                                             std::size_t most, ProgressMonitor& monitor)
{
    options.asUpstream = false;
    options.maxAccSplits = -1;
    std::vector<SupportStep> steps;
    while (steps.size() < most) {
        std::optional<SupportStep> best;
        const auto rank = [](const SupportStep& step) {
            return std::tuple(step.figures.partitions, step.figures.bytes, step.name.view());
        };
        const std::vector<InternedString> candidates = supported.candidates();
        std::vector<SupportedOps> variants(candidates.size(), supported);
        for (std::size_t at = 0; at < candidates.size(); ++at)
            variants[at].add(candidates[at]);
        const double share = 1 / static_cast<double>(most);
        SubProgress progress(monitor, static_cast<double>(steps.size()) * share, static_cast<double>(steps.size() + 1) * share);
        SUNDER_TRY(const std::vector<SupportParts> parts, supportParts(graph, variants, options, progress));
        for (std::size_t at = 0; at < candidates.size(); ++at) {
            const SupportStep step{.name = candidates[at], .figures = supportFigures(graph, parts[at])};
            if (!best || rank(step) < rank(*best))
                best = step;
        }
        if (!best)
            break;
        supported.add(best->name);
        steps.push_back(*best);
    }
    return steps;
}

} // namespace sunder
