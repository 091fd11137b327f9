#pragma once

#include "panes/result_pane.h"

#include <QTreeView>

class QLabel;

namespace sunder {

class MovesModel;

/// The ops that moved to another tag, and the ops that stay at a boundary, each with its reason. A row leads to its op.
class MovesPane final : public ResultPane {
    Q_OBJECT

public:
    explicit MovesPane(Document& document, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView& view() { return *m_view; }
    void refreshTheme() override;

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>&) override {}
    void reveal() override;

private:
    void selectOps();

    MovesModel* m_model;
    QTreeView* m_view;
    QLabel* m_empty; ///< shown if no op is at a boundary
    bool m_following = false; ///< a selection made elsewhere is being shown
};

} // namespace sunder
