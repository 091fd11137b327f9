#pragma once

#include "canvas/canvas_sight.h"

#include <QColor>
#include <QPainter>
#include <QPixmap>
#include <QString>

#include <vector>

namespace sunder {

/// The effects of a fill, shown before it is executed.
struct FillPreview {
    std::vector<NodeId> nodes; ///< nodes that would change; ascending
    QColor color;              ///< of the new tag
    QString title;             ///< "all Linear modules"
    QString target = {};       ///< "→ stage1"; never elided, unlike the title
    QString amount;            ///< "96 ops, 1.2 GB"; empty: being computed, or nothing changes
    QString legality;          ///< whether the cut stays legal
    bool isWorse = false;      ///< the fill would add problems that block a split

    [[nodiscard]] bool empty() const { return title.isEmpty(); }
    /// Returns all texts in one sentence for screen readers.
    [[nodiscard]] QString words() const;
};

/// The items of a preview, computed once per picture, and the card with its texts.
class FillOverlay final {
public:
    void set(FillPreview preview);
    [[nodiscard]] const FillPreview& preview() const { return m_preview; }
    /// Places the card next to this point of the view.
    void moveTo(QPointF at) { m_at = at; }
    void paint(QPainter& painter, const CanvasSight& sight) const;
    /// Returns the number of closed items that would change, completely or partly.
    [[nodiscard]] std::size_t itemCount(const CanvasScene& scene) const;

private:
    void find(const CanvasScene& scene) const;
    /// Returns the marks of the items in the view; repainted only after changes.
    const QPixmap& layer(const CanvasSight& sight, double pixelRatio) const;
    void paintItems(QPainter& painter, const CanvasSight& sight) const;
    void paintCard(QPainter& painter, const CanvasSight& sight) const;

    FillPreview m_preview;
    QPointF m_at;
    mutable ScenePicturePtr m_picture; ///< picture of the items
    mutable std::vector<ItemId> m_whole;
    mutable std::vector<ItemId> m_partly;
    mutable QPixmap m_layer; ///< null: to be painted again
    mutable Camera m_layerCamera;
};

} // namespace sunder
