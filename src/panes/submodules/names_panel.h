#pragma once

#include "panes/submodules/name_model.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QTreeView;

namespace sunder {

namespace Ui {
class NamesPanel;
}

/// The names of a part's nodes in the source and in the cut, with a field that searches both.
class NamesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit NamesPanel(QWidget* parent = nullptr);
    ~NamesPanel() override;
    [[nodiscard]] NameModel& model() { return *m_model; }
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] QLineEdit& filterField();
    void show(std::shared_ptr<const NameTable> table, std::int32_t part, const std::vector<InternedString>& names);
    /// Marks the row of this node without emitting a signal.
    void showNode(NodeRef node);

signals:
    void nodePicked(sunder::NodeRef node);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showCount();
    void shareWidth();
    void pick(const QModelIndex& index);

    NameModel* m_model;
    bool m_isOfAll = false; ///< for the main graph: names of all parts
    bool m_showing = false;
    std::unique_ptr<Ui::NamesPanel> m_ui;
};

} // namespace sunder
