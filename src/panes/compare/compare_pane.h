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
class CutTimes;

/// Compares two runs of the same kind: the source drawn twice, each in the colors of one run and with the moved ops marked, and a
/// table of the changes. Both pictures share one camera. For runs of different kinds the pane explains why they cannot be
/// compared.
class ComparePane final : public Pane {
    Q_OBJECT

public:
    ComparePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);
    ~ComparePane() override;

    /// Compares the runs with these numbers.
    void compare(int before, int after);
    [[nodiscard]] int before() const { return m_before; }
    [[nodiscard]] int after() const { return m_after; }
    [[nodiscard]] SharingTable& table();
    [[nodiscard]] CanvasWidget& canvasBefore() { return m_viewBefore->canvas(); }
    [[nodiscard]] CanvasWidget& canvasAfter();
    [[nodiscard]] QString summary() const;
    [[nodiscard]] GraphView* graphInFront() override { return m_comparison ? m_viewBefore : nullptr; }
    void refreshTheme() override;
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

signals:
    /// Emitted when another pair of runs is shown.
    void compared();

private:
    void documentChanged(Changes what);
    void connectChoices();
    void fillChoices();
    void compute(const Run& first, const Run& second);
    void devicesChanged();
    /// Shows a comparison. If it is null, shows `why` there is none, or else how to get one.
    void show(const RunComparisonPtr& comparison, const QString& why = {});
    void connectCanvas(CanvasWidget& canvas);
    void linkCanvases();
    void showSelection();
    /// Scrolls to the first moved op if no moved op is visible.
    void showMoved();
    void showTimes();
    void reveal();
    [[nodiscard]] PictureStyle styleOf(const TagAssignment& homes, std::vector<TagLook> looks) const;

    Document& m_document;
    Jobs& m_jobs;
    GraphView* m_viewBefore; ///< requests and draws the picture
    std::unique_ptr<Ui::ComparePane> m_ui; ///< its second canvas shows the same picture
    ComparisonModel* m_model;
    CutTimes* m_times;
    int m_before = 0;
    int m_after = 0;
    SnapshotPtr m_drawn; ///< source of the current picture
    RunComparisonPtr m_comparison;
    bool m_isNew = false; ///< the running comparison is of other runs than the shown ones
    bool m_showMoved = false; ///< call showMoved() once there is a picture
    bool m_picking = false; ///< the selection originates here
    bool m_setting = false; ///< one camera is being copied to the other
};

} // namespace sunder
