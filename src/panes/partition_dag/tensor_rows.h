#pragma once

#include <QTreeView>

namespace sunder {

/// Rows that are dragged as a chip beside the cursor: whole rows would cover what the card says.
class TensorRows final : public QTreeView {
    Q_OBJECT

public:
    using QTreeView::QTreeView;

protected:
    void startDrag(Qt::DropActions actions) override;
};

} // namespace sunder
