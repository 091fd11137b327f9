#pragma once

#include "analysis/cut/measured_cut.h"
#include "analysis/snapshot.h"
#include "document/runs/split_outcome.h"

namespace sunder {

/// The cut of a run, measured, with what it is of: a job makes it once a cut, views share it.
class CutMeasure final : public MeasuredCut {
public:
    /// `graph`: the source's tables under the rule, where another measure has them already.
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
