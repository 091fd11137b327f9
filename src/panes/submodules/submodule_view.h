#pragma once

#include "panes/run_graph_view.h"
#include "panes/submodules/interface_panel.h"
#include "passes/split_tables.h"

#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class SubmoduleView;
}

class CodePanel;
class NamesPanel;

/// The content of a part's view. `both` needs room for two columns; otherwise the graph is shown.
enum class SubmoduleMode : quint8 { graph, code, both, names };

/// One part of a cut, or its main graph: the interface table and, below it, the graph, the code, both side by side, or the names.
/// All are linked with each other and with the document; each is created when first shown.
class SubmoduleView final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kRoomForBoth = 700;

    SubmoduleView(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, const QString& key, PartPage page,
                  QWidget* parent = nullptr);
    ~SubmoduleView() override;

    [[nodiscard]] const PartPage& page() const { return m_page; }
    void setMode(SubmoduleMode mode);
    /// The shown content: `graph` instead of `both` if there is no room.
    [[nodiscard]] SubmoduleMode shownMode() const;
    void setInterfaceVisible(bool visible);
    /// Null until first shown, as are the next two.
    [[nodiscard]] RunGraphView* graph() const { return m_graph; }
    [[nodiscard]] CodePanel* code() const { return m_code; }
    [[nodiscard]] NamesPanel* names() const { return m_names; }
    [[nodiscard]] InterfacePanel& interfacePanel() const;

    void setNameTable(std::shared_ptr<const NameTable> table);
    void showSelection(const std::vector<NodeRef>& selected, const std::vector<NodeId>& calls);
    void showHovered(const std::vector<NodeRef>& hovered, const std::vector<NodeId>& calls = {});
    /// Marks the search hits in the run, and the calls in this graph that represent hits.
    void showFound(const std::vector<NodeRef>& hits, const std::vector<NodeId>& calls);
    /// Scrolls to the selection, except in the child where it was picked.
    void reveal();
    /// Returns whether a pick in this view is being handled, so that the view need not follow.
    [[nodiscard]] bool isPicking() const;
    void refreshTheme();

signals:
    /// Emitted when the graph was created and needs its colors.
    void graphMade(sunder::RunGraphView* graph);
    /// Requests the name table, see setNameTable().
    void namesWanted();
    void interfaceShown();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showMode();
    void shareHeight();
    void makeGraph();
    void makeCode();
    void makeNames();
    void readInterface();
    void printCode();
    void markFoundLines();
    void pick(NodeId node, SelectionMode mode, const QWidget* where);
    [[nodiscard]] std::vector<NodeId> here(const std::vector<NodeRef>& refs) const;

    Document& m_document;
    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    QString m_key;
    PartPage m_page;
    SubmoduleMode m_mode = SubmoduleMode::graph;
    std::unique_ptr<Ui::SubmoduleView> m_ui;
    bool m_heightChosen = false;
    RunGraphView* m_graph = nullptr;
    CodePanel* m_code = nullptr;
    NamesPanel* m_names = nullptr;
    std::shared_ptr<const NameTable> m_table;
    std::vector<NodeRef> m_selected;
    std::vector<NodeId> m_calls;
    std::vector<NodeId> m_found; ///< search hits in this graph
    std::vector<NodeId> m_foundCalls;
    const QWidget* m_picking = nullptr; ///< child whose pick is being handled
};

} // namespace sunder
