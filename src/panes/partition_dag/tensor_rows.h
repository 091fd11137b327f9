#pragma once

#include <QTreeView>

namespace sunder {

/// A tree view whose rows are dragged as a chip next to the cursor. Images of whole rows would cover the move card.
class TensorRows final : public QTreeView {
    Q_OBJECT

public:
    using QTreeView::QTreeView;

protected:
    void startDrag(Qt::DropActions actions) override;
};

} // namespace sunder
