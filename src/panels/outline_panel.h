#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QItemSelection>
#include <QLineEdit>
#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class OutlinePanel;
}

class OutlineModel;

/// The modules and nodes of the model as a tree. Selected rows select their nodes. A selection made elsewhere is shown by the
/// visible rows whose nodes are all selected; a single node by its nearest visible row.
class OutlinePanel final : public QWidget {
    Q_OBJECT

public:
    OutlinePanel(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~OutlinePanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] QLineEdit& filter();
    /// Shows the parts of this cut in the strips, as in the source; null: the painted tags.
    void showCut(const SplitOutcomePtr& cut);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// Emitted when a row was activated (Enter, double click): views should open the module, or show the node.
    void activated(const QString& modulePath, const std::vector<sunder::NodeId>& nodes);
    /// Emitted for a right click, with the path of the clicked module (empty: none); the window opens a menu for it and the
    /// selection.
    void menuRequested(const QPoint& globalPosition, const QString& module, const std::vector<sunder::NodeId>& nodes);

private:
    void connectCosts();
    /// Shows the listed cost as a column, or hides it.
    void showCosts();
    /// Sorts the rows of each module by the cost, greatest first, or as in the model.
    void sortByCost(bool isOn);
    void rebuild();
    void setFilter(const QString& text);
    void goToMatches();
    /// Expands the root, and its only children if there are few.
    void openTop();
    void showSelection();
    [[nodiscard]] QItemSelection rowsOfSelection() const;
    /// Adds the selected rows below a visible one. before[i] is the number of selected nodes among the first i nodes of the tree.
    void addSelectedRows(const QModelIndex& parent, const std::vector<std::uint32_t>& before, QItemSelection& rows) const;
    void selectCurrent();
    void requestMenu(const QPoint& at);

    Document& m_document;
    Jobs& m_jobs;
    OutlineModel* m_model;
    int m_sortedBy = 0; ///< column
    bool m_following = false; ///< the view is following the document and must not change it
    std::unique_ptr<Ui::OutlinePanel> m_ui;
};

} // namespace sunder
