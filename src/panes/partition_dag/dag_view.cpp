#include "panes/partition_dag/dag_view.h"

#include "canvas/painted_children.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_heights.h"
#include "panes/partition_dag/node_drop.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

class DagAccessible final : public PaintedChildren {
public:
    explicit DagAccessible(DagView* view) : PaintedChildren(view) {}

    [[nodiscard]] QString nameOf(int index) const override
    {
        const DagChip* chip = chipOf(index);
        return chip == nullptr || chip->handle < 0 ? view().describe(placeOfChild(index)) : textOf(view().content(), *chip);
    }
    [[nodiscard]] QString descriptionOf(int index) const override
    {
        const DagChip* chip = chipOf(index);
        if (chip == nullptr || chip->handle < 0)
            return {};
        return QObject::tr("%1. On the boundary of its part: press M or Enter to move it to another part.")
            .arg(view().describe(placeOfChild(index)));
    }
    [[nodiscard]] QAccessible::Role roleOf(int index) const override
    {
        return chipOf(index) != nullptr ? QAccessible::Button : QAccessible::ListItem;
    }
    void addState(int index, QAccessible::State& state) const override
    {
        const DagHit place = placeOfChild(index);
        const auto at = static_cast<std::size_t>(place.index);
        if (place.kind == DagHit::Kind::box) {
            state.selectable = true;
            state.selected = view().marks().selectedOps[at] > 0;
            state.expandable = true;
            state.expanded = view().layoutOfContent().isUnfolded(at);
            state.collapsed = !state.expanded;
        } else if (const DagChip* chip = chipOf(index); chip != nullptr && chip->handle >= 0) {
            state.selectable = true;
            state.selected = view().marks().selectedHandles[static_cast<std::size_t>(chip->handle)] != 0;
        } else if (chip != nullptr && chip->shared >= 0) {
            state.selectable = true;
            state.selected = view().marks().selectedShared[static_cast<std::size_t>(chip->shared)] != 0;
        }
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = view().viewRectOf(placeOfChild(index)).toAlignedRect();
        return {view().viewport()->mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] QString pressNameOf(int index) const override
    {
        const DagHit place = placeOfChild(index);
        if (place.kind == DagHit::Kind::box)
            return QObject::tr("Expand its graph");
        const DagChip* chip = chipOf(index);
        if (chip != nullptr && chip->shared >= 0)
            return QObject::tr("List its consumers");
        return chip != nullptr && chip->handle >= 0 ? QObject::tr("Move to another part") : QObject::tr("List its tensors");
    }
    void press(int index) override
    {
        view().setCurrent(placeOfChild(index));
        emit view().activated(placeOfChild(index));
    }
    [[nodiscard]] int current() const override { return childOf(view().current()); }

protected:
    [[nodiscard]] int countOfChildren() const override
    {
        return boxCount() + cutEdgeCount() + static_cast<int>(view().layoutOfContent().chips.size());
    }
    [[nodiscard]] int childIndexAt(QPoint global) const override
    {
        return childOf(view().placeAt(view().viewport()->mapFromGlobal(global)));
    }

private:
    [[nodiscard]] DagView& view() const { return *static_cast<DagView*>(object()); }
    [[nodiscard]] int boxCount() const { return static_cast<int>(view().content().boxes.size()); }
    [[nodiscard]] int cutEdgeCount() const { return static_cast<int>(view().content().cutEdges.size()); }
    [[nodiscard]] int childOf(DagHit place) const
    {
        switch (place.kind) {
        case DagHit::Kind::box: return place.index;
        case DagHit::Kind::cutEdge: return boxCount() + place.index;
        case DagHit::Kind::chip: return boxCount() + cutEdgeCount() + place.index;
        case DagHit::Kind::none: break;
        }
        return -1;
    }
    [[nodiscard]] DagHit placeOfChild(int index) const
    {
        if (index < boxCount())
            return {DagHit::Kind::box, index};
        index -= boxCount();
        return index < cutEdgeCount() ? DagHit{DagHit::Kind::cutEdge, index} : DagHit{DagHit::Kind::chip, index - cutEdgeCount()};
    }
    [[nodiscard]] const DagChip* chipOf(int index) const
    {
        const DagHit place = placeOfChild(index);
        return place.kind == DagHit::Kind::chip ? &view().layoutOfContent().chips[static_cast<std::size_t>(place.index)]
                                                : nullptr;
    }
};

/// Exposes a DagView to assistive technology as a list: its boxes in execution order, its edges, then the handles at the edges
/// of boxes. Call it once per process.
void installDagAccessibility()
{
    installPaintedChildren<DagAccessible, DagView>();
}

constexpr double kMinZoom = 0.35;
constexpr double kMaxZoom = 3;

bool isSameChip(const DagChip& a, const DagChip& b)
{
    return a.box == b.box && a.leaves == b.leaves && a.handle == b.handle && a.isBeside == b.isBeside && a.shared == b.shared;
}

} // namespace

DagView::DagView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Parts in execution order"));
    setObjectName(QStringLiteral("dagView"));
    installDagAccessibility();
    auto* drop = new NodeDrop(*this, [this](QPointF at) { return m_layout.boxAt(toContent(at)); });
    connect(drop, &NodeDrop::dragged, this, &DagView::dragged);
    connect(drop, &NodeDrop::dropped, this, &DagView::dropped);
}

void DagView::setContent(DagContent content)
{
    const DagHit before = current();
    m_content = std::move(content);
    m_marks = DagDecorations(m_content);
    m_pressed = {};
    if (m_graphs.size() != m_content.boxes.size())
        m_graphs.clear();
    arrange();
    const int boxes = static_cast<int>(m_content.boxes.size());
    setCurrent(before.kind == DagHit::Kind::box && before.index < boxes ? before
                   : boxes > 0                                          ? DagHit{DagHit::Kind::box, 0}
                                                                        : DagHit());
    PaintedChildren::childrenChanged(this);
}

void DagView::arrange()
{
    double zoom = this->zoom();
    if (m_isFitted) { // as if all boxes were folded, so that unfolding one does not change the sizes
        const DagHeights heights = heightsOf(m_content, viewport()->height(), 1);
        const double height = heights.whole(m_content);
        zoom = heights.isCompact ? 1.0 : std::clamp(viewport()->height() / height, DagLayout::kMinFitted, 1.0);
    }
    takeCamera(zoom);
    const std::vector<DagChip> before = std::move(m_layout.chips);
    m_layout = layOut(m_content,
                      {.width = viewport()->width() / zoom,
                       .height = static_cast<double>(viewport()->height()),
                       .zoom = zoom,
                       .graphHeights = graphHeights()});
    if (!std::ranges::equal(before, m_layout.chips, isSameChip)) {
        if (m_marks.currentChip >= 0) { // the same handle, or its box if the handle has no chip now
            const DagChip was = before[static_cast<std::size_t>(m_marks.currentChip)];
            const auto same = std::ranges::find_if(m_layout.chips, [&](const DagChip& chip) { return isSameChip(chip, was); });
            const bool isThere = same != m_layout.chips.end();
            m_marks.currentChip = isThere ? static_cast<int>(same - m_layout.chips.begin()) : -1;
            m_marks.currentBox = isThere ? -1 : static_cast<int>(was.box);
        }
        m_marks.chip = -1;
        PaintedChildren::childrenChanged(this);
    }
    const QSizeF size = m_layout.size * zoom;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.width())) - viewport()->width()));
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.height())) - viewport()->height()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    verticalScrollBar()->setPageStep(viewport()->height());
    horizontalScrollBar()->setSingleStep(24);
    verticalScrollBar()->setSingleStep(24);
    takeCamera(zoom);
    placeGraphs();
    m_view.invalidate();
}

void DagView::takeCamera(double zoom)
{
    const bool isAnother = zoom != this->zoom();
    m_view.setCamera(Camera(QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()) / zoom, zoom));
    if (isAnother)
        emit zoomed();
}

void DagView::setGraphs(std::vector<QWidget*> perBox)
{
    m_graphs.assign(perBox.begin(), perBox.end());
    const bool isAnyShown = m_layout.graphs.size() != perBox.size()
        || !std::ranges::all_of(m_layout.graphs, [](const QRectF& graph) { return graph.isNull(); });
    if (!isAnyShown && std::ranges::all_of(perBox, [](const QWidget* graph) { return graph == nullptr; }))
        return; // the layout is up to date
    for (QWidget* graph : perBox)
        if (graph != nullptr && graph->parent() != viewport())
            graph->setParent(viewport());
    arrange();
    PaintedChildren::childrenChanged(this);
}

/// Returns the height of the viewport below the head of a box.
std::vector<double> DagView::graphHeights() const
{
    constexpr double kHead = 104; // head of the box and some margin above and below
    constexpr double kMin = 180;
    constexpr double kMax = 560;
    std::vector<double> heights;
    for (const QPointer<QWidget>& graph : m_graphs)
        heights.push_back(graph ? std::clamp(viewport()->height() / zoom() - kHead, kMin, kMax) : 0);
    return heights;
}

void DagView::placeGraphs()
{
    for (std::size_t box = 0; box < m_graphs.size() && box < m_layout.graphs.size(); ++box) {
        if (!m_graphs[box])
            continue;
        m_graphs[box]->setGeometry(m_view.camera().toView(m_layout.graphs[box]).toAlignedRect());
        m_graphs[box]->show();
    }
}

void DagView::scrollContentsBy(int, int)
{
    takeCamera(zoom());
    placeGraphs();
}

void DagView::setSelectedHandles(std::vector<char> perHandle)
{
    m_marks.selectedHandles = std::move(perHandle);
    m_view.invalidate();
}

void DagView::setSelectedShared(std::vector<char> perValue)
{
    m_marks.selectedShared = std::move(perValue);
    m_view.invalidate();
}

void DagView::setSelectedOps(std::vector<std::size_t> perBox)
{
    m_marks.selectedOps = std::move(perBox);
    m_view.invalidate();
}

void DagView::setHoveredBoxes(std::vector<char> perBox)
{
    if (m_marks.hoveredBoxes == perBox)
        return;
    m_marks.hoveredBoxes = std::move(perBox);
    m_view.invalidate();
}

void DagView::setOpenCutEdge(int cutEdge)
{
    m_marks.openCutEdge = cutEdge;
    m_view.invalidate();
}

void DagView::setTarget(int box, bool isLegal)
{
    m_marks.target = box;
    m_marks.targetIsLegal = isLegal;
    m_view.invalidate();
}

void DagView::setCurrent(DagHit place)
{
    m_marks.setCurrent(place);
    m_view.invalidate();
    if (hasFocus())
        PaintedChildren::currentChanged(this);
}

DagHit DagView::placeAt(QPoint at) const
{
    const QPointF there = toContent(at);
    const std::vector<std::size_t> chips = shownChips(m_layout, m_marks);
    for (std::size_t i = 0; i < m_layout.cutEdges.size(); ++i)
        if (m_layout.cutEdges[i].label.contains(there) && isLabelShown(m_layout, chips, i))
            return {DagHit::Kind::cutEdge, static_cast<int>(i)};
    if (const int chip = chipAt(m_layout, m_marks, there); chip >= 0)
        return {DagHit::Kind::chip, chip};
    if (const int box = m_layout.boxAt(there); box >= 0)
        return {DagHit::Kind::box, box};
    const int cutEdge = m_layout.cutEdgeAt(there);
    return cutEdge >= 0 ? DagHit{DagHit::Kind::cutEdge, cutEdge} : DagHit();
}

int DagView::laneAt(QPoint at) const
{
    const auto lane = std::ranges::find_if(m_layout.lanes, [&](const QRectF& rect) { return rect.contains(toContent(at)); });
    return lane == m_layout.lanes.end() ? -1 : static_cast<int>(lane - m_layout.lanes.begin());
}

QRectF DagView::viewRectOf(DagHit place) const
{
    QRectF at;
    if (place.kind == DagHit::Kind::box)
        at = m_layout.boxes[static_cast<std::size_t>(place.index)];
    else if (place.kind == DagHit::Kind::chip)
        at = m_layout.chips[static_cast<std::size_t>(place.index)].rect;
    else if (place.kind == DagHit::Kind::cutEdge) {
        const std::size_t cutEdge = static_cast<std::size_t>(place.index);
        at = m_layout.cutEdges[cutEdge].label.isEmpty() ? m_layout.labelOf(cutEdge, 60) : m_layout.cutEdges[cutEdge].label;
    }
    return m_view.camera().toView(at);
}

QString DagView::describe(DagHit place) const
{
    if (place.kind == DagHit::Kind::box)
        return sunder::describe(m_content, m_content.boxes[static_cast<std::size_t>(place.index)]);
    if (place.kind == DagHit::Kind::cutEdge)
        return sunder::describe(m_content, m_content.cutEdges[static_cast<std::size_t>(place.index)]);
    if (place.kind == DagHit::Kind::chip)
        return sunder::describe(m_content, m_layout.chips[static_cast<std::size_t>(place.index)]);
    return {};
}

int DagView::boxOf(DagHit place) const
{
    return place.kind == DagHit::Kind::box ? place.index
        : place.kind == DagHit::Kind::chip ? static_cast<int>(m_layout.chips[static_cast<std::size_t>(place.index)].box)
                                           : -1;
}

void DagView::ensureShown(DagHit place)
{
    if (place.kind == DagHit::Kind::none)
        return;
    constexpr double kRoom = 12;
    const QRectF at = viewRectOf(place).adjusted(-kRoom, -kRoom, kRoom, kRoom);
    const auto shift = [](double low, double high, int extent) {
        return low < 0 ? low : high > extent ? std::min(low, high - extent) : 0.0;
    };
    horizontalScrollBar()->setValue(horizontalScrollBar()->value()
                                    + static_cast<int>(shift(at.left(), at.right(), viewport()->width())));
    verticalScrollBar()->setValue(verticalScrollBar()->value()
                                  + static_cast<int>(shift(at.top(), at.bottom(), viewport()->height())));
}

void DagView::setZoom(double zoom, QPointF keep)
{
    m_isFitted = false;
    const double x = toContent(keep).x();
    const double row = m_layout.rowAt(toContent(keep).y()); // box heights may change
    takeCamera(std::clamp(zoom, kMinZoom, kMaxZoom));
    arrange();
    moveTo(Camera(QPointF(x, m_layout.yOf(row)) - keep / this->zoom(), this->zoom()));
}

/// Limited to the content by the scroll bars.
void DagView::moveTo(const Camera& camera)
{
    const QPointF corner = camera.origin() * zoom();
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(corner.x())));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(corner.y())));
}

void DagView::zoomBy(double factor)
{
    setZoom(zoom() * factor, QRectF(viewport()->rect()).center());
}

void DagView::look(double zoom, QPointF corner)
{
    m_isFitted = false;
    takeCamera(std::clamp(zoom, kMinZoom, kMaxZoom));
    arrange();
    moveTo(Camera(corner, this->zoom()));
}

void DagView::fit()
{
    m_isFitted = true;
    arrange();
}

// Painting ----------------------------------------------------------------------------------------

void DagView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    m_marks.hasFocus = hasFocus();
    m_view.paint(painter,
                 {.background = currentTheme().canvas, .paint = [this](QPainter& into, const Camera& camera, const QRectF& part) {
                      constexpr double kReach = 24; // of lines and marks around their items
                      const QRectF seen(camera.toScene(part.topLeft()), part.size() / camera.zoom());
                      into.save();
                      into.translate(-camera.origin() * camera.zoom());
                      into.scale(camera.zoom(), camera.zoom());
                      DagPainter(into, currentTheme(), m_content, m_layout, m_marks)
                          .paint(seen.adjusted(-kReach, -kReach, kReach, kReach));
                      into.restore();
                  }});
    hiddenSelection().paint(painter, currentTheme(), font());
}

HiddenSelection DagView::hiddenSelection() const
{
    std::vector<QRectF> boxes;
    boxes.reserve(m_layout.boxes.size());
    for (const QRectF& box : m_layout.boxes)
        boxes.push_back(m_view.camera().toView(box));
    return {boxes, m_marks.selectedOps, viewport()->size()};
}

} // namespace sunder

#include "moc_dag_view.cpp"
