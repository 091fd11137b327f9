#pragma once

#include "document/runs/cut_measure.h"
#include "document/runs/partition_preview.h"
#include "models/balance_model.h"

namespace sunder {

/// The cut in the Partition DAG with its measurements: the shown run, the preview of its partition for changed devices, or a
/// cut that a dialog proposes. A job measures each cut; until it ends, the measurements of the previous cut stay.
class ShownCut final : public QObject {
    Q_OBJECT

public:
    ShownCut(Document& document, Jobs& jobs, QObject* parent);

    [[nodiscard]] PartitionPreview& preview() const { return *m_preview; }
    /// Sets the shown run; 0 and null: none.
    void setRun(int number, SplitOutcomePtr run);
    [[nodiscard]] int runNumber() const { return m_number; }
    [[nodiscard]] const SplitOutcomePtr& run() const { return m_run; }
    /// Sets a cut that precedes the run and its preview; null: none. Its outcome has tags only. `plan`: of a balanced cut.
    void setProposal(const TagAssignment* tags, BalancePlanPtr plan);
    [[nodiscard]] bool hasProposal() const { return m_proposed != nullptr; }
    /// Null if there is no proposal, or it is not balanced.
    [[nodiscard]] const BalancePlanPtr& proposedPlan() const { return m_proposedPlan; }
    /// Returns whether the proposal is measured.
    [[nodiscard]] bool isProposalMeasured() const { return m_measure && m_proposed && m_measure->cut() == m_proposed; }
    /// Returns the outcome of the proposal, of the preview, or of the run; null if there is none.
    [[nodiscard]] const SplitOutcomePtr& outcome() const;
    /// Null until the first cut is measured.
    [[nodiscard]] const CutMeasurePtr& measure() const { return m_measure; }
    /// Returns the run number of the measured cut; 0 if it is not a run, as a proposal, or about to be replaced.
    [[nodiscard]] int measuredNumber() const;
    /// Returns whether the measured cut is the shown run, not a preview.
    [[nodiscard]] bool isRunMeasured() const { return !isProposalMeasured() && measuredNumber() == m_number; }
    /// Measures the memory of a partition by PyTorch's count (MemoryRule::keepsAll) instead of the peak of a run.
    void setCountsAsTorch(bool on);
    [[nodiscard]] bool countsAsTorch() const { return m_countsAsTorch; }

signals:
    /// Emitted when a measurement starts and there is no previous one to show.
    void measuring();
    /// Emitted when measure() changed.
    void measured();
    /// Emitted when a preview that is already measured became a run.
    void renumbered();

private:
    void start();

    Document& m_document;
    Jobs& m_jobs;
    PartitionPreview* m_preview;
    int m_number = 0;
    SplitOutcomePtr m_run;
    BalancePlanPtr m_proposedPlan;
    SplitOutcomePtr m_proposed;   ///< the tags of the proposal
    SnapshotPtr m_proposedFor; ///< its model
    CutMeasurePtr m_measure;
    bool m_countsAsTorch = false;
};

} // namespace sunder
