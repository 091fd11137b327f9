#include "analysis/alignment/tree_alignment.h"

#include "analysis/alignment/sequence_items.h"

#include <algorithm>

namespace sunder {
namespace {
constexpr std::size_t kDoubtsANode = 16; ///< budget for alternative alignments, per node of the graph
}

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
