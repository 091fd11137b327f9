#include "canvas/stroke_preview.h"

namespace sunder {

QColor StrokePreview::color(StrokeKind kind, const PictureStyle& style) const
{
    const auto tag = static_cast<std::size_t>(m_tag);
    return kind == StrokeKind::paint && m_tag >= 0 && tag < style.tags.size() ? style.tags[tag].style.color : QColor();
}

void StrokePreview::start(StrokeKind kind)
{
    m_kind = kind;
    m_isUnderWay = true;
}

std::vector<ItemId> StrokePreview::take(CanvasScene& scene, std::span<const NodeId> nodes) const
{
    if (m_kind == StrokeKind::paint && !color(m_kind, scene.style()).isValid())
        return {};
    PictureStyle& style = scene.editStyle();
    const std::int32_t tag = m_kind == StrokeKind::erase ? PictureStyle::kUntagged : m_tag;
    std::vector<ItemId> changed;
    for (const NodeId node : nodes) {
        if (style.tag(node) == PictureStyle::kTakesNoTag || node.index() >= style.tagOf.size())
            continue;
        style.tagOf[node.index()] = tag;
        if (tag >= 0)
            style.marked.erase(node);
        if (const ItemId item = scene.itemOf(node))
            changed.push_back(item);
    }
    return changed;
}

} // namespace sunder
