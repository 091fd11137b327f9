#include "models/problem_model.h"
#include "panels/problems_panel.h"
#include "panels/runs_panel.h"
#include "panes/graph_view.h"
#include "panes/run_options_button.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <algorithm>

using namespace sunder;

/// Splits in the real window.
class WindowSplitTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void refusesASplitThatIsNotLegalAndLeadsToTheNode()
    {
        openModel();
        document().painting().paint(std::array{node("first")}, 1);
        document().painting().paint(std::array{node("second"), node("third")}, 0);
        actions().pass("split")->trigger();
        QVERIFY(document().runs().shownSplit() == nullptr);
        auto& view = widget<ProblemsPanel>().view();
        QVERIFY(view.isVisible());
        QVERIFY(view.model()->rowCount() >= 2);
        const QRect row = view.visualRect(view.model()->index(0, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, row.height() / 2));
        const auto& selected = document().marks().selection().source;
        QVERIFY(std::find(selected.begin(), selected.end(), node("first")) != selected.end());
    }

    void splitsAndLinksTheResultWithTheSource()
    {
        openModel();
        split();
        auto& result = widget<SubmodulesPane>();
        QVERIFY(result.isVisible());
        QCOMPARE(result.tabs().count(), 3);
        QVERIFY2(result.header().status().endsWith(" · equivalent"), qPrintable(result.header().status()));

        result.tabs().setCurrentIndex(2); // the part of stage1
        GraphView* view = result.currentView();
        QTRY_VERIFY(view->canvas().picture() != nullptr && !view->canvas().picture()->items.empty());
        settle();
        const Graph& part = document().runs().shownSplit()->split.program.graph(view->graphId());
        const NodeId third = part.find(intern("third"));
        QVERIFY(third.isValid());
        clickIn(view->canvas(), third);
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        QVERIFY(sourcePane().canvas().pictureStyle().selected.contains(node("third")));

        document().marks().select({node("fourth")});
        QVERIFY(view->canvas().pictureStyle().selected.contains(part.find(intern("fourth"))));
    }

    void showsASplitThatIsNotEqualAndRefusesItsParts()
    {
        const QString path = m_folder.filePath("in_place.fxj");
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "copy = call_method[clone](x)\n"
                                                      "written = call_method[add_](copy, 1)\n"
                                                      "reads = call_method[mul](copy, 2)\n"
                                                      "output(reads)\n");
        QVERIFY(writeFxJson(program, path.toStdString()).has_value());
        m_window->openModel(path);
        QTRY_VERIFY(document().isOpen());
        document().painting().paint(std::array{node("copy"), node("reads")}, 0);
        document().painting().paint(std::array{node("written")}, 1);
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QVERIFY2(widget<SubmodulesPane>().header().status().contains("NOT equivalent"),
                 qPrintable(widget<SubmodulesPane>().header().status()));
        // The reordered calls, the mutual dependency of the tags, and the failed proof are reported as a single problem.
        QCOMPARE(widget<ProblemsPanel>().model().count(Severity::error), 1);
        actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setFormat("parts");
        QVERIFY(!dialog->exportButton().isEnabled());
        QVERIFY2(dialog->statusText().contains("reads"), qPrintable(dialog->statusText()));
        dialog->setFormat("graph"); // for inspection
        QVERIFY(dialog->exportButton().isEnabled());
        dialog->close();
    }

    void keepsTheSignatureWhenAskedAndFromThenOn()
    {
        openStarred();
        actions().pass("split")->trigger();
        auto& pane = widget<SubmodulesPane>();
        QTRY_VERIFY2(pane.header().status().contains("NOT equivalent"), qPrintable(pane.header().status()));
        QVERIFY(pane.runOptions().isVisible() && !pane.runOptions().action("keepSignature").isChecked());

        pane.runOptions().action("keepSignature").trigger();
        QTRY_VERIFY2(pane.header().status().endsWith("signature kept · equivalent"), qPrintable(pane.header().status()));
        QVERIFY(pane.runOptions().action("keepSignature").isChecked());
        const Graph& main = document().runs().shownSplit()->split.program.rootGraph();
        QCOMPARE(main[main.find(intern("rest"))].target, intern("*rest"));
        QCOMPARE(document().runs().list().size(), std::size_t{2});
        const QAbstractItemModel& history = *widget<RunsPanel>().view().model();
        QCOMPARE(history.index(0, 0).data().toString(), QString("2 · Split by tags, signature kept"));
        QVERIFY(history.index(0, 0).data(Qt::ToolTipRole).toString().contains("signature kept"));

        actions().pass("split")->trigger(); // with the last options
        QTRY_COMPARE(document().runs().list().size(), std::size_t{3});
        QVERIFY(document().runs().shownSplit()->options.value("keepSignature").toBool());
        closeWindow();
        showWindow(); // the next session keeps them as well
        QVERIFY(actions().passSwitch("split", "keepSignature")->isChecked());
        actions().passSwitch("split", "keepSignature")->trigger();
    }

    void givesOneResultAsATupleWhenAsked()
    {
        openModel();
        actions().passSwitch("split", "returnTuple")->trigger();
        split();
        const SplitOutcomePtr outcome = document().runs().shownSplit();
        QVERIFY(outcome->options.value("returnTuple").toBool() && outcome->isProven());
        QVERIFY(passOf(document().runs().list().front()).endsWith("results as tuples"));
        const Graph& last = outcome->split.program.graph(outcome->split.parts[1]);
        QCOMPARE(last[last.last()].args.front().kind(), ArgumentKind::tuple);
        actions().passSwitch("split", "returnTuple")->trigger();
    }

    void aPartitionKeepsTheSignatureAndHasNoOptionsOfASplit()
    {
        openStarred();
        document().devices().set({{.name = "a", .availableBytes = 1e9}}, "one device");
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        const SplitOutcomePtr outcome = document().runs().shownSplit();
        const Graph& main = outcome->split.program.rootGraph();
        QVERIFY2(outcome->isProven(), outcome->report.why.c_str());
        QVERIFY(std::ranges::any_of(main.nodes(), [&](NodeId id) { return main[id].target == intern("*rest"); }));
        QVERIFY(widget<SubmodulesPane>().runOptions().isHidden());
    }

private:
    /// Opens a model with a variadic input after the first one.
    void openStarred()
    {
        const QString path = m_folder.filePath("starred.fxj");
        Program program = test::programFromText("x = placeholder() : 4\n"
                                                "rest = placeholder() : 4\n"
                                                "a = add(x, rest) : 4\n"
                                                "b = relu(a) : 4\n"
                                                "output(b)\n");
        program.rootGraph().setTarget(program.rootGraph().find(intern("rest")), intern("*rest"), {});
        QVERIFY(writeFxJson(program, path.toStdString()).has_value());
        m_window->openModel(path);
        QTRY_VERIFY(document().isOpen());
        document().painting().paint(std::array{node("a")}, 0);
        document().painting().paint(std::array{node("b")}, 1);
    }
};

const test::Registered<WindowSplitTest> windowSplitTest("window_split_test");
#include "window_split_test.moc"
