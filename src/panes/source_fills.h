#pragma once

#include "canvas/canvas_widget.h"
#include "document/fills.h"
#include "jobs/jobs.h"

#include <QObject>

#include <array>
#include <optional>

namespace sunder {

/// Fill and wand in the source: which scope is chosen, what they would take from where one points, and the doing. In a small
/// model the answer is there with the next frame, in a large one when a job has it.
class SourceFills final : public QObject {
    Q_OBJECT

public:
    SourceFills(Document& document, Jobs& jobs, CanvasWidget& canvas, QObject* parent);

    /// The scope of the tool in the hand: the wand has one of its own.
    [[nodiscard]] FillScope scope() const;
    /// That of the fill, from now on.
    void setScope(FillScope scope);
    void stepScope(int by);
    /// Wider or narrower by so many steps, as far as there are any.
    void stepWidth(int by);
    [[nodiscard]] bool canWiden() const;
    [[nodiscard]] bool canNarrow() const;

signals:
    /// Another scope, or another width is possible.
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
    void look();
    void lookInJob();
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
    Pick m_pick;                                 ///< nothing: no nodes
    Pick m_first;                                ///< between two: where it begins
    std::optional<FillPlan> m_plan;              ///< of the pick, with the tags as they are
    bool m_takes = false;                        ///< it is to be done when it is found
    std::shared_ptr<const OccurrenceTable> m_occurrences; ///< of this model; null: not looked for yet
};

} // namespace sunder
