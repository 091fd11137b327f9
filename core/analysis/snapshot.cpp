#include "analysis/snapshot.h"

#include <atomic>

namespace sunder {
namespace {

std::uint64_t nextModel()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

} // namespace

Snapshot::Snapshot(Program read)
    : model(nextModel()), program(std::move(read)), sizes(programSizes(program)), memory(memoryTable(program.tensors)),
      reads(program, memory), training(trainingGraph(program)), names(program.rootGraph()),
      positions(program.rootGraph().positions())
{
    const Graph& root = graph();
    calls.assign(root.idBound(), 0);
    for (const NodeId id : root.nodes())
        if (root[id].isCall()) {
            calls[id.index()] = 1;
            ++callCount;
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
