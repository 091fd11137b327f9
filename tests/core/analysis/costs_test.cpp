// Floating-point operations and bytes of calls. tests/torch/flops_in_torch.py compares more calls with PyTorch.
#include "analysis/cost/einsum_flops.h"
#include "analysis/cost/node_seconds.h"

#include "counting_monitor.h"
#include "io/model_file.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <numeric>

using namespace sunder;

Q_DECLARE_METATYPE(std::vector<sunder::Shape>)

class CostsTest final : public QObject {
    Q_OBJECT

private slots:
    void einsumCountsItsMatrixProducts_data()
    {
        QTest::addColumn<QString>("equation");
        QTest::addColumn<std::vector<Shape>>("operands");
        QTest::addColumn<quint64>("count");
        QTest::addColumn<bool>("multiplies");
        const auto row = [](const char* equation, std::vector<std::vector<std::uint64_t>> sizes, quint64 count, bool multiplies) {
            std::vector<Shape> operands;
            for (const auto& of : sizes)
                operands.push_back({.sizes = of, .strides = {}});
            QTest::newRow(equation) << equation << operands << count << multiplies;
        };
        // As counted by torch.utils.flop_counter on meta tensors.
        row("bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}, 240, true);
        row("i,j->ij", {{3}, {4}}, 0, false);
        row("bi,ij,bj->b", {{2, 3}, {3, 4}, {2, 4}}, 64, true);
        row("bhid,bhjd->bhij", {{2, 3, 4, 5}, {2, 3, 6, 5}}, 1440, true);
        row("ij->j", {{3, 4}}, 0, false);
        row("...ij, ...jk -> ...ik", {{2, 1, 3, 4}, {6, 4, 5}}, 1440, true);
        row("ij,jk", {{3, 4}, {4, 5}}, 120, true);
        row("ij,ij->", {{3, 4}, {1, 4}}, 8, true);
    }

    void einsumCountsItsMatrixProducts()
    {
        QFETCH(QString, equation);
        QFETCH(std::vector<Shape>, operands);
        const std::optional<EinsumFlops> flops = einsumFlops(equation.toStdString(), operands, {});
        QVERIFY(flops);
        QTEST(quint64(flops->count.value()), "count");
        QTEST(flops->multiplies, "multiplies");
    }

    void einsumRefusesWhatDoesNotFit()
    {
        const std::vector<Shape> one{{.sizes = {2, 3}, .strides = {}}};
        for (const char* equation : {"", "i", "ijk", "ij,jk->ik", "i.j", "ij->i.", "->"})
            QVERIFY2(!einsumFlops(equation, one, {}), equation);
        const std::vector<Shape> two{one[0], one[0]};
        const std::array<std::int64_t, 2> itself{0, 0};
        const std::array<std::int64_t, 2> outside{0, 7};
        QVERIFY(!einsumFlops("ij,ij->i", two, itself));
        QVERIFY(!einsumFlops("ij,ij->i", two, outside));
    }

    void aModelIsTheSumOfItsNodesAndModules()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const ProgramCosts costs = *programCosts(program);
        QCOMPARE(costs.total().flops, std::optional<std::uint64_t>(5'308'416)); // torch.utils.flop_counter
        NodeCost sum;
        for (const NodeCost& cost : costs.nodes)
            sum.add(cost);
        QCOMPARE(sum.flops, costs.total().flops);
        QCOMPARE(sum.bytesRead, costs.total().bytesRead);
        QCOMPARE(sum.bytesWritten, costs.total().bytesWritten);
        NodeCost ofBlocks;
        NodeCost blocks;
        for (const ModuleCost& module : costs.modules) {
            if (module.path.view() == "blocks")
                blocks = module.cost;
            else if (module.path.view().starts_with("blocks.") && module.path.view().find('.', 7) == std::string_view::npos)
                ofBlocks.add(module.cost);
        }
        QVERIFY(blocks.bytesRead > 0);
        QCOMPARE(ofBlocks.flops, blocks.flops);
        QCOMPARE(ofBlocks.bytesRead, blocks.bytesRead);
    }

    void callsThatMoveNoDataCostNothing()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const Graph& graph = program.rootGraph();
        const ProgramCosts costs = *programCosts(program);
        int views = 0;
        for (const NodeId id : graph.order()) {
            const std::string_view target = graph[id].target.view();
            if (target != "torch.ops.aten.view.default" && target != "torch.ops.aten.transpose.int")
                continue;
            ++views;
            QCOMPARE(costs.nodes[id.index()].bytesRead + costs.nodes[id.index()].bytesWritten, 0U);
        }
        QVERIFY(views > 0);
    }

    void operatorsWithoutAFormulaAreListed()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const ProgramCosts costs = *programCosts(program);
        std::vector<std::string> targets;
        for (const UncountedOperator& row : costs.uncounted) {
            QVERIFY(row.nodes > 0);
            targets.push_back(row.target.str());
        }
        for (const char* listed :
             {"torch.ops.aten.layer_norm.default", "torch.ops.aten.softmax.int", "torch.ops.aten.embedding.default"})
            QVERIFY2(std::ranges::find(targets, listed) != targets.end(), listed);
        for (const char* counted : {"torch.ops.aten.linear.default", "torch.ops.aten.add.Tensor", "torch.ops.aten.view.default"})
            QVERIFY2(std::ranges::find(targets, counted) == targets.end(), counted);
    }

    /// Each graph calls the next one twice: 2^40 calls of the last one, each of which is counted once.
    void countsSharedGraphsOnce()
    {
        constexpr int kLevels = 40;
        QCOMPARE(*costsOf(doubling(kLevels)).total().flops, (std::uint64_t{1} << kLevels) * kProduct);
        QVERIFY(!costsOf(doubling(60)).total().flops); // beyond 64 bits
        QVERIFY(!costsOf(doubling(200)).total().flops); // nested too deeply
    }

    /// Also beside an operator with a formula.
    void operatorsInExecutedGraphsAreListed()
    {
        Program program = doubling(3);
        Graph& last = program.graph(program.modules[program.modules.find(intern("m0.m1.m2.m3"))].graph);
        const NodeId product = last.order().back();
        last.append({.op = Op::callFunction,
                     .name = intern("softmax"),
                     .target = intern("torch.ops.aten.softmax.int"),
                     .args = {Argument::node(product), Argument::integer(-1)},
                     .meta = {.val = tensor(2, 2)}});
        const ProgramCosts costs = costsOf(program);
        QCOMPARE(costs.uncounted.size(), 1U);
        QCOMPARE(costs.uncounted[0].target.view(), "torch.ops.aten.softmax.int");
        QCOMPARE(costs.uncounted[0].nodes, 8U);
        QCOMPARE(costs.uncounted[0].bytes, 8U * 2 * 2 * 2 * 4);
    }

    void modulesAreListedInTheOrderOfTheirFirstCalls()
    {
        const Program program = callsIn({"b.z", "a", "b.y", "b.z.inner", "b.z"});
        std::vector<std::string> paths;
        for (const ModuleCost& module : costsOf(program).modules)
            paths.push_back(module.path.str());
        QCOMPARE(paths, (std::vector<std::string>{"", "b", "b.z", "b.z.inner", "b.y", "a"}));
    }

    /// A model without calls outside modules, too, has a first call.
    void theFirstCallOfAModuleHasItsExtraBytes()
    {
        const Program program = callsIn({"b.z", "a", "b.y", "b2"});
        const MeasuredCosts measured{
            .nodes = {{.extraBytes = 1}},
            .moduleExtraBytes = {{intern(""), 1000}, {intern("b"), 200}, {intern("b.y"), 30}, {intern("b2"), 4}}};
        QCOMPARE(extraBytesOfNodes(program, measured), (std::vector<std::uint64_t>{1201, 0, 30, 4}));
    }

    void graphsThatCallThemselvesAreUnknown()
    {
        Program program = doubling(2);
        const GraphId last = program.modules[program.modules.find(intern("m0.m1.m2"))].graph;
        program.graph(last).append({.op = Op::callModule, .name = intern("again"), .target = intern("m2")});
        program.modules[program.modules.ensure("m0.m1.m2.m2")].graph = last;
        QVERIFY(!costsOf(program).total().flops);
    }

    void leafModulesAreNotCounted()
    {
        Program program;
        const ModuleId leaf = program.modules.ensure("fc");
        program.modules[leaf].cls = intern("torch.nn.modules.linear.Linear");
        program.modules[leaf].leaf = true;
        Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
        const NodeId x = graph.append(
            {.op = Op::placeholder, .name = intern("x"), .target = intern("x"), .meta = {.val = tensor(2, 3)}});
        for (const char* path : {"fc", "missing"})
            graph.append({.op = Op::callModule, .name = intern(path), .target = intern(path), .args = {Argument::node(x)}});
        const ProgramCosts costs = costsOf(program);
        QCOMPARE(costs.uncounted.size(), 2U);
        QCOMPARE(costs.uncounted[0].target.str() + " " + costs.uncounted[1].target.str(),
                 std::string("missing torch.nn.modules.linear.Linear"));
    }

    void stopsWhenCanceled()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        test::CountingMonitor monitor(0);
        const Result<ProgramCosts> costs = programCosts(program, monitor);
        QVERIFY(!costs);
        QCOMPARE(costs.error().code, ErrorCode::cancelled);
    }

private:
    static constexpr std::uint64_t kProduct = 2 * 2 * 3 * 2; ///< operations of a product of [2, 3] and [3, 2]

    static ProgramCosts costsOf(const Program& program) { return *programCosts(program); }

    /// One call in each of these modules, in this order.
    static Program callsIn(std::initializer_list<const char*> paths)
    {
        Program program;
        Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
        for (const char* path : paths) {
            program.stacks.push_back({{intern(path), intern(path), intern("Layer")}});
            graph.append({.op = Op::callFunction,
                          .name = intern(path),
                          .target = intern("torch.ops.aten.relu.default"),
                          .meta = {.modules = StackId(program.stacks.size() - 1)}});
        }
        return program;
    }

    static Argument tensor(std::int64_t rows, std::int64_t columns)
    {
        return Argument::tensor(
            TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(rows), Argument::integer(columns)}});
    }

    /// The root graph calls m0, and each module "m0.m1…" up to `levels` calls its submodule twice; the last one has a product.
    static Program doubling(int levels)
    {
        Program program;
        std::string path;
        GraphId graph = program.addGraph(ModuleTree::root());
        program.graph(graph).append({.op = Op::callModule, .name = intern("first"), .target = intern("m0")});
        for (int level = 0; level <= levels; ++level) {
            path += (path.empty() ? "m" : ".m") + std::to_string(level);
            const ModuleId module = program.modules.ensure(path);
            graph = program.addGraph(module);
            Graph& body = program.graph(graph);
            if (level < levels) {
                const InternedString next = intern("m" + std::to_string(level + 1));
                for (const char* name : {"a", "b"})
                    body.append({.op = Op::callModule, .name = intern(name), .target = next});
                continue;
            }
            const NodeId x = body.append(
                {.op = Op::placeholder, .name = intern("x"), .target = intern("x"), .meta = {.val = tensor(2, 3)}});
            const NodeId y = body.append(
                {.op = Op::placeholder, .name = intern("y"), .target = intern("y"), .meta = {.val = tensor(3, 2)}});
            body.append({.op = Op::callFunction,
                         .name = intern("mm"),
                         .target = intern("torch.ops.aten.mm.default"),
                         .args = {Argument::node(x), Argument::node(y)},
                         .meta = {.val = tensor(2, 2)}});
        }
        return program;
    }
};

const test::Registered<CostsTest> costsTest("costs_test");
#include "costs_test.moc"
