#pragma once

#include "document/document.h"
#include "panels/graph_view.h"
#include "panels/pane_header.h"

#include <QTabBar>
#include <QWidget>

class QStackedWidget;

namespace sunder {

/// What the last split made: the main graph and every part, a tab each; selection linked with the source both ways.
class ResultPane final : public QWidget {
    Q_OBJECT

public:
    ResultPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
    [[nodiscard]] PaneHeader& header() { return *m_header; }
    /// The view of the tab in front; null when there is none.
    [[nodiscard]] GraphView* currentView();
    void refreshTheme();
    /// Marks the counterparts of source nodes that are under the mouse elsewhere.
    void setHovered(const std::vector<NodeId>& sourceNodes);

signals:
    /// Source nodes whose counterparts are under the mouse; empty when it leaves them.
    void hovered(const std::vector<sunder::NodeId>& sourceNodes);
    void closeRequested();
    void exportRequested();

private:
    struct Page {
        GraphId graph;
        int tag = -1; ///< −1: the main graph
        QString name;
        GraphView* view = nullptr; ///< made when its tab first comes to the front
    };

    void rebuild();
    void showStatus();
    void showPage(int index);
    void showSelection();
    void showCounterparts();
    void reveal();
    void connectCanvas(GraphView& view);
    void select(const GraphView& view, const std::vector<NodeId>& nodes, SelectionMode mode);
    [[nodiscard]] PictureStyle styleOf(const Page& page) const;
    [[nodiscard]] NodeId callOf(const Page& page) const;
    [[nodiscard]] std::vector<NodeId> selectedIn(GraphId graph) const;

    Document& m_document;
    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    PaneHeader* m_header;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    std::vector<Page> m_pages;
    SplitOutcomePtr m_shown;
    std::vector<NodeId> m_calls;    ///< in the main graph: calls of the parts in which something is selected
    std::vector<NodeRef> m_hovered; ///< counterparts of what is under the mouse in the source
    bool m_selecting = false;
};

} // namespace sunder
