#pragma once

#include "analysis/cut/measured_cut.h"
#include "analysis/snapshot.h"
#include "document/runs/split_outcome.h"

namespace sunder {

/// Measurements of the cut of a run, with the objects they refer to. Computed by a job once per cut and shared by views.
class CutMeasure final : public MeasuredCut {
public:
    /// `graph`: tables of the source for this rule, if another measurement already has them.
    CutMeasure(SnapshotPtr source, SplitOutcomePtr cut, MemoryRule rule, std::shared_ptr<const CutGraph> graph = nullptr)
        : MeasuredCut(source->program, cut->tags, rule, std::move(graph)), m_source(std::move(source)), m_cut(std::move(cut))
    {
    }

    [[nodiscard]] const SnapshotPtr& source() const { return m_source; }
    [[nodiscard]] const SplitOutcomePtr& cut() const { return m_cut; }

private:
    SnapshotPtr m_source;
    SplitOutcomePtr m_cut;
};

using CutMeasurePtr = std::shared_ptr<const CutMeasure>;

} // namespace sunder
