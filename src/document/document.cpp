#include "document/document_compute.h"

#include "document/session_commands.h"
#include "document/tag_commands.h"
#include "document/text.h"
#include "tagging/tag_repairs.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {
constexpr Changes kEverything = Change::program | Change::tags | Change::tagList | Change::activeTag | Change::selection
    | Change::outcome | Change::file | Change::check | Change::runs;

} // namespace

Document::Document(Jobs* jobs, QObject* parent) : QObject(parent), m_jobs(jobs)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this] { emit changed(Change::file); });
}

QString Document::displayName() const
{
    if (!m_programName.isEmpty())
        return m_programName;
    QString name = QFileInfo(m_filePath).fileName();
    for (const char* suffix : {".gz", ".fxj", ".pt2", ".json"})
        if (name.endsWith(QLatin1String(suffix), Qt::CaseInsensitive))
            name.chop(static_cast<qsizetype>(qstrlen(suffix)));
    return name;
}

bool Document::isModified() const
{
    const int clean = m_undoStack.cleanIndex();
    if (clean < 0)
        return true;
    const int now = m_undoStack.index();
    for (int i = std::min(clean, now); i < std::max(clean, now); ++i)
        if (dynamic_cast<const SessionCommand*>(m_undoStack.command(i)) == nullptr)
            return true;
    return false;
}

QString Document::tagName(int tag) const
{
    return tag >= 0 && tag < tagCount() ? text(m_state.tags.order[static_cast<std::size_t>(tag)]) : QString();
}

// Opening -----------------------------------------------------------------------------------------

void Document::open(PreparedModel model, const QString& path)
{
    SnapshotPtr before = std::move(m_snapshot);
    auto runsBefore = std::make_shared<const std::vector<Run>>(std::exchange(m_runs, {}));
    m_snapshot = std::move(model.snapshot);
    m_filePath = path;
    m_programName = model.programName;
    m_tagsPath = model.tagsPath;
    m_selection = {};
    m_nextRun = 1;
    m_preview.reset();
    m_shownRuns = {};
    m_hovered.clear();
    m_found.clear();
    m_splitCurrent = false;
    m_state = std::move(model.state);
    m_check = std::move(model.check);
    m_checking = false;
    ++m_checkRevision;
    m_undoStack.clear();
    emit changed(kEverything);
    letGo(runsBefore);
    letGo(before);
}

void Document::setOperators(SnapshotPtr same)
{
    if (!isOf(same))
        return;
    std::swap(m_snapshot, same);
    emit changed(Change::operators);
    letGo(same);
}

void Document::close()
{
    open({}, {});
}

// Painting ----------------------------------------------------------------------------------------

int Document::paint(std::span<const NodeId> nodes, int tag, int stroke)
{
    if (!isOpen() || tag < TagAssignment::kUntagged || tag >= tagCount())
        return 0;
    RetagCommand::Changes changes;
    for (const NodeId id : nodes)
        if (id && m_snapshot->isCall(id) && m_state.tags[id] != tag)
            changes.emplace_back(id, tag);
    if (!std::is_sorted(changes.begin(), changes.end()))
        std::sort(changes.begin(), changes.end());
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
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

void Document::swapTags(std::vector<std::pair<NodeId, std::int32_t>>& changes)
{
    for (auto& [id, tag] : changes)
        std::swap(m_state.tags.tagOf[id.index()], tag);
    tagsChanged();
}

void Document::fillInUntagged()
{
    if (!isOpen())
        return;
    using Found = RetagCommand::Changes;
    compute<Found>(
        tr("Fill in untagged"),
        [snapshot = m_snapshot, tags = m_state.tags]() -> Result<Found> { return earliestTags(snapshot->graph(), tags); },
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
    if (!isOpen())
        return;
    pushState(stateOf(std::move(tags), std::move(colors), graph()), undoText);
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
    case Repair::Kind::retag: paint(repair.nodes, repair.tag); break;
    case Repair::Kind::fillIn: fillInUntagged(); break;
    case Repair::Kind::reorder: reorderTags(repair.order, tr("Reorder tags")); break;
    case Repair::Kind::removeTag: removeTag(repair.tag); break;
    case Repair::Kind::stages: tagInStages(repair.tag, StageMeasure::bytes); break;
    case Repair::Kind::show:
        select(repair.nodes);
        emit revealRequested();
        break;
    }
}

} // namespace sunder
