#include "document/tag_edits.h"

#include "analysis/part_names.h"
#include "analysis/tag_palette.h"
#include "document/selection.h"
#include "document/text.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <algorithm>
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
    const auto hueOf = [](const TagTraits& traits) { return traits.color.hue; };
    while (std::ranges::find(state.traits, hue, hueOf) != state.traits.end())
        ++hue;
    return {.hue = hue};
}

TagState withTag(TagState state, InternedString name, const TagColor& color)
{
    state.active = static_cast<int>(state.tags.order.size());
    state.tags.order.push_back(name);
    state.traits.push_back({.color = color});
    return state;
}

TagState withName(TagState state, int tag, InternedString name)
{
    state.tags.order[static_cast<std::size_t>(tag)] = name;
    return state;
}

TagState withColor(TagState state, int tag, const QColor& color)
{
    state.traits[static_cast<std::size_t>(tag)].color.own = color;
    return state;
}

TagState withHue(TagState state, int tag, std::uint32_t hue)
{
    TagColor& chosen = state.traits[static_cast<std::size_t>(tag)].color;
    for (TagTraits& other : state.traits)
        if (&other.color != &chosen && !other.color.own.isValid() && other.color.hue == hue)
            other.color = {.hue = chosen.hue, .isChosen = true};
    chosen = {.hue = hue, .isChosen = true};
    return state;
}

TagColor colorFromFile(std::string_view color, std::size_t place)
{
    const TagColor byPlace{.hue = static_cast<std::uint32_t>(place)};
    // Hues beyond the palette repeat its colors with a pattern, which files do not store.
    if (const std::optional<std::uint32_t> hue = hueOfColor(color))
        return *hue == byPlace.hue % kTagPalette.size() ? byPlace : TagColor{.hue = *hue, .isChosen = true};
    return {.hue = byPlace.hue, .own = QColor(text(color))};
}

std::string colorForFile(const TagColor& color)
{
    if (color.own.isValid())
        return color.own.name().toStdString();
    return std::string(kTagPalette[color.hue % kTagPalette.size()]);
}

TagState withoutTag(const TagState& state, int tag)
{
    TagState without = state;
    without.tags = withoutTag(state.tags, tag);
    without.traits.erase(without.traits.begin() + tag);
    without.active = std::min(state.active, static_cast<int>(without.tags.order.size()) - 1);
    return without;
}

TagState merged(const TagState& state, int from, int into)
{
    TagState other = state;
    other.tags = mergedTags(state.tags, from, into);
    other.traits.erase(other.traits.begin() + from);
    const int target = into > from ? into - 1 : into;
    other.active = state.active == from ? target : state.active > from ? state.active - 1 : state.active;
    return other;
}

TagState withCode(TagState state, int tag, const QString& code)
{
    state.traits[static_cast<std::size_t>(tag)].code = code.trimmed().toUpper();
    return state;
}

QString whyNotCoded(const TagState& state, int tag, const QString& code)
{
    constexpr qsizetype kMax = 3;
    const QString wanted = code.trimmed().toUpper();
    if (wanted.size() > kMax || !std::ranges::all_of(wanted, [](QChar c) { return c.isLetterOrNumber(); }))
        return QObject::tr("A code has one to three letters or digits.");
    for (std::size_t other = 0; other < state.traits.size() && !wanted.isEmpty(); ++other)
        if (static_cast<int>(other) != tag && state.traits[other].code == wanted)
            return QObject::tr("%1 already has the code %2.").arg(brief(text(state.tags.order[other])), wanted);
    return {};
}

TagState withLock(TagState state, int tag, bool isLocked)
{
    state.traits[static_cast<std::size_t>(tag)].isLocked = isLocked;
    return state;
}

TagState seenAs(TagState state, const TagState& seen)
{
    state.protectsTagged = seen.protectsTagged;
    for (std::size_t tag = 0; tag < state.traits.size(); ++tag) {
        const int named = tagCalled(seen.tags, state.tags.order[tag].view());
        const bool isSameList = state.traits.size() == seen.traits.size();
        if (named >= 0)
            state.traits[tag].isHidden = seen.traits[static_cast<std::size_t>(named)].isHidden;
        else if (isSameList)
            state.traits[tag].isHidden = seen.traits[tag].isHidden;
    }
    return state;
}

TagState withActiveOf(TagState state, const TagState& before)
{
    if (before.active >= 0)
        if (const int now = tagCalled(state.tags, before.tags.order[static_cast<std::size_t>(before.active)].view()); now >= 0)
            state.active = now;
    return state;
}

TagState reordered(const TagState& state, std::span<const int> order)
{
    TagState other = state;
    other.tags = reordered(state.tags, order);
    for (std::size_t i = 0; i < order.size(); ++i) {
        other.traits[i] = state.traits[static_cast<std::size_t>(order[i])];
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

QString whyNotCalled(const Graph& graph, const TagState& state, int tag, const QString& name)
{
    switch (faultOfTagName(graph, state.tags, tag, name.toStdString())) {
    case TagNameFault::empty: return QObject::tr("A tag needs a name; it becomes the name of the part.");
    case TagNameFault::dot: return QObject::tr("“%1” cannot name a part: it contains a dot.").arg(name);
    case TagNameFault::reserved:
        return QObject::tr("“%1” cannot name a part: %2.")
            .arg(name, text(whyNoPartName(graph, name.toStdString()).value_or(std::string())));
    case TagNameFault::taken: return QObject::tr("A tag “%1” already exists.").arg(name);
    case TagNameFault::none: break;
    }
    return {};
}

NodeId nextUntagged(const TagState& state, const Snapshot& snapshot, std::span<const NodeId> untagged, std::uint32_t position)
{
    NodeId first;
    for (const NodeId id : untagged) {
        if (state.tags[id] >= 0)
            continue; // tagged while the check was running
        if (snapshot.positions[id.index()] > position)
            return id;
        first = first ? first : id;
    }
    return first;
}

} // namespace sunder
