#include "passes/support/tag_by_support.h"

namespace sunder {

Result<SupportParts> supportParts(const SupportGraph& graph, const SupportedOps& supported, const SupportOptions& options,
                                  ProgressMonitor& monitor)
{
    SUNDER_TRY(std::vector<SupportParts> parts, supportParts(graph, std::span(&supported, 1), options, monitor));
    return std::move(parts.front());
}

Result<std::vector<SupportParts>> supportParts(const SupportGraph& graph, std::span<const SupportedOps> variants,
                                               const SupportOptions& options, ProgressMonitor& monitor)
{
    std::vector<std::vector<char>> isSupported;
    for (const SupportedOps& supported : variants) {
        if (const NodeId unknown = supported.firstUnknownToTorch(); options.asUpstream && unknown) {
            const std::string name = graph.graph[unknown].name.str();
            return fail(ErrorCode::refused,
                        "PyTorch does not find the module of '" + name + "', which is called by its second path", {.node = name});
        }
        std::vector<char>& of = isSupported.emplace_back();
        of.reserve(graph.size());
        for (const NodeId id : graph.nodes)
            of.push_back(supported.contains(id) ? 1 : 0);
    }
    if (options.method == SupportMethod::capability)
        return capabilityParts(graph, isSupported, options, monitor);
    std::vector<SupportParts> all;
    for (const std::vector<char>& of : isSupported) {
        const double done = static_cast<double>(all.size());
        const double count = static_cast<double>(isSupported.size());
        SubProgress progress(monitor, done / count, (done + 1) / count);
        SUNDER_TRY(SupportParts parts, splitterParts(graph, of, options, progress));
        all.push_back(std::move(parts));
    }
    return all;
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
