// Times split_by_tags, the check of tags and the cut into stages on graphs of repeated blocks.
//
//     split_bench [--nodes N …] [--parts K] [--repeat R] [--json]
//
// A block of ten calls is a residual MLP layer: linear, gelu, linear, add, layer_norm, a split in two with its
// getitems, a product, a sum with the block's input; every fourth block also reads the first input.
#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "passes/split_by_tags/split_by_tags.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

using namespace sunder;

namespace {

struct Request {
    std::vector<std::size_t> nodes;
    std::uint32_t parts = 8;
    int repeat = 3;
    bool json = false;
};

class BlockGraph {
public:
    explicit BlockGraph(std::size_t calls)
    {
        m_program.addGraph(ModuleTree::root());
        m_graph = &m_program.rootGraph();
        m_graph->reserve(calls + calls / 4 + 4);
        const NodeId first = add(Op::placeholder, "x", {});
        NodeId x = first;
        for (std::size_t block = 0; m_calls < calls; ++block)
            x = addBlock(x, block % 4 == 3 ? first : x, block);
        add(Op::output, "output", {Argument::node(x)});
    }
    Program take() { return std::move(m_program); }

private:
    NodeId add(Op op, const std::string& target, Arguments args)
    {
        m_calls += isCall(op) ? 1 : 0;
        return m_graph->create({.op = op, .name = {}, .target = intern(target), .fn = {}, .args = std::move(args), .meta = meta(op)});
    }

    NodeMeta meta(Op op) const
    {
        NodeMeta meta;
        if (op != Op::output)
            meta.val = m_val;
        return meta;
    }

    NodeId call(const char* target, Arguments args) { return add(Op::callFunction, target, std::move(args)); }

    NodeId parameter(std::size_t block, const char* name, std::int64_t rows)
    {
        const std::string fqn = "blocks." + std::to_string(block) + "." + name;
        TensorEntry entry{.fqn = intern(fqn), .persistent = true};
        entry.meta.dtype = intern("float32");
        entry.meta.shape = {Argument::integer(rows), Argument::integer(16)};
        m_program.tensors.add(std::move(entry));
        m_program.modules.ensure("blocks." + std::to_string(block));
        return add(Op::getAttr, fqn, {});
    }

    NodeId addBlock(NodeId x, NodeId skip, std::size_t block)
    {
        const auto node = [](NodeId id) { return Argument::node(id); };
        const NodeId up = call("torch.ops.aten.linear.default", {node(x), node(parameter(block, "up", 64))});
        const NodeId act = call("torch.ops.aten.gelu.default", {node(up)});
        const NodeId down = call("torch.ops.aten.linear.default", {node(act), node(parameter(block, "down", 16))});
        const NodeId sum = call("torch.ops.aten.add.Tensor", {node(down), node(skip)});
        const NodeId norm = call("torch.ops.aten.layer_norm.default", {node(sum), Argument::list({Argument::integer(16)})});
        const NodeId halves = call("torch.ops.aten.split.Tensor", {node(norm), Argument::integer(8), Argument::integer(-1)});
        const NodeId a = call("_operator.getitem", {node(halves), Argument::integer(0)});
        const NodeId b = call("_operator.getitem", {node(halves), Argument::integer(1)});
        const NodeId product = call("torch.ops.aten.cat.default", {Argument::list({node(a), node(b)}), Argument::integer(-1)});
        return call("torch.ops.aten.add.Tensor", {node(product), node(x)});
    }

    static Argument value()
    {
        TensorMeta tensor;
        tensor.dtype = intern("float32");
        tensor.shape = {Argument::integer(4), Argument::integer(16)};
        return Argument::tensor(std::make_shared<const TensorMeta>(std::move(tensor)));
    }

    Program m_program;
    Graph* m_graph = nullptr;
    Argument m_val = value();
    std::size_t m_calls = 0;
};

double best(int repeat, const std::function<void()>& run)
{
    double least = 1e300;
    for (int i = 0; i < repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

void measure(std::size_t nodes, const Request& request)
{
    const Program program = BlockGraph(nodes).take();
    TagAssignment tags;
    const double stages = best(request.repeat, [&] { tags = *consecutiveStages(program, request.parts); });
    const double check = best(request.repeat, [&] { checkTags(program, tags); });
    Result<SplitResult> result; // outlives the clock, so that taking it apart is not timed
    double split = 1e300;
    for (int i = 0; i < request.repeat; ++i) {
        result = SplitResult{};
        split = std::min(split, best(1, [&] { result = splitByTags(program, tags); }));
        if (!result)
            std::exit(1);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double peak = static_cast<double>(usage.ru_maxrss) * 1024.0;
    if (request.json)
        std::printf("{\"calls\":%zu,\"nodes\":%zu,\"parts\":%u,\"stages_s\":%.6f,\"check_s\":%.6f,\"split_s\":%.6f,\"peak_bytes\":%.0f}\n",
                    nodes, program.rootGraph().size(), request.parts, stages, check, split, peak);
    else
        std::printf("%9zu calls, %9zu nodes, %u parts: stages %9.2f ms, check %9.2f ms, split %9.2f ms; peak %7.1f MB\n", nodes,
                    program.rootGraph().size(), request.parts, stages * 1e3, check * 1e3, split * 1e3, peak / 1e6);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    Request request;
    for (int i = 1; i < argc; ++i) {
        const bool hasValue = i + 1 < argc;
        if (std::strcmp(argv[i], "--nodes") == 0 && hasValue)
            request.nodes.push_back(std::strtoull(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--parts") == 0 && hasValue)
            request.parts = static_cast<std::uint32_t>(std::strtoul(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--repeat") == 0 && hasValue)
            request.repeat = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--json") == 0)
            request.json = true;
    }
    if (request.nodes.empty())
        request.nodes = {1000, 10'000, 100'000, 1'000'000};
    for (const std::size_t nodes : request.nodes)
        measure(nodes, request);
    return 0;
}
