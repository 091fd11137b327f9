// Writes and reads an fx-json file with many nodes and prints seconds, bytes, and peak memory.
#include "benchmark.h"
#include "io/fx_json/fx_json_reader.h"
#include "io/fx_json/fx_json_writer.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sys/resource.h>

namespace sunder::fx_json_bench {

namespace {

/// Returns a chain of layers; each node reads two earlier ones and has a value, a module stack, and a trace.
Program chain(std::size_t nodes)
{
    constexpr std::size_t kNodesALayer = 70;
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    graph.reserve(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        NodeSpec spec{.op = i == 0         ? Op::placeholder
                          : i + 1 == nodes ? Op::output
                                           : Op::callFunction,
                      .name = intern("node_" + std::to_string(i)),
                      .target = intern("torch.ops.aten.add.Tensor"),
                      .fn = intern("add.Tensor")};
        if (i > 0)
            spec.args = {Argument::node(NodeId(i - 1)), Argument::node(NodeId(i - 1 - (i - 1) % 8)), Argument::integer(1)};
        if (i % kNodesALayer == 0)
            program.stacks.push_back(
                {{intern("L__self__"), {}, intern("m.Net")},
                 {intern("layer" + std::to_string(i)), intern("layers." + std::to_string(i)), intern("m.Layer")}});
        spec.meta.modules = StackId(program.stacks.size() - 1);
        spec.meta.trace = intern("File \"m.py\", line " + std::to_string(i % 300) + ", in forward");
        spec.meta.val = Argument::tensor(
            std::make_shared<const TensorMeta>(TensorMeta{.dtype = intern("float32"),
                                                          .shape = {Argument::integer(8), Argument::integer(128)},
                                                          .stride = Arguments{Argument::integer(128), Argument::integer(1)},
                                                          .storage = intern("v" + std::to_string(i))}));
        graph.append(std::move(spec));
    }
    return program;
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Processor seconds of this process, which other load on the machine hardly affects.
double processorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000;
}

} // namespace

/// fx_json_bench write NODES FILE | fx_json_bench read FILE: two processes, so that each has its own memory peak.
int run(int argc, char** argv)
{
    const std::string_view command = argc > 1 ? argv[1] : "";
    const auto start = std::chrono::steady_clock::now();
    const double processorStart = processorSeconds();
    if (command == "write" && argc == 4) {
        const Program program = chain(std::strtoull(argv[2], nullptr, 10));
        const auto writing = std::chrono::steady_clock::now();
        if (const Result<void> written = writeFxJson(program, argv[3]); !written)
            return std::fprintf(stderr, "%s\n", describe(written.error()).c_str()), 1;
        std::printf("write: %zu nodes, %.1f MB, %.2f s, peak %.0f MB with the program\n", program.nodeCount(),
                    static_cast<double>(std::filesystem::file_size(argv[3])) / 1e6, secondsSince(writing), peakMegabytes());
        return 0;
    }
    if (command == "read" && argc == 3) {
        const Result<Program> program = readFxJson(argv[2]);
        if (!program)
            return std::fprintf(stderr, "%s\n", describe(program.error()).c_str()), 1;
        std::printf("read: %zu nodes, %.1f MB, %.2f s (processor %.2f s), peak %.0f MB\n", program->nodeCount(),
                    static_cast<double>(std::filesystem::file_size(argv[2])) / 1e6, secondsSince(start),
                    processorSeconds() - processorStart, peakMegabytes());
        return 0;
    }
    std::fprintf(stderr, "usage: fx_json_bench write NODES FILE | read FILE\n");
    return 2;
}

const Benchmark kBenchmark{"fx_json_bench", run};

} // namespace sunder::fx_json_bench
