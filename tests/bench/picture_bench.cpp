// Times buildPicture on a decoder of 100,000 nodes: the first, collapsed picture; one layer expanded; a thousand parallel layers;
// every op. Prints milliseconds of wall and processor time.

#include "benchmark.h"
#include "layout/picture/first_sight.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>

namespace sunder::picture_bench {

namespace {

/// Adds ops of one module to a chain.
class DecoderMaker {
public:
    explicit DecoderMaker(int layers) : m_graph(m_program.graph(m_program.addGraph(ModuleTree::root())))
    {
        m_mask = m_graph.create({.op = Op::placeholder, .name = intern("mask"), .target = intern("mask")});
        NodeId x = m_graph.create({.op = Op::placeholder, .name = intern("x"), .target = intern("x")});
        for (int i = 0; i < layers; ++i)
            x = addLayer(i, x);
        m_graph.create({.op = Op::output, .target = intern("output"), .args = {Argument::node(x)}});
    }

    Program take() { return std::move(m_program); }

private:
    StackId stackOf(const std::string& layer, const char* part)
    {
        ModuleStack stack{{intern("L"), {}, intern("Net")}, {intern(layer), intern(layer), intern("Layer")}};
        if (*part != 0)
            stack.push_back({intern(layer + part), intern(layer + "." + part), intern("Part")});
        m_program.stacks.push_back(stack);
        return StackId(m_program.stacks.size() - 1);
    }

    NodeId chain(NodeId x, int length, StackId stack, NodeId also = {})
    {
        for (int i = 0; i < length; ++i) {
            Arguments args{Argument::node(x)};
            if (also && i == 0)
                args.push_back(Argument::node(also));
            x = m_graph.create({.target = intern("torch.ops.aten.mul.Tensor"), .args = args, .meta = {.modules = stack}});
        }
        return x;
    }

    NodeId addLayer(int index, NodeId x)
    {
        const std::string layer = "layers." + std::to_string(index);
        const StackId own = stackOf(layer, "");
        const NodeId norm = chain(x, 6, stackOf(layer, "norm"));
        const StackId attention = stackOf(layer, "attention");
        const NodeId query = chain(norm, 9, attention);
        const NodeId key = chain(norm, 9, attention, query);
        const NodeId sum = chain(chain(key, 5, attention, m_mask), 1, own, x);
        return chain(chain(sum, 19, stackOf(layer, "mlp")), 1, own, sum);
    }

    Program m_program;
    Graph& m_graph;
    NodeId m_mask;
};

void measure(const char* what, const std::function<std::size_t()>& run)
{
    double least = 1e9;
    double leastCpu = 1e9;
    std::size_t items = 0;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpu = std::clock();
        items = run();
        leastCpu = std::min(leastCpu, 1000.0 * double(std::clock() - cpu) / CLOCKS_PER_SEC);
        least = std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("%-44s %8.1f ms  %8.1f ms cpu  %7zu items\n", what, least, leastCpu, items);
}

} // namespace

int run(int, char**)
{
    const Program program = DecoderMaker(2000).take();
    std::printf("%zu nodes\n", program.rootGraph().size());
    const auto engine = makeLayeredEngine();
    const auto build = [&](const PictureOptions& options) {
        return [&, options] {
            const Result<Picture> picture = buildPicture(program, program.root, options, *engine);
            return picture ? picture->items.size() : 0;
        };
    };
    const ColumnOptions pane{ColumnOptions::Setting::fit, {1100, 640}};
    measure("first sight", [&] {
        const Result<FirstSight> first = firstSight(program, program.root, {.columns = pane}, *engine);
        return first ? first->picture.items.size() : 0;
    });
    measure("collapsed", build({}));
    measure("one layer open", build({.open = {"layers.1000"}}));
    measure("a thousand layers side by side", build({.open = {"layers.0…layers.999"}}));
    measure("every op in its modules", build({.openAll = true}));
    measure("every op in its modules, in columns", build({.openAll = true, .columns = pane}));
    measure("every op, flat", build({.collapse = false}));
    return 0;
}

const Benchmark kBenchmark{"picture_bench", run};

} // namespace sunder::picture_bench
