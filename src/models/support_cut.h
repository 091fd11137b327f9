#pragma once

#include "document/document.h"
#include "passes/support/support_report.h"

#include <array>
#include <memory>
#include <span>

namespace sunder {

/// What an accelerator supports, and the method that makes parts of it.
struct SupportWish {
    SupportRules rules;
    SupportOptions options;
};

/// What a row of ops to tick stands for.
enum class SupportList : std::uint8_t { operators, classes, modules };

/// Ops that are ticked together.
struct SupportEntry {
    ModelOperator ops;         ///< with the name of the operator, the class, or the path of the module
    std::vector<NodeId> nodes; ///< empty for operators
};

/// The parts of a model by support, with what the dialog "Tag by support" shows of them.
struct SupportCut {
    SnapshotPtr source;
    SupportRules rules;
    SupportedOps supported;
    std::array<std::vector<SupportEntry>, 3> lists; ///< by SupportList
    std::string refusal; ///< why the method makes no parts; empty if it does
    TagAssignment tags;
    SupportFigures figures;
    std::size_t ops = 0; ///< of the model
    std::vector<SupportBreak> breaks;

    [[nodiscard]] const std::vector<SupportEntry>& list(SupportList which) const
    {
        return lists[static_cast<std::size_t>(which)];
    }
};

using SupportCutPtr = std::shared_ptr<const SupportCut>;

/// Runs the method. Fails only with ErrorCode::cancelled.
Result<SupportCutPtr> findSupportCut(const SnapshotPtr& source, const SupportWish& wish, ProgressMonitor& monitor);

/// Returns the next operators to support, see supportNext().
Result<std::vector<SupportStep>> findSupportNext(const SnapshotPtr& source, const SupportWish& wish, ProgressMonitor& monitor);

/// Changes the rules so that they support entries, or not: operators by their names, classes and modules by the names of their
/// ops. O(rules + ops).
void tickSupport(SupportRules& rules, const SupportCut& cut, SupportList which, std::span<const int> entries, bool isSupported);

} // namespace sunder
