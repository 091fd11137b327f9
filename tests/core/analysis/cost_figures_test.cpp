#include "analysis/cost/cost_figures.h"

#include "io/model_file.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class CostFiguresTest final : public QObject {
    Q_OBJECT

private slots:
    void textsAreForPeople()
    {
        QCOMPARE(costText(CostUnit::flop, 0), std::string("0 FLOP"));
        QCOMPARE(costText(CostUnit::flop, 640), std::string("640 FLOP"));
        QCOMPARE(costText(CostUnit::flop, 1.24e9), std::string("1.2 GFLOP"));
        QCOMPARE(costText(CostUnit::flop, 3e21), std::string("3000.0 EFLOP"));
        QCOMPARE(costText(CostUnit::byte, 4096), std::string("4.1 kB"));
        QCOMPARE(costText(CostUnit::second, 0), std::string("0 s"));
        QCOMPARE(costText(CostUnit::second, 1.25e-5), std::string("12.5 µs"));
        QCOMPARE(costText(CostUnit::second, 2), std::string("2 s"));
        QCOMPARE(costText(CostUnit::number, -0.125), std::string("-0.125"));
    }

    void operatorsWithoutAFormulaAreNeverZero()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const ProgramCosts costs = *programCosts(program);
        const CostFigures flops = flopFigures(program, costs);
        const Graph& graph = program.rootGraph();
        for (const NodeId id : graph.nodes()) {
            const std::string_view target = graph[id].target.view();
            const std::string said = describe(flops, flops.of(id));
            if (!graph[id].isCall())
                QCOMPARE(said, std::string(""));
            else if (target == "torch.ops.aten.layer_norm.default")
                QCOMPARE(said, std::string("not counted"));
            else if (target == "torch.ops.aten.add.Tensor")
                QCOMPARE(said, std::string("0 FLOP"));
            else if (target == "torch.ops.aten.linear.default")
                QVERIFY2(flops.of(id).value > 0 && said.ends_with("FLOP"), said.c_str());
        }
        QCOMPARE(flops.total.value, static_cast<double>(*costs.total().flops));
        QVERIFY(flops.total.uncounted > 0);
        QCOMPARE(flops.total.uncounted, costs.total().uncounted);
        QVERIFY(QString::fromStdString(describe(flops, flops.total)).endsWith("ops not counted"));
        QCOMPARE(byteFigures(program, costs).total.value,
                 static_cast<double>(costs.total().bytesRead) + static_cast<double>(costs.total().bytesWritten));
    }

    void sharesAreOfTheModel()
    {
        const CostFigures figures = figuresOf({10, 30, 0.004, 960});
        QCOMPARE(costShareText(figures, figures.of(NodeId(0U))), std::string("1.0%"));
        QCOMPARE(costShareText(figures, figures.of(NodeId(2U))), std::string("<0.1%"));
        QCOMPARE(costShareText(figures, figures.total), std::string("100%"));
        QCOMPARE(costShareText(figures, CostFigure{.uncounted = 1}), std::string(""));
    }

    void theScaleIsLogarithmicAndSpansFiveDecades()
    {
        const CostFigures figures = figuresOf({1, 10, 989});
        const CostScale scale = scaleOf(figures);
        QVERIFY(scale.isLogarithmic && !scale.isCut);
        QCOMPARE(scale.low, 1.0);
        QCOMPARE(scale.high, 1000.0);
        QCOMPARE(scale.at(0.5), 0.0);
        QCOMPARE(scale.at(1000), 1.0);
        QVERIFY(std::abs(scale.at(10) - 1.0 / 3) < 1e-9);
        const CostScale wide = scaleOf(figuresOf({1, 999'999'999}));
        QVERIFY(wide.isCut);
        QCOMPARE(wide.low, 1e4);
    }

    void negativeNumbersHaveALinearScale()
    {
        const CostScale scale = scaleOf(figuresOf({-1, 3}));
        QVERIFY(!scale.isLogarithmic);
        QCOMPARE(scale.at(-1), 0.0);
        QCOMPARE(scale.at(1), 0.5);
        QCOMPARE(scale.at(3), 1.0);
    }

    void figuresThatAreAllZeroHaveAScale()
    {
        const CostScale scale = scaleOf(figuresOf({0, 0}));
        QCOMPARE(scale.low, 0.0);
        QCOMPARE(scale.high, 0.0);
    }

private:
    /// Returns the figures of a chain of ops with these seconds, as numbers.
    static CostFigures figuresOf(const std::vector<double>& values)
    {
        Program program;
        Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
        ProgramSeconds seconds;
        for (const double value : values) {
            graph.append({.op = Op::callFunction,
                          .name = intern("n" + std::to_string(seconds.nodes.size())),
                          .target = intern("torch.ops.aten.relu.default")});
            seconds.nodes.push_back({.seconds = value});
        }
        return secondFigures(program, seconds);
    }
};

const test::Registered<CostFiguresTest> costFiguresTest("cost_figures_test");
#include "cost_figures_test.moc"
