#include "canvas/painted_children.h"
#include "models/inspector_model.h"
#include "panels/inspector_panel.h"
#include "panes/run_graph_view.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTabBar>
#include <QTimer>

using namespace sunder;

/// Edges of a graph by mouse and keyboard: their values, producers, and consumers.
class WindowEdgesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
        canvas().setFocus();
    }
    void cleanup() { closeWindow(); }

    void aClickSelectsAnEdgeAndTheInspectorLeadsToBothEnds()
    {
        const QPoint at = on(canvas(), "second", "third");
        QTest::mouseMove(&canvas(), at);
        QCOMPARE(canvas().edgesUnder(at).size(), 1U);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at);
        QVERIFY(document().marks().selection().edge);
        QCOMPARE(canvas().selectedEdge(), static_cast<std::int64_t>(canvas().edgesUnder(at).front()));
        QVERIFY(document().marks().selection().source.empty());
        QCOMPARE(inspected("value"), QString("second"));
        QCOMPARE(inspected("from"), QString("second"));
        QCOMPARE(inspected("to"), QString("third"));
        clickInspected("to");
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        QVERIFY(!document().marks().selection().edge);
        QCOMPARE(canvas().selectedEdge(), std::int64_t{-1});
    }

    void theEdgeSaysHowManyReadItsValueElsewhere()
    {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on(canvas(), "first", "second"));
        QCOMPARE(inspected("also to"), QString("1 consumer"));
        const QString words = canvas().describeEdge(static_cast<std::uint32_t>(canvas().selectedEdge()));
        QVERIFY2(words.contains("from first") && words.contains("to second") && words.contains("1 consumer elsewhere"),
                 qPrintable(words));
    }

    void aDragThatBeginsOnAnEdgeStillMovesThePicture()
    {
        const QPoint at = on(canvas(), "second", "third");
        const Camera before = canvas().camera();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at);
        QTest::mouseMove(&canvas(), at + QPoint(30, 20));
        QMouseEvent move(QEvent::MouseMove, at + QPoint(60, 40), canvas().mapToGlobal(at + QPoint(60, 40)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas(), &move);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at + QPoint(60, 40));
        QVERIFY(canvas().camera() != before);
        QVERIFY(!document().marks().selection().edge);
    }

    void aDoubleClickGoesToTheEndThatIsFartherAway()
    {
        canvas().setZoom(2);
        const QRectF from = canvas().viewRectOf(canvas().scene().itemOf(node("second")));
        canvas().setCamera(canvas().camera().pannedBy(QRectF(canvas().rect()).center() - from.center()));
        const QPoint at = on(canvas(), "second", "third", 0.2);
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, at);
        const ItemId third = canvas().scene().itemOf(node("third"));
        QCOMPARE(canvas().currentItem(), third);
        QVERIFY((canvas().viewRectOf(third).center() - QRectF(canvas().rect()).center()).manhattanLength() < 2);
    }

    void keysStepThroughTheEdgesOfANodeAndGoAlongThem()
    {
        click("first");
        QTest::keyClick(&canvas(), Qt::Key_Period);
        QCOMPARE(inspected("from"), QString("x"));
        QTest::keyClick(&canvas(), Qt::Key_Period);
        QCOMPARE(inspected("from"), QString("first"));
        const QString one = inspected("to");
        QTest::keyClick(&canvas(), Qt::Key_Period);
        QVERIFY(inspected("to") != one);
        QTest::keyClick(&canvas(), Qt::Key_Comma);
        QCOMPARE(inspected("to"), one);
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(canvas().currentItem(), canvas().scene().itemOf(node(qPrintable(one))));
        QTest::keyClick(&canvas(), Qt::Key_Return); // and back again
        QCOMPARE(canvas().currentItem(), canvas().scene().itemOf(node("first")));
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        QVERIFY(!document().marks().selection().edge);
    }

    void screenReadersHearTheSelectedEdge()
    {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on(canvas(), "second", "third"));
        const QString said = QAccessible::queryAccessibleInterface(&canvas())->text(QAccessible::Description);
        QVERIFY2(said.contains("from second") && said.contains("to third"), qPrintable(said));
    }

    void screenReadersHearWhetherATagIsLegal()
    {
        const auto words = [this](const char* name) { return canvas().describeItem(canvas().scene().itemOf(node(name))); };
        QVERIFY2(!words("second").contains("legal"), qPrintable(words("second"))); // no op is tagged
        paintBoth();
        test::handlePending();
        QVERIFY2(words("second").endsWith(", legal"), qPrintable(words("second")));
        document().painting().paint(std::array{node("first")}, 1);
        test::handlePending();
        QVERIFY2(words("first").contains("illegal: "), qPrintable(words("first")));
        QVERIFY2(words("fourth").endsWith(", legal"), qPrintable(words("fourth")));
    }

    void theBrushPaintsAndSelectsNoEdge()
    {
        canvas().setTool(ToolKind::brush);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on(canvas(), "second", "third"));
        QVERIFY(!document().marks().selection().edge);
        canvas().setTool(ToolKind::select);
    }

    void edgesOfAPartAreThingsToo()
    {
        split();
        settle();
        widget<SubmodulesPane>().tabs().setCurrentIndex(1);
        settle();
        RunGraphView* view = widget<SubmodulesPane>().currentView();
        QVERIFY(view != nullptr);
        const Graph& graph = view->program()->graph(view->graphId());
        const NodeId reader = graph.find(intern("second"));
        QVERIFY(reader.isValid());
        view->canvas().fitAll();
        settle(); // the layout adapts its columns to the size
        const std::vector<std::uint32_t> edges = edgesAt(*view->canvas().scenePicture(), view->canvas().scene().itemOf(reader));
        QVERIFY(!edges.empty());
        QTest::mouseClick(&view->canvas(), Qt::LeftButton, {}, middleOf(view->canvas(), edges.front()));
        QVERIFY(document().marks().selection().edge);
        QCOMPARE(document().marks().selection().edge->run, view->run());
        QCOMPARE(view->canvas().selectedEdge(), static_cast<std::int64_t>(edges.front()));
        // the corresponding edge of the source
        QCOMPARE(canvas().selectedEdge(), edgeWith(*canvas().scenePicture(), {node("first"), node("second")}));
        QCOMPARE(inspected("to"), QString("second"));
    }

    void anEdgeOfAPartIsShownInTheSourceAndTheOtherWayRound()
    {
        RunGraphView& part = partWith("second");
        const Graph& graph = part.program()->graph(part.graphId());
        const NodeId reader = graph.find(intern("second"));
        const std::vector<std::uint32_t> edges = edgesAt(*part.canvas().scenePicture(), part.canvas().scene().itemOf(reader));
        QTest::mouseClick(&part.canvas(), Qt::LeftButton, {}, middleOf(part.canvas(), edges.front()));
        QVERIFY(document().marks().selection().edge);
        const std::int64_t same = edgeWith(*canvas().scenePicture(), {node("first"), node("second")});
        QVERIFY(same >= 0);
        QCOMPARE(canvas().selectedEdge(), same); // in the part, the edge starts at an input
        document().marks().clear();
        QCOMPARE(part.canvas().selectedEdge(), std::int64_t{-1});
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on(canvas(), "first", "second"));
        QCOMPARE(document().marks().selection().edge->run, 0);
        QCOMPARE(part.canvas().selectedEdge(), static_cast<std::int64_t>(edges.front()));
    }

    void anEdgeBetweenPartsIsOneToTheCallOfItsReader()
    {
        RunGraphView& part = partWith("third");
        const NodeId reader = part.program()->graph(part.graphId()).find(intern("third"));
        QVERIFY(reader);
        widget<SubmodulesPane>().tabs().setCurrentIndex(0);
        settle();
        RunGraphView& main = *widget<SubmodulesPane>().currentView();
        main.canvas().fitAll();
        settle();
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, on(canvas(), "second", "third"));
        const std::int64_t at = main.canvas().selectedEdge();
        QVERIFY(at >= 0);
        const Graph& graph = main.program()->graph(main.graphId());
        const ItemId to = main.canvas().picture()->edges[static_cast<std::size_t>(at)].to;
        const NodeId call = main.canvas().picture()->items[to.index()].nodes.front();
        QCOMPARE(graph[call].op, Op::callModule);
        QCOMPARE(document().marks().selection().edge->run, 0);
    }

    void theMenuOfAnEdgeLeadsToItsEnds()
    {
        const QPoint at = on(canvas(), "second", "third");
        const QStringList titles = openMenu(at, {});
        QCOMPARE(titles, (QStringList{"Go to producer second", "Go to consumer third", "Select both ends", "", "Copy as text"}));
        QVERIFY(document().marks().selection().edge);
        openMenu(at, "Go to producer second");
        QCOMPARE(document().marks().selection().source, std::vector{node("second")});
        openMenu(at, "Go to consumer third");
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        openMenu(at, "Select both ends");
        QCOMPARE(document().marks().selection().source, (std::vector{node("second"), node("third")}));
        openMenu(at, "Copy as text");
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
        QVERIFY2(lines.size() == 3 && lines[0].startsWith("second") && lines[1] == "from second" && lines[2] == "to third",
                 qPrintable(lines.join('|')));
    }

    void theMenuOfAnEdgeOfAPartLeadsToItsEndsThere()
    {
        RunGraphView& part = partWith("second");
        const NodeId reader = part.program()->graph(part.graphId()).find(intern("second"));
        const std::vector<std::uint32_t> edges = edgesAt(*part.canvas().scenePicture(), part.canvas().scene().itemOf(reader));
        openMenu(part.canvas(), middleOf(part.canvas(), edges.front()), "Go to consumer second");
        QCOMPARE(part.selectedHere(), std::vector{reader});
        QCOMPARE(document().marks().selection().source, std::vector{node("second")});
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }

    /// A point on the edge, or on the chip at its reader if columns cut the edge.
    QPoint middleOf(CanvasWidget& canvas, std::uint32_t edge, float along = 0.5F)
    {
        const PictureEdge& drawn = canvas.picture()->edges[edge];
        for (const Chip& chip : canvas.scene().item(drawn.to).chips)
            if (drawn.isCut && chip.kind == ChipKind::comesFrom)
                return canvas.camera().toView(chip.rect.center()).toPoint();
        const BezierPath& path = canvas.picture()->edges[edge].path;
        return canvas.camera().toView(pointAt(path, path.size() / 3 / 2, along)).toPoint();
    }

    /// A point on the edge between the items of two nodes.
    QPoint on(CanvasWidget& canvas, const char* from, const char* to, double along = 0.5)
    {
        const auto& edges = canvas.picture()->edges;
        for (std::uint32_t i = 0; i < edges.size(); ++i)
            if (edges[i].from == canvas.scene().itemOf(node(from)) && edges[i].to == canvas.scene().itemOf(node(to)))
                return middleOf(canvas, i, static_cast<float>(along));
        return {};
    }

    /// Shows the graph of the part that contains this node.
    RunGraphView& partWith(const char* name)
    {
        split();
        settle();
        SubmodulesPane& pane = widget<SubmodulesPane>();
        for (int tab = 1; tab < pane.tabs().count(); ++tab) {
            pane.tabs().setCurrentIndex(tab);
            settle();
            RunGraphView& view = *pane.currentView();
            if (view.program()->graph(view.graphId()).find(intern(name)))
                break;
        }
        pane.currentView()->canvas().fitAll();
        settle();
        return *pane.currentView();
    }

    QStringList openMenu(const QPoint& at, const QString& choose) { return openMenu(canvas(), at, choose); }

    /// Opens the menu at a point, chooses an entry, and returns all titles.
    QStringList openMenu(CanvasWidget& of, const QPoint& at, const QString& choose)
    {
        QStringList titles;
        QTimer::singleShot(0, m_window.get(), [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr)
                return;
            for (QAction* action : menu->actions()) {
                titles << action->text().remove('&');
                if (!choose.isEmpty() && titles.last() == choose)
                    action->trigger();
            }
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, of.mapToGlobal(at));
        QCoreApplication::sendEvent(&of, &event);
        return titles;
    }

    QModelIndex row(const QString& key)
    {
        const QAbstractItemModel& model = *widget<InspectorPanel>().view().model();
        for (int i = 0; i < model.rowCount(); ++i)
            if (model.index(i, 0).data().toString() == key)
                return model.index(i, 1);
        return {};
    }
    QString inspected(const QString& key) { return row(key).data().toString(); }
    void clickInspected(const QString& key)
    {
        QTreeView& view = widget<InspectorPanel>().view();
        view.scrollTo(row(key));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(row(key)).center());
    }
};

const test::Registered<WindowEdgesTest> windowEdgesTest("window_edges_test");
#include "window_edges_test.moc"
