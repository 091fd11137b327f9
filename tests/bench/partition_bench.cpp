// Times the size-based partitioners of 2020 and of current PyTorch, with and without the cut, on graphs of repeated blocks.
//
//     partition_bench [--nodes N …] [--devices D] [--repeat R]
//
// A block of ten calls reads two parameters and two values of the previous block.
#include "analysis/cut/node_sizes.h"
#include "benchmark.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace sunder::partition_bench {

namespace {

struct Request {
    std::vector<std::size_t> nodes;
    std::size_t devices = 8;
    int repeat = 3;
};

Argument tensorOf(std::int64_t rows)
{
    return Argument::tensor(std::make_shared<const TensorMeta>(
        TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(rows), Argument::integer(16)}}));
}

Program blocks(std::size_t calls)
{
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    graph.reserve(calls + calls / 5 + 4);
    const Argument activation = tensorOf(4);
    const Argument weight = tensorOf(64);
    const auto add = [&](Op op, const std::string& target, Arguments args, const Argument& val) {
        return graph.create({.op = op, .name = {}, .target = intern(target), .args = std::move(args), .meta = {.val = val}});
    };
    NodeId x = add(Op::placeholder, "x", {}, activation);
    for (std::size_t block = 0; block * 10 < calls; ++block) {
        NodeId value = x;
        for (int i = 0; i < 10; ++i) {
            Arguments args = {Argument::node(value), Argument::node(i % 3 == 2 ? x : value)};
            if (i % 5 == 0) {
                const std::string fqn = "blocks." + std::to_string(block) + ".w" + std::to_string(i);
                program.tensors.add({.fqn = intern(fqn), .meta = weight.asTensor()});
                args.push_back(Argument::node(add(Op::getAttr, fqn, {}, weight)));
            }
            value = add(Op::callFunction, "torch.ops.aten.add.Tensor", std::move(args), activation);
        }
        x = value;
    }
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::node(x)}});
    return program;
}

double best(int repeat, const std::function<bool()>& run)
{
    double least = 1e300;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (!run())
            return -1;
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

void measure(std::size_t nodes, const Request& request)
{
    const Program program = blocks(nodes);
    const auto whole = static_cast<double>(*wholeBytes(program, *nodeSizes(program)));
    std::vector<Device> devices(request.devices);
    for (std::size_t i = 0; i < devices.size(); ++i)
        devices[i] = {.name = {},
                      .availableBytes = whole / static_cast<double>(devices.size()) * 1.1 + 10000,
                      .logicalId = static_cast<std::int64_t>(i)};
    std::size_t partitions = 0;
    const double of2020 = best(request.repeat, [&] {
        const Result<PartitionResult> result = sizeBasedPartition(program, devices);
        partitions = result ? result->set.partitions.size() : 0;
        return result.has_value();
    });
    const double exact = best(request.repeat, [&] { return sizeBasedPartition(program, devices, {.exact = true}).has_value(); });
    const double today = best(request.repeat, [&] { return acceleratorPartition(program, {.devices = devices}).has_value(); });
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%9zu nodes, %zu devices: 2020 %9.5f s, exact %9.5f s, today %9.5f s; %zu partitions, peak %ld MB\n",
                program.rootGraph().size(), devices.size(), of2020, exact, today, partitions, usage.ru_maxrss / 1024);
}

} // namespace

int run(int argc, char** argv)
{
    Request request;
    for (int i = 1; i < argc; ++i) {
        const bool hasNext = i + 1 < argc;
        if (std::strcmp(argv[i], "--devices") == 0 && hasNext)
            request.devices = std::max(1UL, std::strtoul(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--repeat") == 0 && hasNext)
            request.repeat = std::max(1, std::atoi(argv[++i]));
        else if (std::strcmp(argv[i], "--nodes") != 0)
            request.nodes.push_back(std::strtoul(argv[i], nullptr, 10));
    }
    if (request.nodes.empty())
        request.nodes = {1000, 10000, 100000, 1000000};
    for (const std::size_t nodes : request.nodes)
        measure(nodes, request);
    return 0;
}

const Benchmark kBenchmark{"partition_bench", run};

} // namespace sunder::partition_bench
