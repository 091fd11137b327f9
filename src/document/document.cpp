#include "document/document.h"

#include "analysis/stages.h"
#include "document/problems.h"
#include "document/tag_commands.h"
#include "document/text.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>

namespace sunder {

namespace {

/// Colours for a list of tags: by place, or as the program's tag table says.
std::vector<TagColor> colorsFor(const TagAssignment& tags, const std::optional<TagTable>& table)
{
    std::vector<TagColor> colors(tags.order.size());
    for (std::size_t i = 0; i < colors.size(); ++i) {
        colors[i].hue = static_cast<std::uint32_t>(i);
        if (!table)
            continue;
        for (const auto& [tag, color] : table->colors)
            if (tag == tags.order[i])
                colors[i].own = QColor(text(color));
    }
    return colors;
}

/// Every table long enough for every node, tags that are in no order dropped: what the window paints on.
void normalize(TagAssignment& tags, const Graph& graph)
{
    tags.tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    tags.unknownTags.clear();
    for (const NodeId id : graph.nodes())
        if (!graph[id].isCall())
            tags.tagOf[id.index()] = TagAssignment::kUntagged;
}

} // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this] { emit changed(Change::file); });
}

QString Document::displayName() const
{
    QString name = QFileInfo(m_filePath).fileName();
    for (const char* suffix : {".gz", ".fxj", ".pt2", ".json"})
        if (name.endsWith(QLatin1String(suffix), Qt::CaseInsensitive))
            name.chop(static_cast<qsizetype>(qstrlen(suffix)));
    return name;
}

QString Document::tagName(int tag) const
{
    return tag >= 0 && tag < tagCount() ? text(m_state.tags.order[static_cast<std::size_t>(tag)]) : QString();
}

// Opening -----------------------------------------------------------------------------------------

void Document::open(SnapshotPtr snapshot, const QString& path)
{
    m_snapshot = std::move(snapshot);
    m_filePath = path;
    m_tagsPath.clear();
    m_selection = {};
    m_outcome.reset();
    m_outcomeCurrent = false;
    TagAssignment tags = tagsOnNodes(m_snapshot->program);
    if (tags.order.empty())
        tags.order = {intern("stage0"), intern("stage1")};
    m_state = {.colors = colorsFor(tags, m_snapshot->program.tags), .active = 0};
    m_state.tags = std::move(tags);
    normalize(m_state.tags, graph());
    m_undoStack.clear();
    check();
    emit changed(Change::program | Change::tags | Change::tagList | Change::activeTag | Change::selection
                 | Change::outcome | Change::file);
}

void Document::close()
{
    m_snapshot.reset();
    m_filePath.clear();
    m_tagsPath.clear();
    m_state = {};
    m_report = {};
    m_totals = {};
    m_problems.clear();
    m_selection = {};
    m_outcome.reset();
    m_undoStack.clear();
    emit changed(Change::program | Change::tags | Change::tagList | Change::activeTag | Change::selection
                 | Change::outcome | Change::file);
}

// Painting ----------------------------------------------------------------------------------------

int Document::paint(std::span<const NodeId> nodes, int tag, int stroke)
{
    if (!isOpen() || tag < TagAssignment::kUntagged || tag >= tagCount())
        return 0;
    RetagCommand::Changes changes;
    for (const NodeId id : nodes)
        if (id && graph()[id].isCall() && m_state.tags[id] != tag)
            changes.emplace_back(id, tag);
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
    RetagCommand::Changes changes = earliestTags(graph(), m_state.tags);
    if (!changes.empty())
        m_undoStack.push(new RetagCommand(*this, std::move(changes), 0, tr("Fill in untagged")));
}

void Document::setTags(TagAssignment tags, const QString& undoText, std::vector<TagColor> colors)
{
    if (!isOpen())
        return;
    normalize(tags, graph());
    if (colors.size() != tags.order.size())
        colors = colorsFor(tags, {});
    TagState state{.tags = std::move(tags), .colors = std::move(colors)};
    state.active = state.tags.order.empty() ? -1 : 0;
    pushState(std::move(state), undoText);
}

void Document::loadTags(TagAssignment tags, std::vector<TagColor> colors, const QString& path)
{
    if (!isOpen())
        return;
    normalize(tags, graph());
    if (colors.size() != tags.order.size())
        colors = colorsFor(tags, {});
    m_state = {.colors = std::move(colors), .active = tags.order.empty() ? -1 : 0};
    m_state.tags = std::move(tags);
    m_tagsPath = path;
    m_undoStack.clear();
    tagsChanged(Change::tagList | Change::activeTag | Change::file);
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
    case Repair::Kind::stages:
        if (Result<TagAssignment> stages = consecutiveStages(m_snapshot->program, static_cast<std::uint32_t>(repair.tag)))
            setTags(std::move(*stages), tr("Tag in %1 equal stages").arg(repair.tag));
        break;
    case Repair::Kind::show:
        select(repair.nodes);
        emit revealRequested();
        break;
    }
}

// Checking ----------------------------------------------------------------------------------------

void Document::check()
{
    QElapsedTimer clock;
    clock.start();
    m_report = checkTags(m_snapshot->program, m_state.tags);
    m_totals = tagTotals(*m_snapshot, m_state.tags);
    m_checkMilliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    m_outcomeCurrent = m_outcome && m_outcome->tags.order == m_state.tags.order
        && m_outcome->tags.tagOf == m_state.tags.tagOf;
    listProblems();
}

void Document::listProblems()
{
    m_problems = problemsOf(*m_snapshot, m_state.tags, m_report, m_state.active,
                            m_outcomeCurrent ? m_outcome.get() : nullptr);
}

void Document::tagsChanged(Changes more)
{
    const bool wasCurrent = m_outcomeCurrent;
    check();
    if (wasCurrent != m_outcomeCurrent)
        more |= Change::outcome;
    emit changed(more | Change::tags);
}

// Selection ---------------------------------------------------------------------------------------

void Document::select(std::vector<NodeId> nodes, const QString& what)
{
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    Selection selection{.source = std::move(nodes), .what = what};
    if (isOpen() && selection.source.size() == 1)
        selection.focus = {m_snapshot->program.root, selection.source.front()};
    if (m_outcome)
        for (const NodeId id : selection.source)
            for (const IdentityMap::Pair& pair : m_outcome->split.map.resultsOf({m_snapshot->program.root, id}))
                selection.result.push_back(pair.result);
    std::sort(selection.result.begin(), selection.result.end());
    m_selection = std::move(selection);
    emit changed(Change::selection);
}

void Document::selectInResult(std::vector<NodeRef> nodes)
{
    if (!m_outcome)
        return;
    Selection selection{.inResult = true};
    if (nodes.size() == 1)
        selection.focus = nodes.front();
    const IdentityMap& map = m_outcome->split.map;
    for (const NodeRef ref : nodes)
        for (const IdentityMap::Pair& pair : map.sourcesOf(ref))
            if (pair.source.graph == m_snapshot->program.root)
                selection.source.push_back(pair.source.node);
    std::sort(selection.source.begin(), selection.source.end());
    selection.source.erase(std::unique(selection.source.begin(), selection.source.end()), selection.source.end());
    selection.result = std::move(nodes);
    // A call of a part stands for all in it; its counterparts in the parts would be everything at once.
    if (selection.source.size() == 1)
        for (const IdentityMap::Pair& pair : map.resultsOf({m_snapshot->program.root, selection.source.front()}))
            selection.result.push_back(pair.result);
    std::sort(selection.result.begin(), selection.result.end());
    selection.result.erase(std::unique(selection.result.begin(), selection.result.end()), selection.result.end());
    m_selection = std::move(selection);
    emit changed(Change::selection);
}

bool Document::selectNextUntagged()
{
    if (!isOpen() || m_report.untagged.empty())
        return false;
    const auto& positions = m_snapshot->positions;
    NodeId next = m_report.untagged.front();
    if (!m_selection.source.empty()) {
        const std::uint32_t here = positions[m_selection.source.front().index()];
        for (const NodeId id : m_report.untagged)
            if (positions[id.index()] > here) {
                next = id;
                break;
            }
    }
    select({next});
    emit revealRequested();
    return true;
}

// Splitting ---------------------------------------------------------------------------------------

void Document::setOutcome(SplitOutcomePtr outcome)
{
    m_outcome = std::move(outcome);
    check();
    select(m_selection.source, m_selection.what);
    emit changed(Change::outcome | Change::tags);
}

void Document::clearOutcome()
{
    m_outcome.reset();
    m_outcomeCurrent = false;
    m_selection.result.clear();
    check();
    emit changed(Change::outcome | Change::tags | Change::selection);
}

} // namespace sunder
