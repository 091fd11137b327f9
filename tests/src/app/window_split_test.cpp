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
        m_window->document().painting().paint(std::array{node("first")}, 1);
        m_window->document().painting().paint(std::array{node("second"), node("third")}, 0);
        m_window->actions().pass("split")->trigger();
        QVERIFY(m_window->document().runs().shownSplit() == nullptr);
        auto& view = m_window->problemsPanel().view();
        QVERIFY(view.isVisible());
        QVERIFY(view.model()->rowCount() >= 2);
        const QRect row = view.visualRect(view.model()->index(0, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, row.height() / 2));
        const auto& selected = m_window->document().marks().selection().source;
        QVERIFY(std::find(selected.begin(), selected.end(), node("first")) != selected.end());
    }

    void splitsAndLinksTheResultWithTheSource()
    {
        openModel();
        split();
        auto& result = m_window->submodulesPane();
        QVERIFY(result.isVisible());
        QCOMPARE(result.tabs().count(), 3);
        QVERIFY2(result.header().status().endsWith(" · equivalent"), qPrintable(result.header().status()));

        result.tabs().setCurrentIndex(2); // the part of stage1
        GraphView* view = result.currentView();
        QTRY_VERIFY(view->canvas().picture() != nullptr && !view->canvas().picture()->items.empty());
        settle();
        const Graph& part = m_window->document().runs().shownSplit()->split.program.graph(view->graphId());
        const NodeId third = part.find(intern("third"));
        QVERIFY(third.isValid());
        clickIn(view->canvas(), third);
        QCOMPARE(m_window->document().marks().selection().source, std::vector{node("third")});
        QVERIFY(m_window->sourcePane().canvas().pictureStyle().selected.contains(node("third")));

        m_window->document().marks().select({node("fourth")});
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
        QTRY_VERIFY(m_window->document().isOpen());
        m_window->document().painting().paint(std::array{node("copy"), node("reads")}, 0);
        m_window->document().painting().paint(std::array{node("written")}, 1);
        m_window->actions().pass("split")->trigger();
        QTRY_VERIFY(m_window->document().runs().shownSplit() != nullptr);
        QVERIFY2(m_window->submodulesPane().header().status().contains("NOT equivalent"),
                 qPrintable(m_window->submodulesPane().header().status()));
        // The reordered calls, the mutual dependency of the tags, and the failed proof are reported as a single problem.
        QCOMPARE(m_window->problemsPanel().model().count(Severity::error), 1);
        m_window->actions().exportAll->trigger();
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
        m_window->actions().pass("split")->trigger();
        auto& pane = m_window->submodulesPane();
        QTRY_VERIFY2(pane.header().status().contains("NOT equivalent"), qPrintable(pane.header().status()));
        QVERIFY(pane.runOptions().isVisible() && !pane.runOptions().action("keepSignature").isChecked());

        pane.runOptions().action("keepSignature").trigger();
        QTRY_VERIFY2(pane.header().status().endsWith("signature kept · equivalent"), qPrintable(pane.header().status()));
        QVERIFY(pane.runOptions().action("keepSignature").isChecked());
        const Graph& main = m_window->document().runs().shownSplit()->split.program.rootGraph();
        QCOMPARE(main[main.find(intern("rest"))].target, intern("*rest"));
        QCOMPARE(m_window->document().runs().list().size(), std::size_t{2});
        const QAbstractItemModel& history = *m_window->runsPanel().view().model();
        QCOMPARE(history.index(0, 0).data().toString(), QString("2 · Split by tags, signature kept"));
        QVERIFY(history.index(0, 0).data(Qt::ToolTipRole).toString().contains("signature kept"));

        m_window->actions().pass("split")->trigger(); // with the last options
        QTRY_COMPARE(m_window->document().runs().list().size(), std::size_t{3});
        QVERIFY(m_window->document().runs().shownSplit()->options.value("keepSignature").toBool());
        closeWindow();
        showWindow(); // the next session keeps them as well
        QVERIFY(m_window->actions().passSwitch("split", "keepSignature")->isChecked());
        m_window->actions().passSwitch("split", "keepSignature")->trigger();
    }

    void givesOneResultAsATupleWhenAsked()
    {
        openModel();
        m_window->actions().passSwitch("split", "returnTuple")->trigger();
        split();
        const SplitOutcomePtr outcome = m_window->document().runs().shownSplit();
        QVERIFY(outcome->options.value("returnTuple").toBool() && outcome->isProven());
        QVERIFY(passOf(m_window->document().runs().list().front()).endsWith("results as tuples"));
        const Graph& last = outcome->split.program.graph(outcome->split.parts[1]);
        QCOMPARE(last[last.last()].args.front().kind(), ArgumentKind::tuple);
        m_window->actions().passSwitch("split", "returnTuple")->trigger();
    }

    void aPartitionKeepsTheSignatureAndHasNoOptionsOfASplit()
    {
        openStarred();
        m_window->document().devices().set({{.name = "a", .availableBytes = 1e9}}, "one device");
        m_window->workflow().partition({.config = {.devices = m_window->document().devices().list()}});
        QTRY_VERIFY(m_window->document().runs().shownSplit() != nullptr);
        const SplitOutcomePtr outcome = m_window->document().runs().shownSplit();
        const Graph& main = outcome->split.program.rootGraph();
        QVERIFY2(outcome->isProven(), outcome->report.why.c_str());
        QVERIFY(std::ranges::any_of(main.nodes(), [&](NodeId id) { return main[id].target == intern("*rest"); }));
        QVERIFY(m_window->submodulesPane().runOptions().isHidden());
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
        QTRY_VERIFY(m_window->document().isOpen());
        m_window->document().painting().paint(std::array{node("a")}, 0);
        m_window->document().painting().paint(std::array{node("b")}, 1);
    }
};

const test::Registered<WindowSplitTest> windowSplitTest("window_split_test");
#include "window_split_test.moc"
