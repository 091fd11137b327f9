// Times verification of generated programs and of models: verify_bench [MODEL …]. Every program is compared with its own split
// into eight consecutive stages.
#include "analysis/stages.h"
#include "benchmark.h"
#include "io/model_file.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "verify/verify.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace sunder::verify_bench {

namespace {

struct Operators {
    const char* third; ///< every third call
    bool attributes;
};

InternedString numbered(const char* name, int number)
{
    return intern(name + std::to_string(number));
}

/// Returns a chain of `count` calls in residual blocks; every tenth call reads a parameter.
Program chain(int count, const Operators& operators)
{
    Program program;
    program.root = program.addGraph(ModuleTree::root());
    Graph& graph = program.rootGraph();
    NodeId value = graph.append({.op = Op::placeholder, .name = intern("x"), .target = intern("x")});
    NodeId skip = value;
    for (int i = 0; i < count; ++i) {
        NodeSpec spec{.op = Op::callFunction, .name = numbered("n", i), .target = intern("torch.ops.aten.mul.Tensor")};
        spec.args = {Argument::node(value), Argument::node(skip)};
        if (i % 3 == 0)
            spec.target = intern(operators.third);
        if (i % 10 == 0 && operators.attributes) {
            TensorEntry entry{.fqn = numbered("w", i)};
            entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4)}, .storage = numbered("s", i)};
            entry.storage = program.tensors.addStorage({.id = entry.meta.storage, .byteCount = 16});
            program.tensors.add(entry);
            spec.args[1] = Argument::node(graph.append({.op = Op::getAttr, .name = numbered("a", i), .target = entry.fqn}));
        }
        skip = i % 5 == 0 ? value : skip;
        value = graph.append(std::move(spec));
    }
    graph.append({.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::node(value)}});
    return program;
}

void measure(const std::string& what, const Program& a)
{
    const Result<TagAssignment> tags = consecutiveStages(a, 8);
    const Result<SplitResult> split = tags ? splitByTags(a, *tags) : Result<SplitResult>(forward(tags));
    if (!split) {
        std::printf("%s: %s\n", what.c_str(), describe(split.error()).c_str());
        return;
    }
    const Program& b = split->program;
    double best = 1e9;
    VerifyReport report;
    for (int i = 0; i < 3; ++i) {
        const std::clock_t start = std::clock(); // processor time, unaffected by other load on the machine
        report = *verify(a, b, {.sharedStorages = true});
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    const auto nodes = static_cast<double>(a.nodeCount() + b.nodeCount());
    std::printf("%-46s %9.0f nodes  %8.1f ms  %6.2f million nodes/s  %s\n", what.c_str(), nodes, best * 1e3, nodes / best / 1e6,
                std::string(name(report.verdict)).c_str());
    if (!report.why.empty())
        std::printf("    %s\n", report.why.c_str());
}

} // namespace

int run(int argc, char** argv)
{
    for (const int count : {10'000, 100'000, 1'000'000}) {
        const Program pure = chain(count, {"torch.ops.aten.add.Tensor", true});
        measure("pure, " + std::to_string(count) + " calls", pure);
        const Program written = chain(count, {"torch.ops.aten.add_.Tensor", true});
        measure("a third in place, " + std::to_string(count) + " calls", written);
    }
    for (int i = 1; i < argc; ++i) {
        const Result<Program> program = readModel(argv[i]);
        if (!program) {
            std::printf("%s: %s\n", argv[i], describe(program.error()).c_str());
            continue;
        }
        measure(argv[i], *program);
    }
    return 0;
}

const Benchmark kBenchmark{"verify_bench", run};

} // namespace sunder::verify_bench
