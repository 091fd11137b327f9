#include "document/tag_list.h"

#include "analysis/training/backward_tags.h"
#include "document/document.h"
#include "document/followed_tags.h"
#include "document/text.h"
#include "tagging/tag_list.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {

void TagList::add(const QString& name)
{
    if (!document().isOpen())
        return;
    const QString wanted = name.isEmpty() ? freeTagName(m_store.state()) : name;
    m_store.pushState(withTag(m_store.state(), interned(wanted), freeColor(m_store.state())), QObject::tr("Add %1").arg(wanted));
}

QString TagList::rename(int tag, const QString& name)
{
    const QString wanted = name.trimmed();
    if (tag < 0 || tag >= document().tagCount() || wanted == document().tagName(tag))
        return {};
    if (const QString why = whyNotCalled(snapshot()->graph(), m_store.state(), tag, wanted); !why.isEmpty())
        return why;
    if (const std::int32_t forward = forwardTags(m_store.state().tags.order)[static_cast<std::size_t>(tag)];
        forward >= 0 && followsForward(m_store.state(), *snapshot()))
        return QObject::tr("The name of %1 follows from %2. Rename %2 instead.")
            .arg(brief(document().tagName(tag)), brief(document().tagName(forward)));
    const QString step = QObject::tr("Rename %1 to %2").arg(document().tagName(tag), wanted);
    TagBasis basis = m_store.basis();
    renameIn(basis.rules, document().tagName(tag).toStdString(), wanted.toStdString());
    if (basis.rules != m_store.basis().rules) // rules keep assigning the renamed tag
        m_store.pushBasis(withName(m_store.state(), tag, interned(wanted)), std::move(basis), step);
    else
        m_store.pushState(withName(m_store.state(), tag, interned(wanted)), step);
    return {};
}

void TagList::recolor(int tag, const QColor& color)
{
    if (tag >= 0 && tag < document().tagCount())
        m_store.pushState(withColor(m_store.state(), tag, color), QObject::tr("Recolor %1").arg(document().tagName(tag)));
}

void TagList::setHue(int tag, std::uint32_t hue)
{
    if (tag >= 0 && tag < document().tagCount())
        m_store.pushState(withHue(m_store.state(), tag, hue), QObject::tr("Recolor %1").arg(document().tagName(tag)));
}

void TagList::move(int from, int to)
{
    if (from != to && from >= 0 && from < document().tagCount() && to >= 0 && to < document().tagCount())
        reorder(orderWithMoved(document().tagCount(), from, to), QObject::tr("Move %1").arg(document().tagName(from)));
}

void TagList::reorder(const std::vector<int>& order, const QString& undoText)
{
    if (order.size() == m_store.state().traits.size())
        m_store.pushState(reordered(m_store.state(), order), undoText);
}

void TagList::remove(int tag)
{
    if (tag >= 0 && tag < document().tagCount() && !refusesAsLocked(tag))
        m_store.pushState(withoutTag(m_store.state(), tag), QObject::tr("Remove %1").arg(document().tagName(tag)));
}

void TagList::merge(int from, int into)
{
    const auto isThere = [this](int tag) { return tag >= 0 && tag < document().tagCount(); };
    if (isThere(from) && isThere(into) && from != into && !refusesAsLocked(from) && !refusesAsLocked(into))
        m_store.pushState(merged(m_store.state(), from, into),
                          QObject::tr("Merge %1 into %2").arg(document().tagName(from), document().tagName(into)));
}

void TagList::orderTopologically()
{
    if (!document().isOpen())
        return;
    const Result<std::vector<int>> order = topologicalTagOrder(snapshot()->graph(), m_store.state().tags);
    if (!order)
        say(sentence(order.error().message));
    else if (std::ranges::is_sorted(*order))
        say(QObject::tr("The tags are already in a legal order."));
    else
        reorder(*order, QObject::tr("Order tags topologically"));
}

QString TagList::setCode(int tag, const QString& code)
{
    if (tag < 0 || tag >= document().tagCount())
        return {};
    if (const QString why = whyNotCoded(m_store.state(), tag, code); !why.isEmpty())
        return why;
    TagState state = withCode(m_store.state(), tag, code);
    if (state.traits != m_store.state().traits)
        m_store.pushState(std::move(state), QObject::tr("Change the code of %1").arg(document().tagName(tag)));
    return {};
}

void TagList::setLocked(int tag, bool isLocked)
{
    if (tag >= 0 && tag < document().tagCount() && m_store.isLocked(tag) != isLocked)
        m_store.pushState(withLock(m_store.state(), tag, isLocked),
                          (isLocked ? QObject::tr("Lock %1") : QObject::tr("Unlock %1")).arg(document().tagName(tag)));
}

bool TagList::refusesAsLocked(int tag)
{
    if (m_store.isLocked(tag))
        say(QObject::tr("Nothing was changed: %1 is locked.").arg(brief(document().tagName(tag))));
    return m_store.isLocked(tag);
}

void TagList::setHidden(int tag, bool isHidden)
{
    if (tag < 0 || tag >= document().tagCount())
        return;
    m_store.m_state.traits[static_cast<std::size_t>(tag)].isHidden = isHidden;
    announce(Change::tags);
}

void TagList::solo(int tag)
{
    if (tag < 0 || tag >= document().tagCount())
        return;
    const auto shown = std::ranges::count(m_store.state().traits, false, &TagTraits::isHidden);
    if (shown == 1 && !m_store.state().traits[static_cast<std::size_t>(tag)].isHidden) {
        showAll();
        return;
    }
    for (int other = 0; other < document().tagCount(); ++other)
        m_store.m_state.traits[static_cast<std::size_t>(other)].isHidden = other != tag;
    announce(Change::tags);
}

void TagList::showAll()
{
    for (TagTraits& traits : m_store.m_state.traits)
        traits.isHidden = false;
    announce(Change::tags);
}

void TagList::setActive(int tag)
{
    if (tag >= document().tagCount() && document().isOpen())
        say(QObject::tr("There is no tag %1: the model has %2. Add one with Paint › Add a tag.")
                .arg(tag + 1)
                .arg(countText(static_cast<std::size_t>(document().tagCount()), "tag")),
            Change::activeTag | Change::tagList);
    if (tag == m_store.state().active || tag < 0 || tag >= document().tagCount())
        return;
    m_store.m_state.active = tag;
    document().checks().m_watch.updateProblems(); // labels of fixes contain the active tag
    announce(Change::activeTag | Change::check);
}

} // namespace sunder
