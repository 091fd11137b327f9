#include "document/document.h"

#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/text.h"

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
    const QString wanted = name.isEmpty() ? freeTagName(m_state) : name;
    pushState(withTag(m_state, interned(wanted), freeColor()), tr("Add %1").arg(wanted));
}

QString Document::renameTag(int tag, const QString& name)
{
    const QString wanted = name.trimmed();
    if (tag < 0 || tag >= tagCount() || wanted == tagName(tag))
        return {};
    if (const QString why = whyNotCalled(m_state, tag, wanted); !why.isEmpty())
        return why;
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
    reorderTags(orderWithMoved(tagCount(), from, to), tr("Move %1").arg(tagName(from)));
}

void Document::reorderTags(const std::vector<int>& order, const QString& undoText)
{
    if (order.size() != m_state.colors.size())
        return;
    pushState(reordered(m_state, order), undoText);
}

void Document::removeTag(int tag)
{
    if (tag < 0 || tag >= tagCount())
        return;
    pushState(withoutTag(m_state, tag), tr("Remove %1").arg(tagName(tag)));
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
