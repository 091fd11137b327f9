#include "document/assumed_sizes.h"
#include "panels/assumption_bar.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QSpinBox>

using namespace sunder;

namespace {

/// x: f32[2, s0] and a row of ops of the same size; s0 is 8, and 2 to 64 in the file.
Program symbolicRow()
{
    Program program = test::programFromText("x = placeholder()\n"
                                            "first = relu(x)\n"
                                            "second = gelu(first)\n"
                                            "third = tanh(second)\n"
                                            "fourth = add(third, first)\n"
                                            "output(fourth)\n");
    const Argument symbol = Argument::symbolic({.expression = intern("s0"), .hint = std::int64_t{8}});
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].op != Op::output)
            program.rootGraph().meta(id).val = Argument::tensor(
                TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(2), symbol}});
    program.ranges = {{.symbol = intern("s0"), .min = 2, .max = 64}};
    return program;
}

} // namespace

/// The bar that says what sizes are taken to be, and all that follows it.
class WindowSizesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QVERIFY(writeFxJson(symbolicRow(), m_model.toStdString()).has_value());
        showWindow();
        openModel();
        settle();
    }
    void cleanup() { closeWindow(); }

    void saysWhatTheExportTook()
    {
        QVERIFY(bar().isVisible());
        QCOMPARE(field()->value(), 8);
        QCOMPARE(std::pair(field()->minimum(), field()->maximum()), std::pair(2, 64));
        QVERIFY2(bar().note().contains("size 1 of x") && bar().note().contains("from the export"), qPrintable(bar().note()));
    }

    void everyFigureFollowsIt()
    {
        split();
        settle();
        QCOMPARE(bytesOf(m_window->document().snapshot()->program, "first"), 64U);
        field()->setValue(16);
        settle();
        QCOMPARE(bytesOf(m_window->document().snapshot()->program, "first"), 128U);
        const SplitOutcomePtr cut = m_window->document().shownSplit();
        QVERIFY(cut != nullptr); // the run stays, and is of the same sizes
        QVERIFY(cut->isProven());
        for (const Graph& graph : cut->split.program.graphs)
            for (const NodeId id : graph.nodes())
                if (graph[id].meta.val && graph[id].meta.val->is(ArgumentKind::tensor))
                    QCOMPARE(byteSize(*graph[id].meta.val).value_or(0), std::uint64_t(128));
        QCOMPARE(m_window->document().tags()[node("first")], 0);
        QVERIFY2(bar().note().contains("in the export s0 was 8"), qPrintable(bar().note()));
        QCOMPARE(m_window->sourcePane().view().program().get(), &m_window->document().snapshot()->program);
    }

    void hidesWhereNoSizeDependsOnASymbol()
    {
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QTRY_VERIFY(!bar().isVisible());
    }

private:
    AssumptionBar& bar() { return *m_window->findChild<AssumptionBar*>(); }
    QSpinBox* field() { return bar().field(intern("s0")); }

    static std::uint64_t bytesOf(const Program& program, const char* name)
    {
        return byteSize(*program.rootGraph()[program.rootGraph().find(intern(name))].meta.val).value_or(0);
    }
};

const test::Registered<WindowSizesTest> windowSizesTest("window_sizes_test");
#include "window_sizes_test.moc"
