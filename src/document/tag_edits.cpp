#include "document/tag_edits.h"

#include "analysis/tag_palette.h"
#include "document/selection.h"
#include "document/text.h"
#include "tagging/repaired_tags.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sunder {

QString freeTagName(const TagState& state)
{
    const std::vector<InternedString>& order = state.tags.order;
    for (std::size_t number = order.size();; ++number) {
        const QString candidate = QStringLiteral("stage%1").arg(number);
        if (std::find(order.begin(), order.end(), interned(candidate)) == order.end())
            return candidate;
    }
}

TagColor freeColor(const TagState& state)
{
    std::uint32_t hue = 0;
    while (std::ranges::find(state.colors, hue, &TagColor::hue) != state.colors.end())
        ++hue;
    return {.hue = hue};
}

TagState withTag(TagState state, InternedString name, const TagColor& color)
{
    state.active = static_cast<int>(state.tags.order.size());
    state.tags.order.push_back(name);
    state.colors.push_back(color);
    return state;
}

TagState withName(TagState state, int tag, InternedString name)
{
    state.tags.order[static_cast<std::size_t>(tag)] = name;
    return state;
}

TagState withColor(TagState state, int tag, const QColor& color)
{
    state.colors[static_cast<std::size_t>(tag)].own = color;
    return state;
}

TagState withHue(TagState state, int tag, std::uint32_t hue)
{
    TagColor& chosen = state.colors[static_cast<std::size_t>(tag)];
    for (TagColor& other : state.colors)
        if (&other != &chosen && !other.own.isValid() && other.hue == hue)
            other = {.hue = chosen.hue, .isChosen = true};
    chosen = {.hue = hue, .isChosen = true};
    return state;
}

TagColor colorFromFile(std::string_view color, std::size_t place)
{
    const TagColor byPlace{.hue = static_cast<std::uint32_t>(place)};
    if (const std::optional<std::uint32_t> hue = hueOfColor(color))
        return {.hue = *hue, .isChosen = true};
    return {.hue = byPlace.hue, .own = QColor(text(color))};
}

std::string colorForFile(const TagColor& color)
{
    if (color.own.isValid())
        return color.own.name().toStdString();
    return color.isChosen && color.hue < kTagPalette.size() ? std::string(kTagPalette[color.hue]) : std::string();
}

TagState withoutTag(const TagState& state, int tag)
{
    TagState without{.tags = withoutTag(state.tags, tag), .colors = state.colors};
    without.colors.erase(without.colors.begin() + tag);
    const int active = tag < state.active ? state.active - 1 : state.active;
    without.active = std::min(active, static_cast<int>(without.tags.order.size()) - 1);
    return without;
}

TagState withoutTags(TagState state, std::vector<int> gone)
{
    std::ranges::sort(gone, std::greater());
    for (const int tag : gone)
        state = withoutTag(state, tag);
    return state;
}

TagState reordered(const TagState& state, std::span<const int> order)
{
    TagState other{.tags = reordered(state.tags, order), .colors = state.colors, .active = state.active};
    for (std::size_t i = 0; i < order.size(); ++i) {
        other.colors[i] = state.colors[static_cast<std::size_t>(order[i])];
        if (order[i] == state.active)
            other.active = static_cast<int>(i);
    }
    return other;
}

std::vector<int> orderWithMoved(int count, int from, int to)
{
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    return order;
}

QString whyNotCalled(const TagState& state, int tag, const QString& name)
{
    if (name.isEmpty())
        return QObject::tr("A tag needs a name: its part is called so.");
    if (name.contains(QLatin1Char('.')) || name.contains(QLatin1Char('\n')))
        return QObject::tr("“%1” cannot name a part: PyTorch allows no dot in it.").arg(name);
    for (std::size_t other = 0; other < state.tags.order.size(); ++other)
        if (static_cast<int>(other) != tag && text(state.tags.order[other]) == name)
            return QObject::tr("There is a tag “%1” already.").arg(name);
    return {};
}

std::vector<std::pair<NodeId, std::int32_t>> changesTo(const TagState& state, const Snapshot& snapshot,
                                                       std::span<const NodeId> nodes, int tag)
{
    std::vector<std::pair<NodeId, std::int32_t>> changes;
    for (const NodeId id : nodes)
        if (id && snapshot.isCall(id) && state.tags[id] != tag)
            changes.emplace_back(id, tag);
    makeSet(changes);
    return changes;
}

NodeId nextUntagged(const TagState& state, const Snapshot& snapshot, std::span<const NodeId> untagged, std::uint32_t position)
{
    NodeId first;
    for (const NodeId id : untagged) {
        if (state.tags[id] >= 0)
            continue; // painted while the check is under way
        if (snapshot.positions[id.index()] > position)
            return id;
        first = first ? first : id;
    }
    return first;
}

} // namespace sunder
