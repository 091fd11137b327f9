#include "analysis/snapshot.h"

#include "support/step_monitor.h"

#include <atomic>

namespace sunder {
namespace {

std::uint64_t nextModel()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

Snapshot::Snapshot(Program read, ProgressMonitor& monitor)
    : model(nextModel()), program(std::move(read)), memory(memoryTable(program.tensors)), reads(program, memory, monitor)
{
    if (monitor.isCancelled())
        return;
    sizes = programSizes(program, memory, reads, monitor);
    if (monitor.isCancelled())
        return;
    training = trainingGraph(program, monitor);
    if (monitor.isCancelled())
        return;
    names = NodeIndex(graph(), monitor);
    if (monitor.isCancelled())
        return;
    positions = graph().positions();
    calls.assign(graph().idBound(), 0);
    StepMonitor steps(monitor);
    for (const NodeId id : graph().nodes()) {
        if (!steps.shouldContinue())
            return;
        if (graph()[id].isCall()) {
            calls[id.index()] = 1;
            ++callCount;
        }
    }
}

SnapshotPtr withOperators(const Snapshot& snapshot, std::shared_ptr<const OperatorLibrary> operators)
{
    Program program = snapshot.program;
    program.operators = std::move(operators);
    auto same = std::make_shared<Snapshot>(std::move(program));
    same->model = snapshot.model;
    return same;
}

} // namespace sunder
