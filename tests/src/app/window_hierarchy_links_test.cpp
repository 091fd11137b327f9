#include "hierarchy_fixture.h"
#include "panels/search_field.h"
#include "test_case.h"

#include <QAccessible>
#include <QApplication>

#include <algorithm>

using namespace sunder;

/// Links between the Hierarchy pane and the rest of the window, by mouse and keyboard.
class WindowHierarchyLinksTest final : public test::HierarchyFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareLayered(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void selectingAModuleSelectsWhatRunsInIt()
    {
        unflatten();
        choose("layers.0");
        QCOMPARE(document().marks().selection().source, (std::vector{node("mul_0"), node("relu_0"), node("relu_1")}));
    }

    void aSelectedNodeShowsItsModule()
    {
        unflatten();
        document().marks().select({node("mul_1")});
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.1"));
        QCOMPARE(pane().modules().tree().currentIndex().data().toString(), QStringLiteral("1"));
        const GraphId graph = pane().graph().graphId();
        const NodeId copy = program().graph(graph).find(intern("mul_1"));
        QVERIFY(copy.isValid());
        QTRY_VERIFY(pane().graph().canvas().pictureStyle().selected.contains(copy));
    }

    void entersACalledModuleAndComesBack()
    {
        unflatten();
        choose("layers.0");
        waitForPicture();
        const Graph& graph = program().graph(pane().graph().graphId());
        NodeId call;
        for (const NodeId id : graph.nodes())
            if (graph[id].op == Op::callModule)
                call = id;
        QVERIFY(call.isValid());
        CanvasWidget& canvas = pane().graph().canvas();
        canvas.fitAll();
        const QPoint at = canvas.viewRectOf(canvas.picture()->itemOf[call.index()]).center().toPoint();
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, at);
        QVERIFY2(pane().currentPath().startsWith(QStringLiteral("layers.0.act")), qPrintable(pane().currentPath()));
        waitForPicture();
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Backspace);
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.0"));
        pane().modules().tree().setFocus();
        QTest::keyClick(&pane().modules().tree(), Qt::Key_Backspace);
        QCOMPARE(pane().currentPath(), QStringLiteral("layers"));
    }

    void clickingANodeOfAModuleSelectsItInTheSource()
    {
        unflatten();
        choose("layers.1");
        waitForPicture();
        clickIn(pane().graph().canvas(), program().graph(pane().graph().graphId()).find(intern("mul_1")));
        const auto& selected = document().marks().selection().source; // the weight is drawn in the op and is selected as well
        QVERIFY(std::ranges::find(selected, node("mul_1")) != selected.end());
        QVERIFY(std::ranges::find(selected, node("mul_0")) == selected.end());
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.1"));
    }

    void worksByKeysAlone()
    {
        unflatten();
        pane().modules().filter().setFocus();
        QTest::keyClicks(&pane().modules().filter(), "layers.0");
        QTest::keyClick(&pane().modules().filter(), Qt::Key_Return);
        QVERIFY(pane().modules().tree().hasFocus());
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.0")); // the first match, not the root
        QTest::keyClick(&pane().modules().tree(), Qt::Key_Return);
        QTRY_VERIFY(pane().graph().canvas().hasFocus()); // once its picture is ready
        for (QWidget* widget : pane().findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible())
                QVERIFY2(!QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name).isEmpty(),
                         qPrintable(widget->metaObject()->className() + widget->objectName()));
    }

    void theTreeNamesTheModuleInSightWhateverTheFilterHides()
    {
        unflatten();
        choose("layers.1");
        QLineEdit& filter = pane().modules().filter();
        QTreeView& tree = pane().modules().tree();
        filter.setFocus();
        QTest::keyClicks(&filter, "act");
        QVERIFY(!find("layers.1").isValid());
        QVERIFY(!tree.selectionModel()->hasSelection());
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.1"));
        filter.clear();
        QCOMPARE(tree.currentIndex(), find("layers.1"));
        QTest::keyClicks(&filter, "act");
        QTest::keyClick(&filter, Qt::Key_Down);
        QVERIFY(tree.hasFocus());
        QCOMPARE(tree.currentIndex(), find("layers.0.act"));
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.0.act"));
    }

    void backspaceLeadsUpThroughAModuleWithoutAGraph()
    {
        unflatten();
        choose("layers.0");
        waitForPicture();
        pane().graph().canvas().setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backspace);
        QCOMPARE(pane().currentPath(), QStringLiteral("layers"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backspace);
        QCOMPARE(pane().currentPath(), QString());
        QTRY_VERIFY(pane().graph().canvas().hasFocus());
    }

    void commandsOfTheViewActOnTheGraphWithTheFocus()
    {
        unflatten();
        CanvasWidget& canvas = pane().graph().canvas();
        const double source = sourcePane().canvas().camera().zoom();
        pane().modules().tree().setFocus(); // anywhere in the pane
        canvas.fitAll();
        const double before = canvas.camera().zoom();
        actions().zoomIn->trigger();
        QVERIFY(canvas.camera().zoom() > before);
        actions().fit->trigger();
        QCOMPARE(canvas.camera().zoom(), before);
        QCOMPARE(sourcePane().canvas().camera().zoom(), source);
        choose("layers.0");
        actions().up->trigger();
        QCOMPARE(pane().currentPath(), QStringLiteral("layers"));
        QVERIFY(pane().graphInFront() == nullptr); // a module without ops has no graph
        actions().zoomIn->trigger();
    }

    void hitsOfTheSearchAreMarkedInTheModule()
    {
        unflatten();
        choose("layers.0");
        waitForPicture();
        const NodeId copy = program().graph(pane().graph().graphId()).find(intern("mul_0"));
        widget<SearchField>().setText(QStringLiteral("mul"));
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(copy));
        choose("layers.1"); // also in a module that is shown later
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(
            program().graph(pane().graph().graphId()).find(intern("mul_1"))));
        widget<SearchField>().clear();
        QVERIFY(pane().graph().canvas().pictureStyle().found.empty());
    }

    void callsWearTheTagsOfWhatTheyRun()
    {
        unflatten();
        document().painting().paint(std::array{node("mul_0"), node("relu_0")}, 0);
        document().painting().paint(std::array{node("relu_1"), node("mul_1")}, 1);
        choose("");
        waitForPicture();
        CanvasWidget& canvas = pane().graph().canvas();
        const ItemId call = canvas.scene().itemOf(callIn("layers.0"));
        QCOMPARE(canvas.scene().looks().strip(call).size(), std::size_t(2));
        const QString words = canvas.describeItem(call); // shares are measured in bytes
        QVERIFY2(words.contains("% (2 ops), stage1") && words.contains("% (1 op)"), qPrintable(words));
        QCOMPARE(canvas.scene().looks()[canvas.scene().itemOf(callIn("layers.1"))].tag, 1);
        document().painting().paint(std::array{node("relu_1")}, 0); // painted in another pane
        QCOMPARE(canvas.scene().looks()[canvas.scene().itemOf(callIn("layers.0"))].tag, 0);
        choose("layers.0.act"); // one copy for two calls
        waitForPicture();
        document().painting().paint(std::array{node("relu_1")}, 1);
        QCOMPARE(canvas.scene()
                     .looks()
                     .strip(canvas.scene().itemOf(program().graph(pane().graph().graphId()).find(intern("relu_0"))))
                     .size(),
                 std::size_t(2));
    }

    void callsAreMarkedForWhatIsFoundHoveredOrSelectedInThem()
    {
        unflatten();
        choose("");
        waitForPicture();
        CanvasWidget& canvas = pane().graph().canvas();
        widget<SearchField>().setText(QStringLiteral("mul_1"));
        QVERIFY(canvas.pictureStyle().found.contains(callIn("layers.1")));
        QVERIFY(!canvas.pictureStyle().found.contains(callIn("layers.0")));
        widget<SearchField>().clear();
        document().marks().setHovered({node("relu_1")});
        QVERIFY(canvas.pictureStyle().counterparts.contains(callIn("layers.0")));
        document().marks().setHovered({});
        pane().linkButton().followAction(Following::stay)->trigger();
        document().marks().select({node("mul_1")});
        QVERIFY(canvas.pictureStyle().counterparts.contains(callIn("layers.1")));
        pane().linkButton().followAction(Following::show)->trigger();
    }
};

const test::Registered<WindowHierarchyLinksTest> windowHierarchyLinksTest("window_hierarchy_links_test");
#include "window_hierarchy_links_test.moc"
