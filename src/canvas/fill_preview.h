#pragma once

#include "canvas/canvas_sight.h"

#include <QColor>
#include <QPainter>
#include <QPixmap>
#include <QString>

#include <vector>

namespace sunder {

/// What a fill would take, as a canvas shows it before it is done.
struct FillPreview {
    std::vector<NodeId> nodes; ///< that would change; ascending
    QColor color;              ///< of the tag that they would get
    QString title;             ///< "all Linear modules"
    QString target = {};       ///< "→ stage1", which stays where the title is cut
    QString amount;            ///< "96 ops, 1.2 GB"; empty: it is being looked for, or nothing would be taken
    QString legality;          ///< whether the cut stays legal
    bool isWorse = false;      ///< it would have more that stands in the way of a split

    [[nodiscard]] bool empty() const { return title.isEmpty(); }
    /// All of it, as a screen reader says it.
    [[nodiscard]] QString words() const;
};

/// The items that a preview takes, found once a picture, and the card with its words.
class FillOverlay final {
public:
    void set(FillPreview preview);
    [[nodiscard]] const FillPreview& preview() const { return m_preview; }
    /// Where the card stands, as a point of the view beside which it has room.
    void moveTo(QPointF at) { m_at = at; }
    void paint(QPainter& painter, const CanvasSight& sight) const;
    /// Closed items that are taken, whole or in part.
    [[nodiscard]] std::size_t itemCount(const CanvasScene& scene) const;

private:
    void find(const CanvasScene& scene) const;
    /// The marks of items as they are seen now; painted anew only where something else is to be seen.
    const QPixmap& layer(const CanvasSight& sight, double pixelRatio) const;
    void paintItems(QPainter& painter, const CanvasSight& sight) const;
    void paintCard(QPainter& painter, const CanvasSight& sight) const;

    FillPreview m_preview;
    QPointF m_at;
    mutable ScenePicturePtr m_picture; ///< that the items are of
    mutable std::vector<ItemId> m_whole;
    mutable std::vector<ItemId> m_partly;
    mutable QPixmap m_layer; ///< null: to be painted
    mutable Camera m_layerCamera;
};

} // namespace sunder
