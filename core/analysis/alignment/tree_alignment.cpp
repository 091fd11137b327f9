#include "analysis/alignment/tree_alignment.h"

#include "analysis/alignment/align_sequences.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"
#include "support/mix_hash.h"
#include "support/text.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

/// The items of two module calls, prepared for alignment.
struct SequencePair {
    std::vector<SequenceItem> old;
    std::vector<SequenceItem> now;
};

/// Returns "layers.#.mlp" for "layers.3.mlp".
std::string familyOf(std::string_view name)
{
    std::string family;
    for (const char c : name)
        if (!isAsciiDigit(c))
            family += c;
        else if (family.empty() || family.back() != '#')
            family += '#';
    return family;
}

/// Hashes "Block" for "__main__.Block": a script has another module name when it is imported.
std::uint64_t classOf(const ModuleCallIdentity& module)
{
    const std::string_view cls = module.cls.view();
    const std::size_t point = cls.rfind('.');
    return hashOfText(point == std::string_view::npos ? cls : cls.substr(point + 1));
}

/// Groups modules into families of numbered names, and ops by kind.
class ItemGroups {
public:
    ItemGroups(const CallTree& tree, std::uint32_t module)
    {
        for (const CallTree::Item item : tree.items[module])
            if (item.isModule)
                m_families[familyOf(tree.names[item.index])].push_back(tree.names[item.index]);
            else
                ++m_kinds[tree.kinds[item.index]];
        for (auto& [family, names] : m_families)
            std::ranges::sort(names);
    }
    [[nodiscard]] bool hasSame(const std::string& family, const ItemGroups& other) const
    {
        const auto mine = m_families.find(family);
        const auto theirs = other.m_families.find(family);
        return mine != m_families.end() && theirs != other.m_families.end() && mine->second == theirs->second;
    }
    [[nodiscard]] bool hasSame(std::uint64_t kind, const ItemGroups& other) const
    {
        const auto mine = m_kinds.find(kind);
        const auto theirs = other.m_kinds.find(kind);
        return mine != m_kinds.end() && theirs != other.m_kinds.end() && mine->second == theirs->second;
    }

private:
    std::map<std::string, std::vector<std::string>> m_families;
    std::unordered_map<std::uint64_t, std::size_t> m_kinds;
};

std::vector<SequenceItem> itemsOf(const CallTree& tree, std::uint32_t module, const ItemGroups& mine, const ItemGroups& others)
{
    std::vector<SequenceItem> made;
    made.reserve(tree.items[module].size());
    for (const CallTree::Item item : tree.items[module]) {
        if (!item.isModule) {
            const NodeIdentity& node = tree.identity->nodes[item.index];
            made.push_back({.isNameFirm = mine.hasSame(tree.kinds[item.index], others),
                            .kind = tree.kinds[item.index],
                            .contents = node.op == Op::callModule ? 0 : node.constants,
                            .value = node.value,
                            .weights = tree.ownWeights[item.index],
                            .place = tree.places[item.index]});
            continue;
        }
        const ModuleCallIdentity& call = tree.identity->modules[item.index];
        const std::string family = familyOf(tree.names[item.index]);
        made.push_back({.isModule = true,
                        .isNameFirm = mine.hasSame(family, others),
                        .kind = classOf(call),
                        .contents = tree.alike[item.index],
                        .weights = tree.weights[item.index],
                        .name = hashOfText(tree.names[item.index]),
                        .isListed = family.find('#') != std::string::npos,
                        .place = call.call});
    }
    return made;
}

using Counts = std::unordered_map<std::uint64_t, std::size_t>;

/// Counts ops by kind, and modules both by name and class and by content.
Counts countsOf(const CallTree& tree, std::uint32_t module)
{
    Counts counts;
    for (const CallTree::Item item : tree.items[module])
        if (item.isModule) {
            const std::uint64_t cls = classOf(tree.identity->modules[item.index]);
            ++counts[mixHash(mixHash(1, cls), hashOfText(tree.names[item.index]))];
            ++counts[mixHash(2, tree.alike[item.index])];
        } else {
            ++counts[tree.kinds[item.index]];
        }
    return counts;
}

/// Prepares the items of two module calls. Names with numbers ("layers.3", "fc2") identify a module only if both calls have the
/// same numbers. Linear in the items.
SequencePair sequenceItems(const CallTree& old, const CallTree& now, ModulePair modules)
{
    const ItemGroups before(old, modules.old);
    const ItemGroups after(now, modules.now);
    return {.old = itemsOf(old, modules.old, before, after), .now = itemsOf(now, modules.now, after, before)};
}

/// Returns the number of items that two module calls have in common, in any order. Linear in the items.
std::size_t commonItems(const CallTree& old, const CallTree& now, ModulePair modules)
{
    const Counts before = countsOf(old, modules.old);
    const Counts after = countsOf(now, modules.now);
    std::size_t common = 0;
    for (const auto& [item, count] : before)
        if (const auto found = after.find(item); found != after.end())
            common += std::min(count, found->second);
    return common;
}
constexpr std::size_t kDoubtsANode = 16; ///< budget for alternative alignments, per node of the graph
} // namespace

TreeAlignment::TreeAlignment(const CallTree& old, const CallTree& now, Matches& matches)
    : m_old(old), m_now(now), m_matches(matches),
      m_doubtsLeft(1'000 + (old.identity->nodes.size() + now.identity->nodes.size()) * kDoubtsANode)
{
}

void TreeAlignment::align(ModulePair modules, bool isWeak)
{
    m_work.push_back({.modules = modules, .isWeak = isWeak});
    while (!m_work.empty()) {
        const Work work = m_work.back();
        m_work.pop_back();
        take(work);
    }
}

const SequenceAlignment& TreeAlignment::sequencesOf(ModulePair modules)
{
    const auto [at, isNew] = m_known.try_emplace({m_old.named[modules.old], m_now.named[modules.now]});
    if (isNew && m_old.named[modules.old] == m_now.named[modules.now]) {
        for (std::uint32_t i = 0; i < m_now.items[modules.now].size(); ++i)
            at->second.fits.push_back({.old = i});
    } else if (isNew) {
        const SequencePair items = sequenceItems(m_old, m_now, modules);
        at->second = alignSequences(items.old, items.now);
    }
    return at->second;
}

void TreeAlignment::take(const Work& work)
{
    const ModulePair modules = unwrapped(work.modules);
    if (work.isDoubt)
        m_matches.doubted.push_back(modules);
    else
        m_matches.modules.push_back(
            {.old = modules.old, .now = modules.now, .isSure = !work.isWeak && !work.mayBeNew && !work.hasMore});
    const std::vector<CallTree::Item>& old = m_old.items[modules.old];
    const std::vector<CallTree::Item>& now = m_now.items[modules.now];
    const SequenceAlignment& aligned = sequencesOf(modules);
    for (std::size_t j = 0; j < now.size(); ++j)
        if (now[j].isModule)
            takeModule(work, old, now[j].index, aligned.fits[j]);
        else
            takeNode(work, old, now[j].index, aligned.fits[j]);
}

/// Aligns alternatives as well while the budget keeps the total linear in the graph.
void TreeAlignment::takeModule(const Work& work, const std::vector<CallTree::Item>& old, std::uint32_t now,
                               const SequenceAlignment::Fit& fit)
{
    if (fit.old == SequenceAlignment::kNone)
        return;
    const std::size_t cost = work.isDoubt ? 0 : fit.others.size() * m_now.callCount[now];
    const bool isAffordable = cost <= m_doubtsLeft;
    m_work.push_back({.modules = {.old = old[fit.old].index, .now = now},
                      .isWeak = work.isWeak || fit.isWeak,
                      .isDoubt = work.isDoubt,
                      .mayBeNew = work.mayBeNew || fit.mayBeNew,
                      .hasMore = work.hasMore || fit.hasMore || !isAffordable});
    if (work.isDoubt || !isAffordable)
        return;
    m_doubtsLeft -= cost;
    if (const std::uint32_t namesake = namesakeOf(old, old[fit.old].index, now); namesake != 0)
        m_work.push_back({.modules = {.old = namesake, .now = now}, .isDoubt = true});
    for (const std::uint32_t other : fit.others)
        m_work.push_back({.modules = {.old = old[other].index, .now = now}, .isDoubt = true});
}

/// Returns another old module that had the current name of this one and the same content; 0 if there is none. The graph cannot
/// tell whether names or calls were exchanged.
std::uint32_t TreeAlignment::namesakeOf(const std::vector<CallTree::Item>& old, std::uint32_t before, std::uint32_t now)
{
    const bool isByWeights = m_old.weights[before] != 0 && m_old.weights[before] == m_now.weights[now];
    if (isByWeights || m_old.names[before] == m_now.names[now] || m_doubtsLeft < old.size())
        return 0;
    m_doubtsLeft -= old.size();
    for (const CallTree::Item item : old)
        if (item.isModule && item.index != before && m_old.names[item.index] == m_now.names[now]
            && m_old.alike[item.index] == m_now.alike[now])
            return item.index;
    return 0;
}

void TreeAlignment::takeNode(const Work& work, const std::vector<CallTree::Item>& old, std::uint32_t now,
                             const SequenceAlignment::Fit& fit)
{
    NodeMatch& match = m_matches.ofNow[now];
    for (const std::uint32_t other : fit.others)
        match.doubt(old[other].index);
    match.hasMore = match.hasMore || (fit.hasMore && !work.isDoubt);
    if (fit.old == SequenceAlignment::kNone)
        return;
    const std::uint32_t before = old[fit.old].index;
    if (work.isDoubt) {
        match.doubt(before);
        return;
    }
    if (match.isFound() || m_matches.ofOld[before] != NodeMatch::kNone)
        return;
    m_matches.pair(before, now);
    match.mayBeNew = work.mayBeNew || fit.mayBeNew;
    match.hasMore = match.hasMore || work.hasMore;
    match.isWeak = work.isWeak || fit.isWeak;
}

/// Skips a wrapper module around the whole model if only one of the exports has it.
ModulePair TreeAlignment::unwrapped(ModulePair modules) const
{
    constexpr int kMaxWrappers = 8;
    for (int i = 0; i < kMaxWrappers && m_old.named[modules.old] != m_now.named[modules.now]; ++i) {
        const std::size_t common = commonItems(m_old, m_now, modules);
        const std::uint32_t innerNow = m_now.onlyChild(modules.now);
        const std::uint32_t innerOld = m_old.onlyChild(modules.old);
        if (innerNow != 0 && commonItems(m_old, m_now, {.old = modules.old, .now = innerNow}) > common)
            modules.now = innerNow;
        else if (innerOld != 0 && commonItems(m_old, m_now, {.old = innerOld, .now = modules.now}) > common)
            modules.old = innerOld;
        else
            break;
    }
    return modules;
}

} // namespace sunder
