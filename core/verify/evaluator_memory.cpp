// The memory model: places, writes, and reads.
#include "verify/evaluator.h"

#include <algorithm>

namespace sunder {

void Evaluator::setLocation(const Step& step, TermId call)
{
    TermId& location = m_locations[step.result.index()];
    if (location.isValid()) // the result is the first argument itself
        return;
    location = call;
    const std::uint32_t region = m_trace.values[step.result.index()].region;
    if (!m_versions.empty() && step.reading == Reading::firstByLocation && step.logicalView)
        m_viewed.emplace(call, m_terms.children(call)[kFirstArgument]);
    if (m_trace.distinguishesObjects
        && step.role != CallRole::query) { // if object identity matters, equal results are distinct objects
        const bool matters = m_trace.findsObjects || m_changedObjects.contains(step.result);
        const auto [equal, isFirst] = m_objects.try_emplace(call, std::pair(0U, matters));
        auto& [count, anyMatters] = equal->second;
        anyMatters = anyMatters || matters;
        count += isFirst ? 0 : 1;
        if (!isFirst && anyMatters) {
            location = m_terms.make({.kind = TermKind::again, .bits = count}, {call});
            return;
        }
    }
    if (m_versions.empty() || step.reading == Reading::firstByLocation || !m_trace.regions.isWritten(region))
        return;
    // The results of two equal calls have equal contents until one of them is written to.
    const std::uint64_t key = static_cast<std::uint64_t>(m_trace.regions.find(region)) << 32U | call.index();
    if (const std::uint32_t number = m_again[key]++; number != 0)
        location = m_terms.make({.kind = TermKind::again, .bits = number}, {call});
}

void Evaluator::write(const Step& step, ValueId id, TermId call, TermId content)
{
    const std::uint32_t region = m_trace.regions.find(m_trace.values[id.index()].region);
    if (m_trace.regions.closures(region) < m_closures && !m_trace.undecided)
        m_trace.undecided.emplace(step.node, "it writes to memory outside the control flow graph that contains it");
    if (content != TermTable::nothing())
        overwrite(region, m_locations[id.index()], copiedOver(readLeaf(m_trace.values[id.index()], id, false), content),
                  step.otherStrides);
    else
        m_versions[region] = m_terms.make(
            {.kind = TermKind::write, .detail = static_cast<std::uint8_t>(step.reshapes ? kReshapes : 0)},
            {m_versions[region], call, m_locations[id.index()], content});
    ++m_writes;
}

/// A tensor that requires gradients keeps requiring them after a copy overwrites its contents.
TermId Evaluator::copiedOver(TermId before, TermId content)
{
    if (m_terms[before].kind == TermKind::overwritten)
        if (const std::span<const TermId> earlier = m_terms.children(before); !mayRequireGradient(earlier[0]))
            before = earlier[1];
    const bool matters = content != before && mayRequireGradient(before) && !requiresGradientOf(content, before);
    return matters ? m_terms.make({.kind = TermKind::overwritten}, {content, before}) : content;
}

/// Whether a value certainly requires gradients if `other` does: it is computed from `other`, with gradients recorded, by
/// operators that preserve this. Searches a bounded number of operands.
bool Evaluator::requiresGradientOf(TermId value, TermId other) const
{
    constexpr std::size_t kMaxTerms = 64;
    std::vector<TermId> found{value};
    for (std::size_t i = 0; i < found.size() && i < kMaxTerms; ++i) {
        if (found[i] == other)
            return true;
        const std::span<const TermId> children = m_terms.children(found[i]);
        if (m_terms[found[i]].kind == TermKind::group) {
            found.insert(found.end(), children.begin(), children.end());
            continue;
        }
        const std::uint32_t index = m_terms[found[i]].kind == TermKind::call ? stepOf(found[i]) : kNoStep;
        if (index == kNoStep || m_trace.steps[index].gradientState != TermTable::nothing())
            continue;
        if (m_trace.steps[index].keepsGradients)
            found.insert(found.end(), children.begin() + kFirstArgument, children.end());
    }
    return false;
}

void Evaluator::overwrite(std::uint32_t region, TermId place, TermId content, bool otherStrides)
{
    // The writing call does not matter, and neither do earlier writes to exactly the same place.
    TermId before = m_versions[region];
    while (before != TermTable::nothing() && m_terms.children(before)[2] == place)
        before = m_terms.children(before)[0];
    m_versions[region] = m_terms.make({.kind = TermKind::write}, {before, TermTable::nothing(), place, content});
    if (otherStrides)
        m_otherStrides.insert(m_versions[region]);
    else
        m_otherStrides.erase(m_versions[region]);
}

TermId Evaluator::overwritten(TermId place, TermId target, TermId content)
{
    // A view of memory that was completely overwritten is the same view of the new contents.
    constexpr std::size_t kMaxViews = 32;
    std::vector<TermId> views;
    while (place != target) {
        const auto viewed = m_viewed.find(place);
        if (viewed == m_viewed.end() || views.size() == kMaxViews)
            return {};
        views.push_back(place);
        place = viewed->second;
    }
    for (; !views.empty(); views.pop_back()) {
        const std::span<const TermId> before = m_terms.children(views.back());
        std::vector<TermId> children(before.begin(), before.end());
        children[kFirstArgument] = content;
        content = m_terms.make(m_terms[views.back()], children);
    }
    return content;
}

TermId Evaluator::readLeaf(const Value& value, ValueId id, bool location)
{
    const TermId place = m_locations[id.index()];
    if (m_versions.empty() || (location && !m_trace.regions.isReshaped(value.region)))
        return place;
    return readPlace(place, value.region);
}

/// Whether a copy_ gives its target exactly the source's contents. False if the two may overlap, or if shapes may have changed
/// since the file described them.
bool Evaluator::fills(const Step& step)
{
    if (!step.overwrites)
        return false;
    const std::span<const ValueId> arguments = m_trace.at(step.arguments);
    if (m_trace.values[arguments[0].index()].kind != ValueKind::leaf
        || m_trace.values[arguments[1].index()].kind != ValueKind::leaf)
        return false;
    if (m_versions.empty())
        return true;
    const std::uint32_t target = regionOf(arguments[0]);
    const std::uint32_t source = regionOf(arguments[1]);
    return (target != source || m_locations[arguments[0].index()] == m_locations[arguments[1].index()])
        && !m_trace.regions.isReshaped(target) && !m_trace.regions.isReshaped(source);
}

TermId Evaluator::readPlace(TermId place, std::uint32_t region, bool asLeft)
{
    const TermId version = m_versions[m_trace.regions.find(region)];
    if (version == TermTable::nothing())
        return place;
    const std::span<const TermId> written = m_terms.children(version);
    if (written[3] != TermTable::nothing() && (asLeft || !m_otherStrides.contains(version)))
        if (const TermId content = overwritten(place, written[2], written[3]); content.isValid())
            return content;
    if (isInitial(place, version))
        return place;
    return m_terms.make({.kind = TermKind::read}, {place, version});
}

/// Whether a place, or a base that it is a view of, is the result of an unknown call or a parameter of a closure and has not been
/// written to since.
bool Evaluator::isInitial(TermId place, TermId version) const
{
    constexpr int kMaxViews = 32;
    for (int views = 0; !m_born.empty() && views < kMaxViews; ++views) {
        if (const auto born = m_born.find(place); born != m_born.end())
            return born->second == version;
        const auto viewed = m_viewed.find(place);
        if (viewed == m_viewed.end())
            return false;
        place = viewed->second;
    }
    return false;
}

TermId Evaluator::read(ValueId id, bool location)
{
    const Value& value = m_trace.values[id.index()];
    switch (value.kind) {
    case ValueKind::leaf: return readLeaf(value, id, location);
    case ValueKind::constant:
    case ValueKind::context: return value.term;
    case ValueKind::graph:
        if (!m_trace.undecided)
            m_trace.undecided.emplace(NodeRef{GraphId(value.reference), {}},
                                      "a graph is passed to an operator that is not known to call it");
        return m_terms.make({.kind = TermKind::unmatched, .detail = 4, .bits = static_cast<std::uint64_t>(m_side)});
    case ValueKind::container: break;
    }
    // Containers may be nested with much sharing, so each is read only once between writes.
    std::pair<TermId, std::uint32_t> remembered = location ? m_containerPlaces[id] : m_containers[id.index()];
    if (remembered.first.isValid() && remembered.second == m_writes)
        return remembered.first;
    std::vector<TermId> children{value.term};
    for (const ValueId item : m_trace.items(value))
        children.push_back(read(item, location));
    const TermId term = m_terms.make({.kind = TermKind::group}, children);
    (location ? m_containerPlaces[id] : m_containers[id.index()]) = {term, m_writes};
    return term;
}

} // namespace sunder
