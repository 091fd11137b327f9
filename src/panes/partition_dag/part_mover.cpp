#include "panes/partition_dag/part_mover.h"

#include "document/text.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/move_trial.h"
#include "panes/partition_dag/node_drag.h"
#include "panes/sequence/load_bars.h"
#include "text/amounts.h"

#include <algorithm>
#include <utility>

namespace sunder {

PartMover::PartMover(Document& document, Jobs& jobs, DagView& view, QWidget& pane)
    : QObject(&pane), m_document(document), m_view(view), m_pane(pane), m_card(new MoveCard(&pane)),
      m_trial(new MoveTrial(jobs, this))
{
    connect(m_card, &MoveCard::accepted, this, [this] {
        const std::vector<NodeId> nodes = m_moving;
        const int target = m_target;
        cancel();
        make(nodes, target);
    });
    connect(m_card, &MoveCard::stepped, this, &PartMover::moveSelection);
    connect(m_card, &MoveCard::rejected, this, &PartMover::cancel);
    connect(&m_view, &DagView::dragStarted, this, [this](DagHit place) {
        if (const DagHandle* handle = handleAt(m_view, place))
            dragHandle(*handle);
    });
    connect(&m_view, &DagView::dragged, this, &PartMover::previewDragged);
    connect(&m_view, &DagView::dropped, this, &PartMover::make);
    connect(&document.steps(), &QUndoStack::indexChanged, this, &PartMover::followSteps);
}

void PartMover::setMeasure(CutMeasurePtr measure)
{
    cancel();
    m_shownBox = -1;
    m_measure = std::move(measure);
}

QString PartMover::nameOf(const std::vector<NodeId>& nodes) const
{
    return nodes.size() == 1 ? text(m_measure->source()->graph()[nodes.front()].name) : countText(nodes.size(), "op");
}

void PartMover::selectionChanged()
{
    if (!m_moving.empty() && m_moving != selectedCalls())
        cancel();
}

void PartMover::previewDragged(const std::vector<NodeId>& nodes, int box)
{
    if (box < 0 || !m_measure) {
        m_draggedOver = -1;
        m_trial->cancel();
        m_card->hide();
        m_view.setTarget(-1);
    } else if (box != m_draggedOver || nodes != m_dragged) {
        m_draggedOver = box;
        m_dragged = nodes;
        preview(nodes, box, false);
    }
}

std::vector<NodeId> PartMover::selectedCalls() const
{
    std::vector<NodeId> calls;
    if (m_measure)
        for (const NodeId id : m_document.marks().selection().source)
            if (m_measure->source()->isCall(id))
                calls.push_back(id);
    return calls;
}

void PartMover::moveCurrent()
{
    const DagHandle* handle = m_view.hasFocus() ? handleAt(m_view, m_view.current()) : nullptr;
    if (handle != nullptr)
        moveHandle(*handle);
    else
        moveSelection(1);
}

void PartMover::moveHandle(const DagHandle& handle)
{
    const int by = handle.leaves ? 1 : -1;
    if (!std::ranges::binary_search(m_document.marks().selection().source, handle.node))
        m_document.marks().select({handle.node});
    moveSelection(by);
}

void PartMover::dragHandle(const DagHandle& handle)
{
    m_document.loads().want();
    std::vector<NodeId> nodes = selectedCalls();
    if (!std::ranges::binary_search(nodes, handle.node))
        nodes = {handle.node};
    dragNodes(*m_view.viewport(), nodes, nameOf(nodes));
}

void PartMover::moveSelection(int by)
{
    const int last = static_cast<int>(m_view.content().boxes.size()) - 1;
    const std::vector<NodeId> calls = selectedCalls();
    if (calls.empty() || last < 1) {
        emit message(calls.empty() ? tr("First select the ops to move.") : tr("There is no other part to move them to."));
        return;
    }
    int from = m_moving == calls ? m_target : -1;
    for (std::size_t i = 0; i < calls.size() && (m_moving != calls || m_target < 0); ++i) {
        const int box = m_view.content().boxOf(m_measure->partOf(calls[i]));
        from = from < 0 ? box : by > 0 ? std::max(from, box) : std::min(from, box);
    }
    int to = from + by;
    if (m_moving != calls && (to < 0 || to > last)) // only the opposite direction is possible
        to = from - by;
    begin(calls, std::clamp(to, 0, last));
}

void PartMover::begin(std::vector<NodeId> nodes, int box)
{
    if (!m_measure)
        return;
    m_document.loads().want();
    m_moving = std::move(nodes);
    m_target = box;
    m_view.ensureShown({DagHit::Kind::box, box});
    preview(m_moving, box, true);
    m_card->setFocus();
}

void PartMover::cancel()
{
    const bool hadFocus = m_card->hasFocus() || m_card->isAncestorOf(m_pane.focusWidget());
    m_trial->cancel();
    m_moving.clear();
    m_target = -1;
    m_draggedOver = -1;
    m_card->hide();
    m_view.setTarget(-1);
    if (hadFocus)
        m_view.setFocus();
}

void PartMover::preview(std::vector<NodeId> nodes, int box, bool withButtons)
{
    std::erase_if(nodes,
                  // nodes dragged from elsewhere
                  [&](NodeId id) { return id.index() >= m_measure->source()->graph().idBound(); });
    const std::int32_t part = m_view.content().boxes[static_cast<std::size_t>(box)].part;
    if (!m_trial->isAtOnce(*m_measure)) {
        m_view.setTarget(box);
        m_card->showWords(
            {.title = tr("Move %1 to %2").arg(nameOf(nodes), nameOfBox(m_view, box)), .lines = {}, .verdict = tr("Computing…")},
            withButtons);
        placeCard(box);
    }
    m_trial->start(m_measure, std::move(nodes), part,
                   [this, box, withButtons](const MovePreview& preview) { showWords(preview, box, withButtons); });
}

void PartMover::showWords(const MovePreview& preview, int box, bool withButtons)
{
    MoveWords words = wordsOf(*m_measure, m_view.content(), preview);
    words.lines << loadLines(preview);
    m_shown = preview;
    m_shownBox = box;
    m_hasButtons = withButtons;
    m_view.setTarget(box, words.isLegal);
    m_card->showWords(words, withButtons);
    placeCard(box);
}

QStringList PartMover::loadLines(const MovePreview& preview) const
{
    constexpr std::uint32_t kMostCalls = 8'000; // a few milliseconds at every box that a drag reaches
    if (m_measure->cut()->plan || preview.moved.empty() || m_measure->graph()->callCount > kMostCalls)
        return {};
    Loads& loads = m_document.loads();
    loads.want();
    TagAssignment moved = m_measure->tags();
    const std::optional<CutLoads> before = loads.of(moved);
    for (const NodeId id : preview.moved)
        moved.tagOf[id.index()] = preview.to;
    const std::optional<CutLoads> now = loads.of(moved);
    if (!now)
        return {};
    std::vector<std::int32_t> changed;
    for (const PartChange& change : preview.parts)
        changed.push_back(change.part);
    std::vector<TagLook> looks;
    for (const InternedString name : moved.order)
        looks.push_back({text(name), {}, {}});
    return loadWords(*loads.problem(), before, *now, looks, changed).lines();
}

/// Places the card next to the box if there is room, otherwise over its lower edge; always completely within the pane, even if
/// the view is low.
void PartMover::placeCard(int box)
{
    const QRect seen = m_view.viewRectOf({DagHit::Kind::box, box}).toRect();
    const QRect at(m_view.viewport()->mapTo(&m_pane, seen.topLeft()), seen.size());
    const QRect room = m_pane.rect().adjusted(8, 8, -8, -8);
    QPoint place(at.right() + 12, at.top());
    if (place.x() + m_card->width() > room.right())
        place = {at.left() - 12 - m_card->width(), at.top()};
    if (place.x() < room.left())
        place = {at.left() + 16, at.bottom() + 8};
    place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - m_card->width())));
    if (place.y() + m_card->height() > room.bottom() && at.top() - 8 - m_card->height() >= room.top()
        && place.x() >= at.left() - 8)
        place.setY(at.top() - 8 - m_card->height());
    place.setY(std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - m_card->height())));
    m_card->move(place);
}

void PartMover::costsChanged()
{
    if (!m_card->isHidden() && m_measure && !m_trial->isRunning() && m_shownBox >= 0 && !m_shown.moved.empty())
        showWords(MovePreview(m_shown), m_shownBox, m_hasButtons);
}

void PartMover::placeAgain()
{
    if (!m_card->isHidden() && m_target >= 0)
        placeCard(m_target);
}

void PartMover::make(const std::vector<NodeId>& nodes, int box)
{
    if (!m_measure || box < 0)
        return;
    const std::int32_t to = m_view.content().boxes[static_cast<std::size_t>(box)].part;
    const QString name = nameOfBox(m_view, box);
    std::vector<NodeId> moved;
    for (const NodeId id : nodes)
        if (id.index() < m_measure->source()->graph().idBound() && m_measure->source()->isCall(id) && m_measure->partOf(id) != to)
            moved.push_back(id);
    if (moved.empty()) {
        emit message(tr("Nothing to move: the ops are already in %1.").arg(name));
        return;
    }
    const QString what = nameOf(moved);
    if (m_measure->cut()->plan) {
        if (isOtherThanPainted())
            emit replacementAsked(tr("Move %1 to %2").arg(what, name), [this, moved, to, name, of = m_measure] {
                if (of == m_measure) // otherwise another cut is shown by now
                    moveInPartition(moved, to, name);
            });
        else
            moveInPartition(moved, to, name);
        return;
    } else {
        const std::vector<InternedString>& order = m_document.tags().order;
        const auto tag = std::find(order.begin(), order.end(), m_measure->tags().order[static_cast<std::size_t>(to)]);
        if (tag == order.end()) {
            emit message(tr("Not moved: the tag %1 was removed after this split. Split again first.").arg(name));
            return;
        }
        if (m_document.painting().paint(moved, static_cast<int>(tag - order.begin())) == 0)
            return; // the reason was reported already
        emit message(tr("Tagged %1 as %2. Split again (Ctrl+Return) to see the result.").arg(what, name));
    }
    emit made();
}

/// Returns whether any tags are painted that differ from the parts of this partition.
bool PartMover::isOtherThanPainted() const
{
    const TagAssignment& painted = m_document.tags();
    const TagAssignment& parts = m_measure->tags();
    bool isPainted = false;
    bool isOther = false;
    for (const NodeId id : m_measure->source()->graph().nodes()) {
        if (!m_measure->source()->isCall(id))
            continue;
        const std::int32_t tag = painted[id];
        const std::int32_t part = parts[id];
        isPainted = isPainted || tag >= 0;
        isOther = isOther || tag < 0 || part < 0
            || painted.order[static_cast<std::size_t>(tag)] != parts.order[static_cast<std::size_t>(part)];
    }
    return isPainted && isOther;
}

void PartMover::moveInPartition(const std::vector<NodeId>& moved, std::int32_t to, const QString& name)
{
    const QString what = nameOf(moved);
    if (!takeOver(moved, to, tr("Convert the partition to tags, move %1 to %2").arg(what, name)))
        return;
    noteTakenOver(tr("Moved %1 to %2. The parts of the partition are now your tags; split to see the result.").arg(what, name));
    emit message(m_takenOver);
    emit made();
}

void PartMover::takeOverAsTags()
{
    if (!m_measure)
        return;
    if (!takeOver({}, -1, tr("Convert %1 to tags").arg(m_measure->cut()->plan ? tr("the partition") : tr("the cut"))))
        return;
    const auto count = countText(m_view.content().boxes.size(), "tag");
    noteTakenOver(m_measure->cut()->plan ? tr("Converted the partition to %1. Edit them, then split.").arg(count) : QString());
    emit message(m_measure->cut()->plan ? m_takenOver : tr("Converted the cut to %1.").arg(count));
    emit made();
}

/// Makes the cut, with `moved` in part `to`, the tags of the source, in one undo step. Returns false and reports the reason if
/// locked tags prevent it.
bool PartMover::takeOver(const std::vector<NodeId>& moved, std::int32_t to, const QString& undoText)
{
    TagAssignment tags = m_measure->tags();
    tags.tagOf.resize(std::max<std::size_t>(tags.tagOf.size(), m_measure->source()->graph().idBound()), TagAssignment::kUntagged);
    for (const NodeId id : moved)
        tags.tagOf[id.index()] = to;
    std::vector<TagTraits> traits;
    for (std::size_t i = 0; i < tags.order.size(); ++i) {
        TagColor color{.hue = static_cast<std::uint32_t>(i)};
        if (const int box = m_view.content().boxOf(static_cast<std::int32_t>(i)); box >= 0 && m_measure->cut()->plan) {
            const DagLane& lane = m_view.content().lanes[m_view.content().boxes[static_cast<std::size_t>(box)].lane];
            for (const Device& device : m_view.content().devices)
                if (!device.color.empty() && lane.name == text(device.name))
                    color.own = QColor(text(device.color));
        }
        traits.push_back({.color = color});
    }
    return m_document.tagSources().setTags(std::move(tags), undoText, std::move(traits)).isEmpty();
}

void PartMover::noteTakenOver(const QString& text)
{
    m_takenOver = text;
    m_step = m_document.steps().index();
    m_command = m_document.steps().command(m_step - 1);
}

void PartMover::followSteps()
{
    if (m_takenOver.isEmpty())
        return;
    if (m_document.steps().command(m_step - 1) != m_command) // the step was undone and replaced by another
        forgetTakenOver();
    emit made();
}

} // namespace sunder

#include "moc_part_mover.cpp"
