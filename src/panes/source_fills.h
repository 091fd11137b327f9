#pragma once

#include "canvas/canvas_widget.h"
#include "document/document.h"
#include "document/fills.h"
#include "jobs/jobs.h"

#include <QObject>

#include <array>
#include <optional>

namespace sunder {

/// The fill and wand tools in the source: the chosen scope, the preview under the mouse, and the execution. In a small model the
/// preview is ready with the next frame, in a large one a job computes it.
class SourceFills final : public QObject {
    Q_OBJECT

public:
    SourceFills(Document& document, Jobs& jobs, CanvasWidget& canvas, QObject* parent);

    /// The scope of the active tool; the wand has a fixed one.
    [[nodiscard]] FillScope scope() const;
    /// Sets the scope of the fill tool.
    void setScope(FillScope scope);
    void stepScope(int by);
    /// Widens or narrows by this many steps, as far as possible.
    void stepWidth(int by);
    [[nodiscard]] bool canWiden() const;
    [[nodiscard]] bool canNarrow() const;

signals:
    /// Emitted when the scope or the possible widths changed.
    void changed();
    void message(const QString& text);

private:
    struct Pick {
        std::vector<NodeId> nodes;
        std::string module;
    };
    using Found = Result<FillPlan>;

    [[nodiscard]] std::size_t& width();
    void point(const std::vector<NodeId>& nodes, const QString& module);
    void take(const std::vector<NodeId>& nodes, const QString& module);
    void cancel();
    void updateFill();
    void fillInJob();
    void show(const Found& found);
    [[nodiscard]] static QString amountOf(const FillPlan& plan);
    void showWaiting(const QString& what);
    void done();
    void findRegions();
    void documentChanged(Changes what);
    void forgetModel();

    Document& m_document;
    Jobs& m_jobs;
    CanvasWidget& m_canvas;
    FillScope m_scope = FillScope::module;
    std::array<std::size_t, 2> m_width = {0, 0}; ///< of the fill, of the wand
    Pick m_pick;                                 ///< without nodes: nothing
    Pick m_first;                                ///< start of a fill between two ops
    std::optional<FillPlan> m_plan;              ///< for the pick and the current tags
    bool m_takes = false;                        ///< execute the plan once it is found
    std::shared_ptr<const OccurrenceTable> m_occurrences; ///< of this model; null: not searched yet
};

} // namespace sunder
