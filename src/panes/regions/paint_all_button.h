#pragma once

#include "panes/regions/region_painting.h"

#include <QToolButton>
#include <QWidget>

#include <optional>

namespace sunder {

/// Paints all occurrences of a group with the active tag; its arrow offers the other tags.
class PaintAllButton final : public QWidget {
    Q_OBJECT

public:
    PaintAllButton(Document& document, QWidget* parent);
    void setGroup(std::optional<RegionGroupRef> group);
    /// The tags, or the active one, or the colours have changed.
    void refresh();
    [[nodiscard]] QToolButton& button() { return *m_paint; }

private:
    Document& m_document;
    std::optional<RegionGroupRef> m_group;
    QToolButton* m_paint;
    QToolButton* m_other; ///< the other tags
};

} // namespace sunder
