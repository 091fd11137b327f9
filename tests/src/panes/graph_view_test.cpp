#include "panes/graph_view.h"

#include "patience.h"
#include "test_case.h"
#include "test_support.h"

#include <QSignalSpy>

#include <algorithm>
#include <functional>

using namespace sunder;

/// A graph that is laid out in the background: its modules open and close, and nodes can be revealed.
class GraphViewTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_program = std::make_shared<const Program>(test::programFromText("x = placeholder() : 4\n"
                                                                          "a = relu(x) : 4 @ enc Encoder > enc.act ReLU\n"
                                                                          "b = gelu(a) : 4 @ enc Encoder > enc.act ReLU\n"
                                                                          "c = tanh(b) : 4 @ enc Encoder > enc.out Tanh\n"
                                                                          "d = sin(c) : 4 @ enc Encoder > enc.out Tanh\n"
                                                                          "e = cos(d) : 4\n"
                                                                          "output(e)\n"));
        m_jobs = std::make_unique<Jobs>();
        m_view = std::make_unique<GraphView>(*m_jobs, makeLayeredEngine(), "test");
        m_view->resize(600, 700);
        m_view->show();
        m_view->setGraph(m_program, m_program->root, "model");
        wait();
    }
    void cleanup() { m_view.reset(); }

    void opensAndFoldsAllModules()
    {
        const QStringList atFirst = frames();
        close("enc");
        QVERIFY(frames().isEmpty());
        m_view->openAll();
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
        close("enc.act");
        m_view->foldAll();
        wait();
        QCOMPARE(frames(), QStringList());
        m_view->showFirstSight();
        wait();
        QCOMPARE(frames(), atFirst);
    }

    void aListThatDoesNotFitIsInGroupsWhichOpenAndClose()
    {
        showStages();
        const QStringList atFirst = titles();
        QVERIFY2(atFirst.contains("d.0 … d.2"), qPrintable(atFirst.join(',')));
        m_view->toggle(itemOf("n0"), "d.0⋯d.2", false);
        wait();
        QVERIFY(frames().contains("d.0⋯d.2"));
        QVERIFY(titles().contains("d.1"));
        canvas().setCurrentItem(itemOf("n0"));
        QCOMPARE(m_view->breadcrumbs(), (QStringList{"model", "d.0 … d.2"}));
        QVERIFY(m_view->goUp());
        wait();
        QCOMPARE(titles(), atFirst);
        m_view->foldAll();
        wait();
        QCOMPARE(titles(), atFirst);
        m_view->openAll();
        wait();
        QVERIFY(!titles().contains("d.0 … d.2"));
        m_view->showFirstSight();
        wait();
        QCOMPARE(titles(), atFirst);
    }

    void anotherSizeOnlyFitsAgain()
    {
        showStages();
        const auto columns = [this] { return canvas().picture()->columnStarts.size(); };
        const QStringList atFirst = titles();
        const std::size_t columnsAtFirst = columns();
        for (const QSize size : {QSize(1600, 1400), QSize(300, 400), QSize(600, 700)}) {
            m_view->resize(size);
            wait();
            QCOMPARE(titles(), atFirst);
            QCOMPARE(columns(), columnsAtFirst);
            QVERIFY(canvas().isWhole());
            const QRectF all = canvas().camera().toView(canvas().scene().bounds());
            QVERIFY(QRectF(canvas().rect()).contains(all));
        }
        m_view->resize(1600, 1400);
        m_view->showFirstSight(); // on request
        wait();
        QVERIFY(titles() != atFirst);
    }

    void whatNobodyHasSeenYetIsChosenForTheSizeInWhichItIsSeen()
    {
        m_view->resize(1600, 1400);
        showStages();
        const QStringList inMuch = titles();
        m_view->resize(300, 200);
        m_view->hide();
        showStages();
        QVERIFY(titles() != inMuch);
        m_view->resize(1600, 1400);
        m_view->show();
        wait();
        QCOMPARE(titles(), inMuch);
    }

    void aProgramThatIsExchangedLeavesASightThatIsOnItsWay()
    {
        m_view->openAll();
        wait();
        canvas().setCamera(canvas().camera().pannedBy({30, 0}));
        const GraphSight open = m_view->sight().value();
        m_view->setGraph(m_program, m_program->root, "again");
        m_view->restore(open);
        m_view->exchangeProgram(std::make_shared<const Program>(*m_program));
        m_view->redraw();
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
        QVERIFY(canvas().camera() == open.camera);
    }

    void whatIsInAGroupIsFound()
    {
        showStages();
        m_view->openTowards({}, {node("n15")});
        wait();
        QVERIFY(frames().contains("d.3⋯d.5"));
        QCOMPARE(canvas().scene().item(itemOf("n15")).node, node("n15"));
        QVERIFY(titles().contains("d.0 … d.2"));
    }

    void opensWhatHidesANodeAndShowsIt()
    {
        close("enc");
        m_view->openTowards({}, {node("b")});
        wait();
        QVERIFY(frames().contains("enc.act"));
        const ItemId item = itemOf("b");
        QVERIFY(item.isValid());
        QCOMPARE(canvas().scene().item(item).node, node("b"));
        QVERIFY(QRectF(canvas().rect()).intersects(canvas().viewRectOf(item)));
    }

    /// A resize, an offer above the graph, or a single column does not drop a request that is not drawn yet.
    void whatIsAskedForIsNotForgottenBeforeItIsDrawn()
    {
        m_view->openAll();
        wait();
        canvas().setCamera(canvas().camera().pannedBy({30, 0}));
        const GraphSight open = m_view->sight().value();
        for (const auto& disturb :
             std::vector<std::function<void()>>{[this] { m_view->resize(400, 500); }, [this] { m_view->setOneColumn(true); },
                                                [this] { m_view->toggle(itemOf("e"), "nothing", false); }}) {
            m_view->setOneColumn(false);
            m_view->resize(600, 700);
            m_view->foldAll();
            wait();
            canvas().showWhole();
            QCOMPARE(frames(), QStringList());
            m_view->restore(open);
            disturb();
            wait();
            QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
        }
        m_view->foldAll();
        wait();
        m_view->openTowards({}, {node("b")});
        m_view->resize(400, 500);
        wait();
        QVERIFY(frames().contains("enc.act"));
    }

    void opensAModuleOnlyAsFarAsAsked()
    {
        m_view->openAll();
        wait();
        close("enc.act");
        close("enc");
        m_view->openTowards("enc", {node("b")});
        wait();
        QVERIFY2(!frames().contains("enc.act"), qPrintable(frames().join(',')));
    }

    void aModuleIsOpenedAndClosedByItsKey()
    {
        m_view->openAll();
        wait();
        m_view->toggle(itemOf("a"), "enc.act", false);
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.out"}));
        m_view->toggle(itemOf("a"), "enc.act", false);
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
        m_view->toggle(itemOf("a"), "enc", false);
        wait();
        m_view->toggle(itemOf("a"), "enc", true); // and everything below it
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
    }

    void closingOneModuleOfManyDisturbsNoOther()
    {
        m_view->openAll();
        wait();
        const QStringList all = titles();
        close("enc.act");
        QCOMPARE(frames(), (QStringList{"enc", "enc.out"}));
        m_view->toggle(itemOf("a"), "enc.act", false);
        wait();
        QCOMPARE(titles(), all);
        m_view->toggle(itemOf("a"), "enc.act", false);
        wait();
        close("enc");
        m_view->toggle(itemOf("a"), "enc", false); // its contents keep their state
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.out"}));
    }

    void whatIsClosedAmongAllIsOpenedOnTheWayToANode()
    {
        m_view->openAll();
        wait();
        close("enc.act");
        m_view->openTowards({}, {node("b")});
        wait();
        QCOMPARE(frames(), (QStringList{"enc", "enc.act", "enc.out"}));
    }

    void saysWhereItIsAndGoesUp()
    {
        m_view->openAll();
        wait();
        QSignalSpy changes(m_view.get(), &GraphView::breadcrumbsChanged);
        canvas().setCurrentNode(node("a"));
        QCOMPARE(m_view->breadcrumbs(), (QStringList{"model", "enc", "act"}));
        QVERIFY(changes.size() > 0);
        QVERIFY(m_view->goUp());
        wait();
        QVERIFY(!frames().contains("enc.act"));
        canvas().setCurrentNode(node("e"));
        QCOMPARE(m_view->breadcrumbs(), QStringList{"model"});
        QVERIFY(!m_view->goUp()); // there is no enclosing module
    }

    void aCrumbShowsItsModule()
    {
        m_view->openAll();
        wait();
        canvas().setCurrentNode(node("a"));
        const auto isInSight = [this](const char* name) {
            return QRectF(canvas().rect()).contains(canvas().viewRectOf(itemOf(name)));
        };
        canvas().setCamera(canvas().camera().pannedBy({5000, 5000}));
        QVERIFY(!isInSight("b"));
        m_view->showCrumb(2); // enc.act
        QVERIFY(isInSight("a") && isInSight("b"));
        canvas().setCamera(canvas().camera().pannedBy({5000, 5000}));
        m_view->showCrumb(0);
        QVERIFY(isInSight("a") && isInSight("e"));
    }

    void flowsToTheRightAndBackWithTheWholeInView()
    {
        close("enc");
        const QStringList open = frames();
        QCOMPARE(canvas().picture()->direction, FlowDirection::down);
        m_view->setDirection(FlowDirection::right);
        wait();
        QCOMPARE(canvas().picture()->direction, FlowDirection::right);
        QVERIFY(canvas().isFitted());
        QCOMPARE(frames(), open);
        canvas().setFocus();
        const ItemId first(0U);
        canvas().setCurrentItem(first);
        QTest::keyClick(&canvas(), Qt::Key_Right);
        QCOMPARE(canvas().picture()->items[canvas().currentItem().index()].title, std::string("enc"));
        m_view->setDirection(FlowDirection::down);
        wait();
        QCOMPARE(canvas().picture()->direction, FlowDirection::down);
    }

    void takesTheFocusOnceItIsDrawn()
    {
        m_view->setGraph(m_program, m_program->root, "again");
        m_view->takeFocus();
        QVERIFY(canvas().isHidden());
        wait();
        QCOMPARE(m_view->focusWidget(), static_cast<QWidget*>(&canvas()));
    }

    void drawsAnewWhatIsExchangedWhileItIsDrawn()
    {
        m_view->setGraph(m_program, m_program->root, "again");
        const auto copy = std::make_shared<const Program>(*m_program);
        m_view->exchangeProgram(copy);
        wait();
        QCOMPARE(m_view->program(), copy);
        const auto another = std::make_shared<const Program>(*m_program);
        const auto picture = canvas().picture();
        m_view->exchangeProgram(another);
        QCOMPARE(canvas().picture(), picture); // the graph is the same, so its picture stays
        QCOMPARE(m_view->program(), another);
    }

    void aGraphThatIsTakenAwayIsNotShownLater()
    {
        m_view->setGraph(m_program, m_program->root, "again");
        m_view->setGraph(nullptr, {}, {});
        QTRY_COMPARE(m_jobs->runningCount(), 0);
        QVERIFY(canvas().isHidden());
        QVERIFY(canvas().picture() == nullptr || canvas().picture()->items.empty());
    }

private:
    /// A list that is too long for the pane; its elements have ops that show only when they are open.
    void showStages()
    {
        std::string text = "x = placeholder() : 4\n";
        for (int i = 0; i < 96; ++i) {
            const int element = i / 4;
            text += "n" + std::to_string(i) + " = op(" + (i == 0 ? "x" : "n" + std::to_string(i - 1)) + ", " + std::to_string(i)
                + ") : 4 @ d." + std::to_string(element) + (element % 3 == 2 ? " Pool\n" : " Block\n");
        }
        m_program = std::make_shared<const Program>(test::programFromText(text + "output(n95)\n"));
        m_view->setGraph(m_program, m_program->root, "model");
        wait();
    }

    CanvasWidget& canvas() { return m_view->canvas(); }
    NodeId node(const char* name) const { return m_program->rootGraph().find(intern(name)); }
    ItemId itemOf(const char* name) { return canvas().scene().itemOf(node(name)); }

    void wait()
    {
        QVERIFY(test::comes([this] {
            test::handlePending();
            return m_jobs->runningCount() == 0;
        }));
    }

    void close(const char* module)
    {
        if (frames().contains(QLatin1String(module)))
            m_view->toggle({}, QLatin1String(module), false);
        wait();
    }

    QStringList titles()
    {
        QStringList titles;
        for (const Item& item : canvas().picture()->items)
            titles << QString::fromStdString(item.title);
        return titles;
    }

    /// Keys of open modules.
    QStringList frames()
    {
        QStringList keys;
        for (const Item& item : canvas().picture()->items)
            if (item.kind == ItemKind::frame)
                keys << QString::fromStdString(item.key);
        keys.sort();
        return keys;
    }

    std::shared_ptr<const Program> m_program;
    std::unique_ptr<Jobs> m_jobs;
    std::unique_ptr<GraphView> m_view;
};

const test::Registered<GraphViewTest> graphViewTest("graph_view_test");
#include "graph_view_test.moc"
