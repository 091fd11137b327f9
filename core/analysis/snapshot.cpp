#include "analysis/snapshot.h"

#include "support/progress_monitor.h"

#include <atomic>

namespace sunder {
namespace {

std::uint64_t nextModel()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

Snapshot::Snapshot(Program read, MemoryTable memoryOfRead, MemoryReads readsOfRead)
    : model(nextModel()), program(std::move(read)), memory(std::move(memoryOfRead)), reads(std::move(readsOfRead))
{
}

Snapshot::Snapshot(Program read) : Snapshot(*build(std::move(read), ProgressMonitor::none())) {}

Result<Snapshot> Snapshot::build(Program read, ProgressMonitor& monitor)
{
    MemoryTable memory = memoryTable(read.tensors);
    SUNDER_TRY(MemoryReads reads, MemoryReads::build(read, memory, monitor));
    Snapshot out(std::move(read), std::move(memory), std::move(reads));
    SUNDER_TRY(out.sizes, programSizes(out.program, out.memory, out.reads, monitor));
    SUNDER_TRY(out.training, trainingGraph(out.program, monitor));
    SUNDER_TRY(out.names, NodeIndex::build(out.graph(), monitor));
    out.positions = out.graph().positions();
    out.calls.assign(out.graph().idBound(), 0);
    StepMonitor steps(monitor);
    for (const NodeId id : out.graph().nodes()) {
        SUNDER_PROPAGATE(steps.step());
        if (out.graph()[id].isCall()) {
            out.calls[id.index()] = 1;
            ++out.callCount;
        }
    }
    return out;
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
