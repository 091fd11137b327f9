#pragma once

#include "document/runs/cut_measure.h"
#include "document/runs/partition_preview.h"

namespace sunder {

/// The cut in the Partition DAG with its measurements: the shown run, or the preview of its partition for changed devices. A job
/// measures each cut; until it ends, the measurements of the previous cut stay.
class ShownCut final : public QObject {
    Q_OBJECT

public:
    ShownCut(Document& document, Jobs& jobs, QObject* parent);

    [[nodiscard]] PartitionPreview& preview() const { return *m_preview; }
    /// Sets the shown run; 0 and null: none.
    void setRun(int number, SplitOutcomePtr run);
    [[nodiscard]] int runNumber() const { return m_number; }
    [[nodiscard]] const SplitOutcomePtr& run() const { return m_run; }
    /// Returns the outcome of the preview, or else of the run; null if there is none.
    [[nodiscard]] const SplitOutcomePtr& outcome() const;
    /// Null until the first cut is measured.
    [[nodiscard]] const CutMeasurePtr& measure() const { return m_measure; }
    /// Returns the run number of the measured cut; 0 if it is not a run or about to be replaced.
    [[nodiscard]] int measuredNumber() const;
    /// Returns whether the measured cut is the shown run, not a preview.
    [[nodiscard]] bool isRunMeasured() const { return measuredNumber() == m_number; }
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
    CutMeasurePtr m_measure;
    bool m_countsAsTorch = false;
};

} // namespace sunder
