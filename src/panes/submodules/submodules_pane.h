#pragma once

#include "panes/result_pane.h"
#include "panes/run_graph_view.h"

#include <QTabBar>

class QStackedWidget;

namespace sunder {

/// What a cut made: the main graph and every part, a tab each; selection linked with the source both ways.
class SubmodulesPane final : public ResultPane {
    Q_OBJECT

public:
    SubmodulesPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
    /// The view of the tab in front; null when there is none.
    [[nodiscard]] RunGraphView* currentView();
    void refreshTheme() override;

protected:
    void showResult() override;
    void showSelection(const std::vector<NodeRef>& selected) override;
    void showHovered(const std::vector<NodeRef>& hovered) override;
    void reveal() override;

private:
    struct Page {
        GraphId graph;
        int part = -1; ///< −1: the main graph
        QString name;
        RunGraphView* view = nullptr; ///< made when its tab first comes to the front
    };

    void showPage(int index);
    void connectView(RunGraphView& view);
    void activate(const RunGraphView& view, NodeId node);
    [[nodiscard]] PictureStyle styleOf(const Page& page) const;
    [[nodiscard]] NodeId callOf(const Page& page) const;

    Jobs& m_jobs;
    std::shared_ptr<const LayoutEngine> m_engine;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    std::vector<Page> m_pages;
    SplitOutcomePtr m_shown;
    std::vector<NodeRef> m_selected;
};

} // namespace sunder
