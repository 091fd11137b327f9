#pragma once

#include "document/document.h"
#include "document/runs/compare_runs.h"
#include "jobs/jobs.h"
#include "passes/balance/cut_figures.h"

#include <QObject>

#include <memory>
#include <optional>
#include <utility>

namespace sunder {

/// The times of two cuts.
struct CutTimesFigures {
    std::shared_ptr<const CutFigures> before = {}; ///< null: being computed
    std::shared_ptr<const CutFigures> after = {};
    std::optional<LoadBound> boundBefore = {};
    std::optional<LoadBound> boundAfter = {};
    QString whyNoBound = {}; ///< empty while the bound is being computed
    BalanceStep step = {};
    std::uint64_t statesPerParameter = 0; ///< numbers that the optimizer keeps for each parameter
};

/// Computes the times of two cuts in jobs: first their loads and the step of a schedule, then the bounds of their loads, which take
/// longer and can be canceled. It follows devices, sizes, and measured costs.
class CutTimes final : public QObject {
    Q_OBJECT

public:
    CutTimes(Document& document, Jobs& jobs, QObject* parent);

    /// Sets the runs and their cuts; a null comparison, or one of no cuts, stops.
    void setCuts(const RunComparisonPtr& comparison, const Run* before, const Run* after);
    void setStep(const BalanceStep& step, std::uint64_t statesPerParameter);
    [[nodiscard]] const CutTimesFigures& figures() const { return m_figures; }

signals:
    void changed();

private:
    struct Request;
    using Both = std::pair<std::shared_ptr<const CutFigures>, std::shared_ptr<const CutFigures>>;
    using Bounds = std::pair<std::optional<LoadBound>, std::optional<LoadBound>>;

    void documentChanged(Changes what);
    [[nodiscard]] Request request() const;
    /// Computes everything, or all but the bounds.
    void compute(bool withBounds);
    void computeBounds();

    Document& m_document;
    Jobs& m_jobs;
    RunComparisonPtr m_comparison;
    RunResult m_before;
    RunResult m_after;
    CutTimesFigures m_figures;
    std::size_t m_measuredRead = 0;
    JobId m_job;
    JobId m_boundJob;
};

} // namespace sunder
