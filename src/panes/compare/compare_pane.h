#pragma once

#include "document/document.h"
#include "document/runs/compare_runs.h"
#include "panes/compare/sharing_table.h"
#include "panes/graph_view.h"
#include "panes/pane.h"

#include <memory>

namespace sunder {

namespace Ui {
class ComparePane;
}

class ComparisonModel;

/// Two runs of one kind beside each other: the source in the colours of each, what moved marked in both, and a table of
/// what changed. Both pictures show the same place at the same scale. Runs of different kinds: why they cannot be compared.
class ComparePane final : public Pane {
    Q_OBJECT

public:
    ComparePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~ComparePane() override;

    /// Compares these two runs.
    void compare(int before, int after);
    [[nodiscard]] int before() const { return m_before; }
    [[nodiscard]] int after() const { return m_after; }
    [[nodiscard]] SharingTable& table();
    [[nodiscard]] CanvasWidget& canvasBefore() { return m_viewBefore->canvas(); }
    [[nodiscard]] CanvasWidget& canvasAfter();
    [[nodiscard]] QString summary() const;
    [[nodiscard]] GraphView* graphInFront() override { return m_comparison ? m_viewBefore : nullptr; }
    void refreshTheme() override;

signals:
    /// Two runs stand beside each other, where others or none did before.
    void compared();

private:
    void documentChanged(Changes what);
    void connectChoices();
    void fillChoices();
    void compute(const Run& first, const Run& second);
    void devicesChanged();
    /// Null: why there is nothing to show, or how to get something.
    void show(const RunComparisonPtr& comparison, const QString& why = {});
    void connectCanvas(CanvasWidget& canvas);
    void linkCanvases();
    void showSelection();
    /// The first of what moved, where none of it is in sight.
    void showMoved();
    void reveal();
    [[nodiscard]] PictureStyle styleOf(const TagAssignment& homes, std::vector<TagLook> looks) const;

    Document& m_document;
    Jobs& m_jobs;
    GraphView* m_viewBefore;       ///< draws the picture
    std::unique_ptr<Ui::ComparePane> m_ui; ///< its other canvas shows the same one
    ComparisonModel* m_model;
    int m_before = 0;
    int m_after = 0;
    SnapshotPtr m_drawn; ///< the source whose picture is shown
    RunComparisonPtr m_comparison;
    bool m_isNew = false;     ///< the comparison under way is of other runs than those that are shown
    bool m_showMoved = false; ///< once there is a picture
    bool m_picking = false;   ///< the selection is being made here
    bool m_setting = false;   ///< one camera is being set after the other
};

} // namespace sunder
