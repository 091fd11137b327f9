// The verbs of the document that change tags: each an undo step.
#include "document/document.h"
#include "document/tag_commands.h"
#include "document/tag_edits.h"
#include "document/text.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <utility>

namespace sunder {

/// Work whose result the document takes over: at once in a small model, by a job in a large one. `done` is not called
/// when another model was opened meanwhile.
template <typename T>
void Document::compute(const QString& title, std::function<Result<T>()> work, std::function<void(Result<T>)> done)
{
    if (!m_tagWatch.isLarge(m_snapshot)) {
        done(work());
        return;
    }
    m_jobs->start<T>(
        {.key = QStringLiteral("compute"), .title = title}, [work = std::move(work)](ProgressMonitor&) { return work(); }, this,
        [this, snapshot = m_snapshot, done = std::move(done)](Result<T> result) {
            if (isOf(snapshot))
                done(std::move(result));
        });
}

int Document::paint(std::span<const NodeId> nodes, int tag, int stroke)
{
    if (!isOpen() || tag < TagAssignment::kUntagged || tag >= tagCount())
        return 0;
    RetagCommand::Changes changes = changesTo(m_state, *m_snapshot, nodes, tag);
    if (changes.empty())
        return 0;
    const int count = static_cast<int>(changes.size());
    const QString verb = tag < 0 ? tr("Erase") : tr("Paint %1").arg(tagName(tag));
    m_undoStack.push(new RetagCommand(*this, std::move(changes), stroke, verb));
    return count;
}

int Document::erase(std::span<const NodeId> nodes, int stroke)
{
    return paint(nodes, TagAssignment::kUntagged, stroke);
}

void Document::fillInUntagged()
{
    if (!isOpen())
        return;
    using Found = RetagCommand::Changes;
    compute<Found>(
        tr("Fill in untagged"),
        [snapshot = m_snapshot, tags = m_state.tags]() -> Result<Found> {
            return earliestTags(legalityTables(snapshot->program), tags);
        },
        [this](Result<Found> found) {
            if (!found)
                return;
            // A stroke may have come in between: what it painted stays.
            std::erase_if(*found, [this](const auto& change) { return m_state.tags[change.first] >= 0; });
            if (!found->empty())
                m_undoStack.push(new RetagCommand(*this, std::move(*found), 0, tr("Fill in untagged")));
        });
}

void Document::tagInStages(int count, StageMeasure measure, std::function<void(const Error&)> failed)
{
    if (!isOpen())
        return;
    compute<TagState>(
        tr("Tag in %1 equal stages").arg(count),
        [snapshot = m_snapshot, count, measure]() -> Result<TagState> {
            Result<TagAssignment> stages = consecutiveStages(snapshot->program, static_cast<std::uint32_t>(count), measure);
            if (!stages)
                return forward(stages);
            return stateOf(std::move(*stages), {}, snapshot->graph());
        },
        [this, count, failed = std::move(failed)](Result<TagState> state) {
            if (state)
                pushState(std::move(*state), tr("Tag in %1 equal stages").arg(count));
            else if (failed)
                failed(state.error());
        });
}

void Document::setTags(TagAssignment tags, const QString& undoText, std::vector<TagColor> colors)
{
    if (isOpen())
        pushState(stateOf(std::move(tags), std::move(colors), graph()), undoText);
}

void Document::takeRepairedTags(TagAssignment tags, const QString& undoText)
{
    if (!isOpen())
        return;
    std::vector<TagColor> colors;
    const std::vector<InternedString>& names = m_state.tags.order;
    for (const InternedString name : tags.order)
        colors.push_back(m_state.colors[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())]);
    TagState state = stateOf(std::move(tags), std::move(colors), graph());
    const InternedString active = m_state.active >= 0 ? names[static_cast<std::size_t>(m_state.active)] : InternedString();
    if (const auto at = std::ranges::find(state.tags.order, active); at != state.tags.order.end())
        state.active = static_cast<int>(at - state.tags.order.begin());
    pushState(std::move(state), undoText);
}

void Document::markTagsSaved(const QString& path)
{
    m_tagsPath = path;
    m_undoStack.setClean();
    emit changed(Change::file);
}

void Document::apply(const Repair& repair)
{
    switch (repair.kind) {
    case Repair::Kind::retag: applyMove(repair); break;
    case Repair::Kind::fillIn: m_undoStack.push(new RetagCommand(*this, repair.changes, 0, tr("Fill in untagged"))); break;
    case Repair::Kind::mergeTags: applyMerge(repair); break;
    case Repair::Kind::reorder: reorderTags(repair.order, tr("Reorder tags")); break;
    case Repair::Kind::removeTag: removeTag(repair.tag); break;
    case Repair::Kind::stages: tagInStages(repair.tag, StageMeasure::bytes); break;
    case Repair::Kind::show:
        select(repair.nodes);
        emit revealRequested();
        break;
    }
}

/// Ops take another tag; tags that have none then go with them.
void Document::applyMove(const Repair& repair)
{
    if (repair.emptied.empty()) {
        paint(repair.nodes, repair.tag);
        return;
    }
    TagState state = m_state;
    for (const NodeId id : repair.nodes)
        state.tags.tagOf[id.index()] = repair.tag;
    pushState(withoutTags(std::move(state), repair.emptied), text(repair.label));
}

void Document::applyMerge(const Repair& repair)
{
    TagState state = m_state;
    for (std::int32_t& tag : state.tags.tagOf)
        if (std::ranges::find(repair.order, tag) != repair.order.end())
            tag = repair.tag;
    std::vector<int> gone = repair.order;
    std::erase(gone, repair.tag);
    pushState(withoutTags(std::move(state), std::move(gone)), text(repair.label));
}

void Document::setActiveTag(int tag)
{
    if (tag == m_state.active || tag < 0 || tag >= tagCount())
        return;
    m_state.active = tag;
    m_tagWatch.lookAtProblems(); // repairs name the active tag
    emit changed(Change::activeTag | Change::check);
}

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
    if (const QString why = whyNotCalled(m_state, tag, wanted); !why.isEmpty())
        return why;
    pushState(withName(m_state, tag, interned(wanted)), tr("Rename %1 to %2").arg(tagName(tag), wanted));
    return {};
}

void Document::recolorTag(int tag, const QColor& color)
{
    if (tag >= 0 && tag < tagCount())
        pushState(withColor(m_state, tag, color), tr("Recolour %1").arg(tagName(tag)));
}

void Document::setTagHue(int tag, std::uint32_t hue)
{
    if (tag >= 0 && tag < tagCount())
        pushState(withHue(m_state, tag, hue), tr("Recolour %1").arg(tagName(tag)));
}

void Document::moveTag(int from, int to)
{
    if (from != to && from >= 0 && from < tagCount() && to >= 0 && to < tagCount())
        reorderTags(orderWithMoved(tagCount(), from, to), tr("Move %1").arg(tagName(from)));
}

void Document::reorderTags(const std::vector<int>& order, const QString& undoText)
{
    if (order.size() == m_state.colors.size())
        pushState(reordered(m_state, order), undoText);
}

void Document::removeTag(int tag)
{
    if (tag >= 0 && tag < tagCount())
        pushState(withoutTag(m_state, tag), tr("Remove %1").arg(tagName(tag)));
}

void Document::pushState(TagState state, const QString& undoText)
{
    m_undoStack.push(new TagStateCommand(*this, std::move(state), undoText));
}

void Document::swapTags(std::vector<std::pair<NodeId, std::int32_t>>& changes)
{
    for (auto& [id, tag] : changes)
        std::swap(m_state.tags.tagOf[id.index()], tag);
    tagsChanged();
}

void Document::swapState(TagState& state)
{
    std::swap(m_state, state);
    tagsChanged(Change::tagList | Change::activeTag);
}

void Document::tagsChanged(Changes more)
{
    const bool wasCurrent = m_splitCurrent;
    if (more.testFlag(Change::tagList) && m_tagWatch.isLarge(m_snapshot))
        m_tagWatch.forgetTotals(m_state.tags.order.size()); // it counted other tags
    look();
    if (wasCurrent != m_splitCurrent)
        more |= Change::outcome;
    emit changed(more | Change::tags | Change::check);
}

} // namespace sunder
