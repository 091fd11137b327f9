#pragma once

#include "analysis/operator_support/support_rules.h"
#include "analysis/tag_assignment.h"
#include "passes/support/support_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Runs CapabilityBasedPartitioner of torch.fx 2.13 for each of several sets of supported ops, `variants`, each per position, and
/// orders its partitions. Refused, naming the node, with `options.asUpstream`: a getitem that PyTorch moves between groups forever, and
/// groups that form a cycle. See growGroups() for the complexity.
Result<std::vector<SupportParts>> capabilityParts(const SupportGraph& graph, std::span<const std::vector<char>> variants,
                                                  const SupportOptions& options,
                                                  ProgressMonitor& monitor = ProgressMonitor::none());

/// Runs the splitter of torch.fx 2.13 (splitter_base). Refused: a graph without a node to place, an op that belongs to no part, and
/// more parts than `options.maxAccSplits`; with `options.asUpstream` also fusion groups that depend on each other.
/// O(nodes + edges), times the number of values that hold no tensors in the worst case.
Result<SupportParts> splitterParts(const SupportGraph& graph, const std::vector<char>& isSupported, const SupportOptions& options,
                                   ProgressMonitor& monitor = ProgressMonitor::none());

/// Runs the method of the options. With `options.asUpstream`, refuses an op whose module PyTorch does not find.
Result<SupportParts> supportParts(const SupportGraph& graph, const SupportedOps& supported, const SupportOptions& options,
                                  ProgressMonitor& monitor = ProgressMonitor::none());

/// Runs the method for each of several sets of supported ops. They share work if they agree on the ops at the end of the graph.
Result<std::vector<SupportParts>> supportParts(const SupportGraph& graph, std::span<const SupportedOps> variants,
                                               const SupportOptions& options, ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns the tags of parts: "_run_on_acc_0", "_run_on_cpu_1", …
TagAssignment supportTags(const SupportGraph& graph, const SupportParts& parts);

} // namespace sunder
