// What tools do to CanvasWidget: they move it, select and paint; strokes show before the owner has answered.
#include "canvas/canvas_widget.h"

namespace sunder {

QColor CanvasWidget::strokeColor(StrokeKind kind) const
{
    const std::vector<TagLook>& tags = m_scene.style().tags;
    const auto tag = static_cast<std::size_t>(m_activeTag);
    return kind == StrokeKind::paint && m_activeTag >= 0 && tag < tags.size() ? tags[tag].style.color : QColor();
}

void CanvasWidget::requestSelection(const std::vector<NodeId>& nodes, SelectionMode mode)
{
    emit selectionRequested(nodes, mode);
}

void CanvasWidget::startStroke(StrokeKind kind)
{
    m_strokeKind = kind;
    m_inStroke = true;
    emit strokeStarted(kind);
}

void CanvasWidget::extendStroke(const std::vector<NodeId>& nodes)
{
    const bool shows = m_strokeKind == StrokeKind::erase || strokeColor(m_strokeKind).isValid();
    if (shows) {
        PictureStyle& style = m_scene.editStyle();
        const std::int32_t tag = m_strokeKind == StrokeKind::erase ? PictureStyle::kUntagged : m_activeTag;
        for (const NodeId node : nodes) {
            if (style.tag(node) == PictureStyle::kTakesNoTag || node.index() >= style.tagOf.size())
                continue;
            style.tagOf[node.index()] = tag;
            if (tag >= 0)
                style.marked.erase(node);
            if (const ItemId item = m_scene.itemOf(node))
                m_view.invalidate(viewRectOf(item).adjusted(-8, -8, 8, 8));
        }
        update();
    }
    emit strokeExtended(nodes);
}

void CanvasWidget::finishStroke()
{
    m_inStroke = false;
    update();
}

void CanvasWidget::cancelStroke()
{
    m_inStroke = false;
    update();
    emit strokeCancelled();
}

} // namespace sunder
