// Document verbs for the tag list, tag visibility, and painting of node lists.
#include "analysis/training/backward_tags.h"
#include "document/document.h"
#include "document/followed_tags.h"
#include "document/tag_commands.h"
#include "document/text.h"
#include "tagging/tag_list.h"

#include <algorithm>

namespace sunder {

void Document::addTag(const QString& name)
{
    if (!isOpen())
        return;
    const QString wanted = name.isEmpty() ? freeTagName(m_state) : name;
    pushState(withTag(m_state, interned(wanted), freeColor(m_state)), tr("Add %1").arg(wanted));
}

QString Document::renameTag(int tag, const QString& name)
{
    const QString wanted = name.trimmed();
    if (tag < 0 || tag >= tagCount() || wanted == tagName(tag))
        return {};
    if (const QString why = whyNotCalled(m_snapshot->graph(), m_state, tag, wanted); !why.isEmpty())
        return why;
    if (const std::int32_t forward = forwardTags(m_state.tags.order)[static_cast<std::size_t>(tag)];
        forward >= 0 && followsForward(m_state, *m_snapshot))
        return tr("The name of %1 follows from %2. Rename %2 instead.").arg(brief(tagName(tag)), brief(tagName(forward)));
    const QString step = tr("Rename %1 to %2").arg(tagName(tag), wanted);
    TagBasis basis = m_basis;
    renameIn(basis.rules, tagName(tag).toStdString(), wanted.toStdString());
    if (basis.rules != m_basis.rules) // rules keep assigning the renamed tag
        pushBasis(withName(m_state, tag, interned(wanted)), std::move(basis), step);
    else
        pushState(withName(m_state, tag, interned(wanted)), step);
    return {};
}

void Document::recolorTag(int tag, const QColor& color)
{
    if (tag >= 0 && tag < tagCount())
        pushState(withColor(m_state, tag, color), tr("Recolor %1").arg(tagName(tag)));
}

void Document::setTagHue(int tag, std::uint32_t hue)
{
    if (tag >= 0 && tag < tagCount())
        pushState(withHue(m_state, tag, hue), tr("Recolor %1").arg(tagName(tag)));
}

void Document::moveTag(int from, int to)
{
    if (from != to && from >= 0 && from < tagCount() && to >= 0 && to < tagCount())
        reorderTags(orderWithMoved(tagCount(), from, to), tr("Move %1").arg(tagName(from)));
}

void Document::reorderTags(const std::vector<int>& order, const QString& undoText)
{
    if (order.size() == m_state.traits.size())
        pushState(reordered(m_state, order), undoText);
}

void Document::removeTag(int tag)
{
    if (tag >= 0 && tag < tagCount() && !refusesAsLocked(tag))
        pushState(withoutTag(m_state, tag), tr("Remove %1").arg(tagName(tag)));
}

void Document::mergeTags(int from, int into)
{
    const auto isThere = [this](int tag) { return tag >= 0 && tag < tagCount(); };
    if (isThere(from) && isThere(into) && from != into && !refusesAsLocked(from) && !refusesAsLocked(into))
        pushState(merged(m_state, from, into), tr("Merge %1 into %2").arg(tagName(from), tagName(into)));
}

void Document::orderTagsTopologically()
{
    if (!isOpen())
        return;
    const Result<std::vector<int>> order = topologicalTagOrder(graph(), m_state.tags);
    if (!order)
        emit said(sentence(order.error().message));
    else if (std::ranges::is_sorted(*order))
        emit said(tr("The tags are already in a legal order."));
    else
        reorderTags(*order, tr("Order tags topologically"));
}

QString Document::setTagCode(int tag, const QString& code)
{
    if (tag < 0 || tag >= tagCount())
        return {};
    if (const QString why = whyNotCoded(m_state, tag, code); !why.isEmpty())
        return why;
    TagState state = withCode(m_state, tag, code);
    if (state.traits != m_state.traits)
        pushState(std::move(state), tr("Change the code of %1").arg(tagName(tag)));
    return {};
}

void Document::setTagLocked(int tag, bool isLocked)
{
    if (tag >= 0 && tag < tagCount() && this->isLocked(tag) != isLocked)
        pushState(withLock(m_state, tag, isLocked), (isLocked ? tr("Lock %1") : tr("Unlock %1")).arg(tagName(tag)));
}

bool Document::isLocked(int tag) const
{
    return m_state.traits[static_cast<std::size_t>(tag)].isLocked;
}

bool Document::refusesAsLocked(int tag)
{
    if (isLocked(tag))
        emit said(tr("Nothing was changed: %1 is locked.").arg(brief(tagName(tag))));
    return isLocked(tag);
}

void Document::setTagHidden(int tag, bool isHidden)
{
    if (tag < 0 || tag >= tagCount())
        return;
    m_state.traits[static_cast<std::size_t>(tag)].isHidden = isHidden;
    emit changed(Change::tags);
}

void Document::soloTag(int tag)
{
    if (tag < 0 || tag >= tagCount())
        return;
    const auto shown = std::ranges::count(m_state.traits, false, &TagTraits::isHidden);
    if (shown == 1 && !m_state.traits[static_cast<std::size_t>(tag)].isHidden) {
        showAllTags();
        return;
    }
    for (int other = 0; other < tagCount(); ++other)
        m_state.traits[static_cast<std::size_t>(other)].isHidden = other != tag;
    emit changed(Change::tags);
}

void Document::showAllTags()
{
    for (TagTraits& traits : m_state.traits)
        traits.isHidden = false;
    emit changed(Change::tags);
}

void Document::setProtecting(bool isProtecting)
{
    if (m_state.protectsTagged == isProtecting)
        return;
    m_state.protectsTagged = isProtecting;
    emit changed(Change::activeTag);
}

void Document::selectTag(int tag)
{
    if (!isOpen())
        return;
    std::vector<NodeId> nodes;
    for (const NodeId id : graph().nodes())
        if (m_snapshot->isCall(id) && m_state.tags[id] == tag)
            nodes.push_back(id);
    select(std::move(nodes));
}

int Document::paintList(std::span<const NodeId> nodes, int tag, const QString& what)
{
    if (!isOpen() || tag < TagAssignment::kUntagged || tag >= tagCount())
        return 0;
    return pushChanges(wantedOf(nodes, tag), 0,
                       tag < 0 ? tr("Erase %1").arg(what) : tr("Paint %1 with %2").arg(what, tagName(tag)));
}

void Document::paintWithNewTag(std::span<const NodeId> nodes, const QString& what)
{
    if (!isOpen())
        return;
    m_undoStack.beginMacro(tr("Paint %1 with a new tag").arg(what));
    addTag();
    paintList(nodes, activeTag(), what);
    m_undoStack.endMacro();
}

} // namespace sunder
