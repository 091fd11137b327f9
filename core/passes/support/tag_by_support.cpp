#include "passes/support/tag_by_support.h"

namespace sunder {

Result<SupportParts> supportParts(const SupportGraph& graph, const SupportedOps& supported, const SupportOptions& options,
                                  ProgressMonitor& monitor)
{
    if (const NodeId unknown = supported.firstUnknownToTorch(); options.asUpstream && unknown) {
        const std::string name = graph.graph[unknown].name.str();
        return fail(ErrorCode::refused, "PyTorch does not find the module of '" + name + "', which is called by its second path",
                    {.node = name});
    }
    std::vector<char> isSupported;
    isSupported.reserve(graph.size());
    for (const NodeId id : graph.nodes)
        isSupported.push_back(supported.contains(id) ? 1 : 0);
    return options.method == SupportMethod::capability ? capabilityParts(graph, isSupported, options, monitor)
                                                       : splitterParts(graph, isSupported, options, monitor);
}

TagAssignment supportTags(const SupportGraph& graph, const SupportParts& parts)
{
    TagAssignment tags;
    for (std::size_t part = 0; part < parts.isAccelerator.size(); ++part)
        tags.order.push_back(intern((parts.isAccelerator[part] != 0 ? "_run_on_acc_" : "_run_on_cpu_") + std::to_string(part)));
    tags.tagOf.assign(graph.graph.idBound(), TagAssignment::kUntagged);
    for (std::uint32_t at = 0; at < graph.size(); ++at)
        if (parts.partOf[at] != SupportParts::kNone)
            tags.tagOf[graph.nodes[at].index()] = static_cast<std::int32_t>(parts.partOf[at]);
    return tags;
}

} // namespace sunder
