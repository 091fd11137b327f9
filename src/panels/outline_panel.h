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

/// Modules and nodes of the model as a tree. Selecting rows, as in a file manager, selects their nodes; a
/// selection made elsewhere is shown by the rows in sight that are all selected, a single node at the nearest row that is in sight.
class OutlinePanel final : public QWidget {
    Q_OBJECT

public:
    OutlinePanel(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~OutlinePanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] QLineEdit& filter();
    /// Strips show the parts of this cut, as the source's colours do; null: the painted tags.
    void showCut(const SplitOutcomePtr& cut);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// A row was activated (Enter, double click): views should open the module, or show the node.
    void activated(const QString& modulePath, const std::vector<sunder::NodeId>& nodes);
    /// Right click: the window offers what can be done with the selection, and with the module whose row was clicked (its path;
    /// empty: none).
    void menuRequested(const QPoint& globalPosition, const QString& module, const std::vector<sunder::NodeId>& nodes);

private:
    void rebuild();
    void setFilter(const QString& text);
    /// The root, and what is in it where that says little.
    void openTop();
    void showSelection();
    [[nodiscard]] QItemSelection rowsOfSelection() const;
    /// Adds rows below this one, which are in sight. `before`: how many of the tree's nodes before each place are selected.
    void addSelectedRows(const QModelIndex& parent, const std::vector<std::uint32_t>& before, QItemSelection& rows) const;
    void selectCurrent();
    void requestMenu(const QPoint& at);

    Document& m_document;
    Jobs& m_jobs;
    OutlineModel* m_model;
    bool m_following = false; ///< the view follows the document: do not answer
    std::unique_ptr<Ui::OutlinePanel> m_ui;
};

} // namespace sunder
