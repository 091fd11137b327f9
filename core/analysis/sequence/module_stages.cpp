#include "analysis/sequence/module_stages.h"

#include "support/format.h"
#include "support/text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

TagAssignment emptyCut(const ModelSequence& sequence)
{
    return {.order = {}, .tagOf = std::vector<std::int32_t>(sequence.graph->valueOf.size(), TagAssignment::kUntagged)};
}

/// Appends a tag and assigns it to the calls from `begin` up to but excluding `end`.
void addStage(const ModelSequence& sequence, TagAssignment& tags, const std::string& name, std::uint32_t begin, std::uint32_t end)
{
    const auto tag = static_cast<std::int32_t>(tags.order.size());
    tags.order.push_back(intern(name));
    for (std::uint32_t call = begin; call < end; ++call)
        tags.tagOf[sequence.graph->nodes[call].index()] = tag;
}

std::vector<std::uint8_t> chosenVisits(const ModelSequence& sequence, const auto& isWanted)
{
    std::vector<std::uint8_t> chosen(sequence.visits.size(), 0); // 1: chosen, 2: inside a chosen one
    for (std::size_t visit = 0; visit < chosen.size(); ++visit) {
        const std::int32_t parent = sequence.visits[visit].parent;
        if (parent >= 0 && chosen[static_cast<std::size_t>(parent)] != 0)
            chosen[visit] = 2;
        else if (isWanted(visit))
            chosen[visit] = 1;
    }
    return chosen;
}

/// Converts a path to a tag name without dots and line breaks.
std::string tagNameOf(InternedString path)
{
    std::string name = path.str();
    for (char& letter : name)
        if (letter == '.' || std::iscntrl(static_cast<unsigned char>(letter)) != 0)
            letter = '_';
    return name;
}

TagAssignment stagesOfVisits(const ModelSequence& sequence, const std::vector<std::uint8_t>& chosen)
{
    TagAssignment tags = emptyCut(sequence);
    std::unordered_set<std::string> names;
    const ModuleVisit* before = nullptr;
    std::uint32_t begin = 0;
    std::string name;
    for (std::size_t visit = 0; visit < chosen.size(); ++visit) {
        if (chosen[visit] != 1)
            continue;
        const ModuleVisit& here = sequence.visits[visit];
        if (before != nullptr) {
            const std::uint32_t end = cheapestPlace(sequence, {before->end, here.begin});
            addStage(sequence, tags, name, begin, end);
            begin = end;
        }
        const std::string wanted = tagNameOf(here.path);
        name = wanted;
        for (int time = 2; !names.insert(name).second; ++time)
            name = wanted + "_" + std::to_string(time);
        before = &here;
    }
    addStage(sequence, tags, name, begin, sequence.callCount());
    return tags;
}

Result<TagAssignment> fewEnough(const ModelSequence& sequence, const std::vector<std::uint8_t>& chosen, const std::string& what,
                                const std::string& other)
{
    const auto count = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), std::uint8_t{1}));
    if (count > kMaxModuleTags)
        return fail(ErrorCode::refused,
                    what + " makes " + formatCount(count, "stage") + ", more than the limit of " + formatCount(kMaxModuleTags)
                        + "; " + other);
    return stagesOfVisits(sequence, chosen);
}

} // namespace

Result<TagAssignment> stagesByDepth(const ModelSequence& sequence, std::uint32_t depth)
{
    if (depth == 0 || depth > sequence.deepest)
        return fail(ErrorCode::refused,
                    "no module runs at depth " + std::to_string(depth)
                        + (sequence.deepest == 0 ? std::string(": the file does not record the modules of ops")
                                                 : "; the maximum depth is " + std::to_string(sequence.deepest)));
    std::vector<std::uint8_t> holdsDeep(sequence.visits.size(), 0);
    for (std::size_t visit = sequence.visits.size(); visit-- > 0;) { // inner visits follow outer ones
        const ModuleVisit& here = sequence.visits[visit];
        if (here.depth == depth)
            holdsDeep[visit] = 1;
        if (holdsDeep[visit] != 0 && here.parent >= 0)
            holdsDeep[static_cast<std::size_t>(here.parent)] = 1;
    }
    const auto chosen = chosenVisits(
        sequence, [&](std::size_t visit) { return sequence.visits[visit].depth == depth || holdsDeep[visit] == 0; });
    return fewEnough(sequence, chosen, "depth " + std::to_string(depth), "use a lower depth");
}

Result<TagAssignment> stagesByPattern(const ModelSequence& sequence, const TextPattern& pattern)
{
    std::unordered_map<InternedString, bool> isWanted;
    const auto chosen = chosenVisits(sequence, [&](std::size_t visit) {
        const auto [at, isNew] = isWanted.try_emplace(sequence.visits[visit].path);
        if (isNew)
            at->second = pattern.isWhole(at->first.view());
        return at->second;
    });
    if (std::ranges::find(chosen, std::uint8_t{1}) == chosen.end())
        return fail(ErrorCode::refused,
                    "no executed module matches \"" + pattern.text() + "\"; use * for any text, as in layers.*");
    return fewEnough(sequence, chosen, "\"" + pattern.text() + "\"", "use a pattern that matches outer modules");
}

std::string patternOfModuleList(const Program& program)
{
    const auto listOf = [](std::string_view path) { // "layers" for "layers.3"
        const std::size_t point = path.rfind('.');
        return point != std::string_view::npos && isAsciiNumber(path.substr(point + 1)) ? path.substr(0, point)
                                                                                        : std::string_view();
    };
    std::vector<std::size_t> opsOf(program.stacks.size());
    for (const NodeId id : program.rootGraph().nodes())
        if (const Node& node = program.rootGraph()[id]; node.isCall() && node.meta.modules)
            ++opsOf[node.meta.modules.index()];
    std::map<std::string_view, std::size_t> opsIn; // ordered by name, so that ties are resolved deterministically
    for (std::size_t stack = 0; stack < opsOf.size(); ++stack)
        for (const ModuleFrame& frame : program.stacks[stack])
            if (const std::string_view list = listOf(frame.path.view()); !list.empty()) {
                opsIn[list] += opsOf[stack];
                break;
            }
    const auto most = std::ranges::max_element(opsIn, {}, [](const auto& entry) { return entry.second; });
    return most == opsIn.end() || most->second == 0 ? std::string() : std::string(most->first) + ".*";
}

} // namespace sunder
