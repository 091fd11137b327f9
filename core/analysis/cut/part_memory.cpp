#include "analysis/cut/part_memory.h"

#include "analysis/cut/backward_memory.h"

namespace sunder {

MemoryReport memoryReport(const Program& program, const TagAssignment& tags, const MeasuredCosts& costs,
                          const std::optional<TrainingOptions>& training)
{
    const bool isWhole = tags.order.empty();
    const CutGraph graph = cutGraph(program, MemoryRule::freesDead);
    const std::vector<std::int32_t> partOf = isWhole ? std::vector<std::int32_t>(graph.callCount, 0) : partsOfCalls(graph, tags);
    const Rows calls = callsOfParts(partOf, isWhole ? 1 : tags.order.size());
    MemoryReport report;
    PartMeasure measure(graph, partOf);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        PartMemory& part = report.parts.emplace_back(PartMemory{.name = isWhole ? "model" : tags.order[i].str()});
        part.metrics = isWhole ? measureProgram(graph, &part.curve)
                               : measure.measure(static_cast<std::int32_t>(i), calls[i], &part.curve);
    }
    const std::vector<std::uint64_t> extra = extraBytesOfNodes(program, costs);
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        if (partOf[call] >= 0)
            report.parts[static_cast<std::size_t>(partOf[call])].extra += extra[graph.nodes[call].index()];
        else
            ++report.untagged;
    }
    if (!training)
        return report;
    BackwardMemory memory(program, graph, costs.recompute);
    for (std::size_t i = 0; i < report.parts.size(); ++i) {
        const TrainingSizes sizes = memory.measure(partOf, static_cast<std::int32_t>(i), calls[i]);
        const std::uint64_t inFlight = i < training->inFlight.size() ? training->inFlight[i] : 1;
        report.parts[i].training = TrainingMemory{.inFlight = inFlight,
                                                  .kept = sizes.savedBytes * inFlight,
                                                  .gradients = sizes.gradientBytes,
                                                  .optimizer = sizes.gradientBytes * training->statesPerParameter};
        for (const InternedString target : sizes.assumed)
            report.assumed.insert(target.str());
    }
    return report;
}

} // namespace sunder
