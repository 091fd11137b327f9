#include "document/document.h"

#include "document/tag_commands.h"
#include "document/text.h"
#include "tagging/repaired_tags.h"

#include <algorithm>
#include <set>

namespace sunder {

void Document::setActiveTag(int tag)
{
    if (tag == m_state.active || tag < 0 || tag >= tagCount())
        return;
    m_state.active = tag;
    listProblems(); // repairs name the active tag
    emit changed(Change::activeTag | Change::check);
}

TagColor Document::freeColor() const
{
    std::set<std::uint32_t> used;
    for (const TagColor& color : m_state.colors)
        used.insert(color.hue);
    std::uint32_t hue = 0;
    while (used.count(hue) > 0)
        ++hue;
    return {.hue = hue};
}

void Document::addTag(const QString& name)
{
    if (!isOpen())
        return;
    TagState state = m_state;
    QString wanted = name;
    for (int number = tagCount(); wanted.isEmpty(); ++number) {
        const QString candidate = QStringLiteral("stage%1").arg(number);
        if (std::find(state.tags.order.begin(), state.tags.order.end(), interned(candidate)) == state.tags.order.end())
            wanted = candidate;
    }
    state.tags.order.push_back(interned(wanted));
    state.colors.push_back(freeColor());
    state.active = tagCount();
    pushState(std::move(state), tr("Add %1").arg(wanted));
}

QString Document::renameTag(int tag, const QString& name)
{
    const QString wanted = name.trimmed();
    if (tag < 0 || tag >= tagCount() || wanted == tagName(tag))
        return {};
    if (wanted.isEmpty())
        return tr("A tag needs a name: its part is called so.");
    if (wanted.contains(QLatin1Char('.')) || wanted.contains(QLatin1Char('\n')))
        return tr("“%1” cannot name a part: PyTorch allows no dot in it.").arg(wanted);
    for (int other = 0; other < tagCount(); ++other)
        if (other != tag && tagName(other) == wanted)
            return tr("There is a tag “%1” already.").arg(wanted);
    TagState state = m_state;
    state.tags.order[static_cast<std::size_t>(tag)] = interned(wanted);
    pushState(std::move(state), tr("Rename %1 to %2").arg(tagName(tag), wanted));
    return {};
}

void Document::recolorTag(int tag, const QColor& color)
{
    if (tag < 0 || tag >= tagCount())
        return;
    TagState state = m_state;
    state.colors[static_cast<std::size_t>(tag)].own = color;
    pushState(std::move(state), tr("Recolour %1").arg(tagName(tag)));
}

void Document::moveTag(int from, int to)
{
    if (from == to || from < 0 || from >= tagCount() || to < 0 || to >= tagCount())
        return;
    std::vector<int> order(static_cast<std::size_t>(tagCount()));
    for (int i = 0; i < tagCount(); ++i)
        order[static_cast<std::size_t>(i)] = i;
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    reorderTags(order, tr("Move %1").arg(tagName(from)));
}

void Document::reorderTags(const std::vector<int>& order, const QString& undoText)
{
    if (order.size() != m_state.colors.size())
        return;
    TagState state{.tags = reordered(m_state.tags, order), .colors = m_state.colors, .active = m_state.active};
    for (std::size_t i = 0; i < order.size(); ++i) {
        state.colors[i] = m_state.colors[static_cast<std::size_t>(order[i])];
        if (order[i] == m_state.active)
            state.active = static_cast<int>(i);
    }
    pushState(std::move(state), undoText);
}

void Document::removeTag(int tag)
{
    if (tag < 0 || tag >= tagCount())
        return;
    TagState state{.tags = withoutTag(m_state.tags, tag), .colors = m_state.colors};
    state.colors.erase(state.colors.begin() + tag);
    state.active = std::min(m_state.active, tagCount() - 2);
    pushState(std::move(state), tr("Remove %1").arg(tagName(tag)));
}

void Document::pushState(TagState state, const QString& undoText)
{
    m_undoStack.push(new TagStateCommand(*this, std::move(state), undoText));
}

void Document::swapState(TagState& state)
{
    std::swap(m_state, state);
    tagsChanged(Change::tagList | Change::activeTag);
}

} // namespace sunder
