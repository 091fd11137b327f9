#include "app/workspace.h"
#include "document/assumed_sizes.h"
#include "panels/assumption_bar.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>

using namespace sunder;

namespace {

/// x: f32[2, s0] and a chain of ops of the same size; s0 is 8, with a range of 2 to 64 in the file.
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

/// The bar of assumed sizes and everything that depends on it.
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
        QVERIFY2(bar().note().contains("x, dimension 1") && bar().note().contains("value at export"), qPrintable(bar().note()));
    }

    void everyFigureFollowsIt()
    {
        split();
        settle();
        QCOMPARE(bytesOf(document().snapshot()->program, "first"), 64U);
        field()->setValue(16);
        settle();
        QCOMPARE(bytesOf(document().snapshot()->program, "first"), 128U);
        const SplitOutcomePtr cut = document().runs().shownSplit();
        QVERIFY(cut != nullptr); // the run stays and keeps its sizes
        QVERIFY(cut->isProven());
        for (const Graph& graph : cut->split.program.graphs)
            for (const NodeId id : graph.nodes())
                if (graph[id].meta.val && graph[id].meta.val->is(ArgumentKind::tensor))
                    QCOMPARE(byteSize(*graph[id].meta.val).value_or(0), std::uint64_t(128));
        QCOMPARE(document().tags()[node("first")], 0);
        QVERIFY2(bar().note().contains("at export s0 = 8"), qPrintable(bar().note()));
        QCOMPARE(sourcePane().view().program().get(), &document().snapshot()->program);
    }

    void everyChangeIsAStepOfUndo()
    {
        field()->setValue(16);
        settle();
        field()->setValue(32);
        settle();
        const QUndoStack& stack = document().steps();
        QCOMPARE(stack.undoText(), QString("Assume s0 = 32"));
        QVERIFY(document().isModified());
        document().undo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(16, std::uint64_t(128)));
        document().undo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(8, std::uint64_t(64)));
        QVERIFY2(bar().note().contains("value at export"), qPrintable(bar().note()));
        document().redo();
        document().redo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(32, std::uint64_t(256)));
    }

    void whatIsNotAllowedIsSaidAndRepaired()
    {
        QVERIFY(bar().repair().isHidden());
        enter("100");
        QCOMPARE(field()->value(), 8);
        QVERIFY2(bar().note().contains("s0 = 100 is outside the range that the file allows: 2 to 64"), qPrintable(bar().note()));
        QCOMPARE(bar().repair().text(), QString("Use 64"));
        QVERIFY(bar().repair().isVisible());
        QTest::mouseClick(&bar().repair(), Qt::LeftButton);
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(64, std::uint64_t(512)));
        QVERIFY(bar().repair().isHidden());
        enter("1");
        QCOMPARE(bar().repair().text(), QString("Use 2"));
    }

    void aPartitionIsReckonedAgainAndSaysWhereItWouldBeAnother()
    {
        document().devices().set(
            {{.name = "a", .availableBytes = 400, .logicalId = 0}, {.name = "b", .availableBytes = 400, .logicalId = 1}},
            "devices");
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        settle();
        PartitionDagPane& dag = workspace().partitionDag();
        const auto& view = test::childOf<DagView>(dag);
        const auto& notice = test::childOf<QWidget>(dag, QStringLiteral("notice"));
        const auto& noticeText = test::childOf<QLabel>(dag, QStringLiteral("noticeText"));
        auto& noticeButton = test::childOf<QPushButton>(dag, QStringLiteral("noticeButton"));
        const auto accountOf = [&] { return document().runs().shownSplit()->plan->dag.front().usedBytes; };
        QCOMPARE(accountOf(), 320U); // five values of 64 B
        field()->setValue(10);
        settle();
        QCOMPARE(accountOf(), 400U);
        QTRY_COMPARE(view.content().boxes.front().torchCount, std::optional<std::uint64_t>(400));
        QVERIFY(document().runs().isCurrent(*document().runs().find(1)));
        QVERIFY(notice.isHidden());
        field()->setValue(12);
        settle();
        QCOMPARE(accountOf(), 480U);
        QVERIFY(!document().runs().isCurrent(*document().runs().find(1)));
        QVERIFY2(dag.header().status().contains("cut for s0 = 8; run again for 12"), qPrintable(dag.header().status()));
        QVERIFY2(noticeText.text().contains("Cut for s0 = 8"), qPrintable(noticeText.text()));
        QCOMPARE(outcomeOf(*document().runs().find(1)), QString("1 part, cut for s0 = 8; run again for 12"));
        QTRY_COMPARE(view.content().boxes.front().torchCount, std::optional<std::uint64_t>(480));
        QCOMPARE(noticeButton.text(), QString("Run again"));
        field()->setValue(64); // exceeds both devices
        settle();
        QVERIFY2(dag.header().status().contains("cut for s0 = 8; no cut possible for 64"), qPrintable(dag.header().status()));
        QVERIFY2(noticeText.text().contains("add devices"), qPrintable(noticeText.text()));
        document().undo();
        document().undo();
        settle();
        QVERIFY(notice.isHidden());
        document().redo();
        settle();
        noticeButton.click();
        QTRY_COMPARE(document().runs().list().size(), 2U);
        settle();
        QCOMPARE(document().runs().shownSplit()->split.parts.size(), 2U);
        QVERIFY(document().runs().isCurrent(*document().runs().find(2)));
        QVERIFY(notice.isHidden());
    }

    void comesAgainWithTheSessionAsFarAsTheFileAllows()
    {
        field()->setValue(60);
        settle();
        forgetChanges(); // closing must not ask
        QVERIFY(m_window->close());
        closeWindow();
        Program other = symbolicRow();
        other.ranges = {{.symbol = intern("s0"), .min = 2, .max = 40}};
        QVERIFY(writeFxJson(other, m_model.toStdString()).has_value());
        showWindow();
        m_window->reopenLastSession();
        QTRY_VERIFY(document().isOpen());
        QTRY_VERIFY(field() != nullptr);
        QTRY_COMPARE(field()->value(), 40);
        settle();
        QCOMPARE(firstBytes(), 320U);
        QVERIFY(!document().steps().canUndo());
    }

    void staysWhenTheFileIsReadAgain()
    {
        field()->setValue(60);
        settle();
        Program other = symbolicRow();
        other.ranges = {{.symbol = intern("s0"), .min = 2, .max = 50}};
        QVERIFY(writeFxJson(other, m_model.toStdString()).has_value());
        workflow().reloadModel();
        settle();
        QTRY_COMPARE(field()->maximum(), 50);
        QTRY_COMPARE(field()->value(), 50);
        settle();
        QCOMPARE(firstBytes(), std::uint64_t(400));
    }

    void undoOfAReloadBringsTheSizesBack()
    {
        field()->setValue(60);
        settle();
        Program other = symbolicRow();
        other.ranges = {{.symbol = intern("s0"), .min = 2, .max = 50}};
        QVERIFY(writeFxJson(other, m_model.toStdString()).has_value());
        workflow().reloadModel();
        settle();
        QTRY_COMPARE(field()->value(), 50);
        document().undo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(60, std::uint64_t(480)));
        document().undo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(8, std::uint64_t(64)));
        document().redo();
        settle();
        document().redo();
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(50, std::uint64_t(400)));
        document().goToStep(0);
        settle();
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(8, std::uint64_t(64)));
    }

    void aRunThatWasBegunAtOtherSizesFollows()
    {
        document().devices().set({{.name = "a", .availableBytes = 10000, .logicalId = 0}}, "devices");
        workflow().partition({.config = {.devices = document().devices().list()}});
        field()->setValue(16); // before its job has ended
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        settle();
        QCOMPARE(document().runs().shownSplit()->plan->dag.front().usedBytes, std::uint64_t(640));
        QCOMPARE(firstBytes(), std::uint64_t(128));
    }

    void isForgottenWhereTheModelHasNoSuchSymbol()
    {
        field()->setValue(60);
        settle();
        QSettings().setValue("session/sizes", "");
        forgetChanges(); // closing must not ask
        QVERIFY(m_window->close());
        QCOMPARE(QSettings().value("session/sizes").toString(), QString("s0=60"));
        QSettings().setValue("session/sizes", "s7=60");
        closeWindow();
        showWindow();
        m_window->reopenLastSession();
        QTRY_VERIFY(document().isOpen());
        settle();
        QTRY_VERIFY(field() != nullptr);
        QCOMPARE(std::pair(field()->value(), firstBytes()), std::pair(8, std::uint64_t(64)));
    }

    void hidesWhereNoSizeDependsOnASymbol()
    {
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QTRY_VERIFY(!bar().isVisible());
    }

private:
    AssumptionBar& bar() { return *m_window->findChild<AssumptionBar*>(); }
    QSpinBox* field() { return bar().field(intern("s0")); }
    std::uint64_t firstBytes() { return bytesOf(document().snapshot()->program, "first"); }

    void enter(const char* size)
    {
        field()->setFocus();
        field()->selectAll();
        QTest::keyClicks(field(), QLatin1String(size));
        QTest::keyClick(field(), Qt::Key_Return);
        settle();
    }

    static std::uint64_t bytesOf(const Program& program, const char* name)
    {
        return byteSize(*program.rootGraph()[program.rootGraph().find(intern(name))].meta.val).value_or(0);
    }
};

const test::Registered<WindowSizesTest> windowSizesTest("window_sizes_test");
#include "window_sizes_test.moc"
