#include "../../core/passes/module_program.h"
#include "panels/search_field.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QElapsedTimer>

#include <algorithm>

using namespace sunder;

namespace {

/// Two layers with a parameter each, and a module `act` in the first that is called twice.
Program layered()
{
    test::ModuleProgram made;
    const NodeId w0 = made.parameter("p_layers_0_weight", "layers.0.weight");
    const NodeId w1 = made.parameter("p_layers_1_weight", "layers.1.weight");
    const NodeId x = made.input("x");
    const NodeId a = made.call("mul_0", "mul.Tensor", {x, w0}, {"layers.0"});
    const NodeId b = made.call("relu_0", "relu.default", {a}, {"layers.0", "layers.0.act"});
    const NodeId c = made.call("relu_1", "relu.default", {b}, {"layers.0", "layers.0.act@1"});
    const NodeId d = made.call("mul_1", "mul.Tensor", {c, w1}, {"layers.1"});
    const NodeId e = made.call("sin_0", "sin.default", {d}, {});
    return made.finish({e});
}

UnflattenOutcomePtr largeOutcome(int modules)
{
    auto outcome = std::make_shared<UnflattenOutcome>();
    Program& program = outcome->result.program;
    program.root = program.addGraph(ModuleTree::root());
    program.modules[ModuleTree::root()].graph = program.root;
    for (int i = 0; i < modules; ++i) {
        const ModuleId module = program.modules.ensure("blocks." + std::to_string(i / 10) + ".part" + std::to_string(i % 10));
        program.modules[module].graph = program.addGraph(module);
    }
    outcome->result.map.finish();
    return outcome;
}

} // namespace

/// The Hierarchy pane in the real window.
class WindowHierarchyTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_model = m_folder.filePath("layered.fxj");
        QVERIFY(writeFxJson(layered(), m_model.toStdString()).has_value());
    }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void showsTheTreeOfModules()
    {
        unflatten();
        QVERIFY2(pane().header().status().contains("proven equal"), qPrintable(pane().header().status()));
        const QModelIndex root = model().index(0, 0);
        QCOMPARE(root.data().toString(), QStringLiteral("layered"));
        QCOMPARE(root.data(HierarchyModel::OpsRole).toInt(), 5);
        const QModelIndex first = find("layers.0");
        QCOMPARE(first.data(HierarchyModel::OpsRole).toInt(), 3);
        QCOMPARE(find("layers").data(HierarchyModel::OpsRole).toInt(), 4); // it runs nothing itself
        const QModelIndex act = find("layers.0.act");
        QCOMPARE(act.data(HierarchyModel::CallsRole).toInt(), 2);
        QVERIFY2(act.data(Qt::ToolTipRole).toString().contains("called 2 times"), qPrintable(act.data(Qt::ToolTipRole).toString()));
    }

    void modelKeepsItsPromises()
    {
        unflatten();
        QAbstractItemModelTester tester(&model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester facts(&pane().facts().tensors(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        pane().modules().filter().setFocus();
        QTest::keyClicks(&pane().modules().filter(), "act");
        QCOMPARE(model().matchCount() >= 1, true);
        QVERIFY(!find("layers.1").isValid());
        QVERIFY(find("layers.0.act").isValid());
        QTest::keyClick(&pane().modules().filter(), Qt::Key_Escape);
        QVERIFY(pane().modules().filter().text().isEmpty());
        QVERIFY(find("layers.1").isValid());
        choose("layers.0");
        m_window->document().hideRun(ResultKind::hierarchy);
        QCOMPARE(model().rowCount(), 0);
    }

    void showsSignatureAndSunkParametersOfTheModule()
    {
        unflatten();
        choose("layers.0");
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.0"));
        QCOMPARE(pane().facts().signature().rows().front().cells.first(), QStringLiteral("in"));
        QCOMPARE(pane().facts().signature().rows().back().cells.first(), QStringLiteral("out"));
        QVERIFY(pane().facts().signature().rows().front().cells.contains(QStringLiteral("f32[2, 3]")));
        QCOMPARE(pane().facts().tensors().rowCount(), 1);
        QCOMPARE(pane().facts().tensors().rows().front().cells.first(), QStringLiteral("weight"));
        QCOMPARE(pane().facts().tensors().rows().front().cells.value(2), QStringLiteral("f32[2, 3]"));
    }

    void selectingAModuleSelectsWhatRunsInIt()
    {
        unflatten();
        choose("layers.0");
        QCOMPARE(m_window->document().selection().source, (std::vector{node("mul_0"), node("relu_0"), node("relu_1")}));
    }

    void aSelectedNodeShowsItsModule()
    {
        unflatten();
        m_window->document().select({node("mul_1")});
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
        const auto& selected = m_window->document().selection().source; // the weight is drawn in the op and goes along
        QVERIFY(std::ranges::find(selected, node("mul_1")) != selected.end());
        QVERIFY(std::ranges::find(selected, node("mul_0")) == selected.end());
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.1"));
    }

    void marksADispatcherAndShowsEachOfItsCalls()
    {
        unflattenCase("dispatcher_all_preserved");
        const auto& entries = model().tree()->entries;
        const auto at = std::ranges::find_if(entries, [](const HierarchyTree::Entry& entry) { return entry.isDispatcher; });
        QVERIFY(at != entries.end());
        const QModelIndex index = model().indexOf(static_cast<std::int32_t>(at - entries.begin()));
        QVERIFY(index.data(HierarchyModel::ClassRole).toString().contains(QStringLiteral("dispatcher")));
        QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("dispatcher")));
        QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("graphs of their own (%1)").arg(at->graphs.size())));
        choose(index);
        QVERIFY(pane().calls().isVisible());
        QCOMPARE(static_cast<std::size_t>(pane().calls().count()), at->graphs.size());
        QCOMPARE(pane().graph().graphId(), at->graphs[0]);
        pane().calls().setFocus();
        QTest::keyClick(&pane().calls(), Qt::Key_Down);
        QCOMPARE(pane().graph().graphId(), at->graphs[1]);
        // A node of the second call leads to that call.
        const auto& copies = model().tree()->copies[at->graphs[1].index()];
        QVERIFY(!copies.empty());
        m_window->document().select({copies.front().first});
        QCOMPARE(pane().calls().currentIndex(), 1);
        QCOMPARE(pane().graph().graphId(), at->graphs[1]);
    }

    void marksAModuleThatStandsAtTwoPaths()
    {
        unflattenCase("shared_in_two_parents_strict");
        const QModelIndex first = find("p.inner.lin");
        const QModelIndex second = find("q.inner.lin");
        for (const QModelIndex& index : {first, second}) {
            QVERIFY(index.data(HierarchyModel::ClassRole).toString().contains(QStringLiteral("shared")));
            QCOMPARE(index.data(HierarchyModel::CallsRole).toInt(), first.data(HierarchyModel::CallsRole).toInt());
        }
        QVERIFY(second.data(Qt::ToolTipRole).toString().contains(QStringLiteral("the same module as p.inner.lin")));
        choose(first);
        const GraphId graph = pane().graph().graphId();
        choose(second);
        QCOMPARE(pane().graph().graphId(), graph);
        QCOMPARE(pane().facts().tensors().rows().front().cells.value(3), QStringLiteral("64 B"));
        QCOMPARE(pane().facts().tabText(1), QStringLiteral("Parameters 2 · 80 B"));
    }

    void marksAPreservedSignatureAndShowsItsTypes()
    {
        unflattenCase("signature_kwargs");
        const QModelIndex index = find("m");
        QVERIFY(index.data(HierarchyModel::ClassRole).toString().contains(QStringLiteral("preserved")));
        QVERIFY(!find("m.lin").data(HierarchyModel::ClassRole).toString().contains(QStringLiteral("preserved")));
        choose(index);
        QStringList lines;
        for (const FactTable::Row& row : pane().facts().signature().rows())
            lines << row.cells.join(QLatin1Char(' '));
        QCOMPARE(lines, (QStringList{"in b f32[2, 4] 32 B", "in a f32[2, 4] 32 B", "in c f32[2, 4] 32 B", "out sub f32[2, 4] 32 B"}));
    }

    void showsWhatThePassDidOtherwise()
    {
        unflattenCase("call_of_a_sibling");
        QCOMPARE(pane().facts().notes().rowCount(), 1);
        QVERIFY(pane().facts().isTabVisible(2));
        QCOMPARE(pane().facts().tabText(2), QStringLiteral("Notes 1"));
        QVERIFY(pane().facts().notes().rows().front().cells.first().contains(QStringLiteral("no path from borrower to owner")));
        m_window->openModel(m_model);
        QTRY_COMPARE(m_window->document().displayName(), QStringLiteral("layered"));
        m_window->actions().unflatten->trigger();
        QTRY_VERIFY(m_window->document().shownUnflattened() != nullptr);
        QVERIFY(!pane().facts().isTabVisible(2));
    }

    void worksByKeysAlone()
    {
        unflatten();
        pane().modules().filter().setFocus();
        QTest::keyClicks(&pane().modules().filter(), "layers.0");
        QTest::keyClick(&pane().modules().filter(), Qt::Key_Return);
        QVERIFY(pane().modules().tree().hasFocus());
        QTest::keyClick(&pane().modules().tree(), Qt::Key_Down);
        QTest::keyClick(&pane().modules().tree(), Qt::Key_Down);
        QCOMPARE(pane().currentPath(), QStringLiteral("layers.0"));
        QTest::keyClick(&pane().modules().tree(), Qt::Key_Return);
        QTRY_VERIFY(pane().graph().canvas().hasFocus()); // when its picture is there
        for (QWidget* widget : pane().findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible())
                QVERIFY2(!QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name).isEmpty(),
                         qPrintable(widget->metaObject()->className() + widget->objectName()));
    }

    void commandsOfTheViewActOnTheGraphWithTheFocus()
    {
        unflatten();
        CanvasWidget& canvas = pane().graph().canvas();
        const double source = m_window->sourcePane().canvas().camera().zoom();
        pane().modules().tree().setFocus(); // anywhere in the pane
        canvas.fitAll();
        const double before = canvas.camera().zoom();
        m_window->actions().zoomIn->trigger();
        QVERIFY(canvas.camera().zoom() > before);
        m_window->actions().fit->trigger();
        QCOMPARE(canvas.camera().zoom(), before);
        QCOMPARE(m_window->sourcePane().canvas().camera().zoom(), source);
        choose("layers.0");
        m_window->actions().up->trigger();
        QCOMPARE(pane().currentPath(), QStringLiteral("layers"));
        QVERIFY(pane().graphInFront() == nullptr); // a holder of modules has no graph
        m_window->actions().zoomIn->trigger();
    }

    void hitsOfTheSearchAreMarkedInTheModule()
    {
        unflatten();
        choose("layers.0");
        waitForPicture();
        const NodeId copy = program().graph(pane().graph().graphId()).find(intern("mul_0"));
        m_window->searchField().setText(QStringLiteral("mul"));
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(copy));
        choose("layers.1"); // and in one that comes into sight meanwhile
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(program().graph(pane().graph().graphId()).find(intern("mul_1"))));
        m_window->searchField().clear();
        QVERIFY(pane().graph().canvas().pictureStyle().found.empty());
    }

    void callsWearTheTagsOfWhatTheyRun()
    {
        unflatten();
        m_window->document().paint(std::array{node("mul_0"), node("relu_0")}, 0);
        m_window->document().paint(std::array{node("relu_1"), node("mul_1")}, 1);
        choose("");
        waitForPicture();
        CanvasWidget& canvas = pane().graph().canvas();
        const ItemId call = canvas.scene().itemOf(callIn("layers.0"));
        QCOMPARE(canvas.scene().looks().strip(call).size(), std::size_t(2));
        const QString words = canvas.describeItem(call); // shares are of bytes
        QVERIFY2(words.contains("% (2 ops), stage1") && words.contains("% (1 op)"), qPrintable(words));
        QCOMPARE(canvas.scene().looks()[canvas.scene().itemOf(callIn("layers.1"))].tag, 1);
        m_window->document().paint(std::array{node("relu_1")}, 0); // painted elsewhere
        QCOMPARE(canvas.scene().looks()[canvas.scene().itemOf(callIn("layers.0"))].tag, 0);
        choose("layers.0.act"); // one copy for two calls
        waitForPicture();
        m_window->document().paint(std::array{node("relu_1")}, 1);
        QCOMPARE(canvas.scene().looks().strip(canvas.scene().itemOf(program().graph(pane().graph().graphId()).find(intern("relu_0")))).size(),
                 std::size_t(2));
    }

    void callsAreMarkedForWhatIsFoundHoveredOrSelectedInThem()
    {
        unflatten();
        choose("");
        waitForPicture();
        CanvasWidget& canvas = pane().graph().canvas();
        m_window->searchField().setText(QStringLiteral("mul_1"));
        QVERIFY(canvas.pictureStyle().found.contains(callIn("layers.1")));
        QVERIFY(!canvas.pictureStyle().found.contains(callIn("layers.0")));
        m_window->searchField().clear();
        m_window->document().setHovered({node("relu_1")});
        QVERIFY(canvas.pictureStyle().counterparts.contains(callIn("layers.0")));
        m_window->document().setHovered({});
        pane().linkButton().followAction(Following::stay)->trigger();
        m_window->document().select({node("mul_1")});
        QVERIFY(canvas.pictureStyle().counterparts.contains(callIn("layers.1")));
        pane().linkButton().followAction(Following::show)->trigger();
    }

    void aTreeOfTenThousandModulesIsFast()
    {
        const UnflattenOutcomePtr outcome = largeOutcome(10'000);
        openModel();
        QElapsedTimer clock;
        clock.start();
        const auto tree = std::make_shared<const HierarchyTree>(hierarchyTree(*outcome, *m_window->document().snapshot(), "large"));
        HierarchyModel large;
        large.setTree(tree, {outcome, &outcome->result.program});
        QCOMPARE(large.rowCount(large.index(0, 0, large.index(0, 0))), 1'000);
        large.setFilter(QStringLiteral("part7"));
        QCOMPARE(large.matchCount(), 1'000);
        QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
        large.setFilter(QStringLiteral("blocks.99"));
        QAbstractItemModelTester tester(&large, QAbstractItemModelTester::FailureReportingMode::Fatal);
    }

    void opensEverySampleModel_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("experts8x8") << "experts8x8.pt2";
        QTest::newRow("encdec12") << "encdec12.pt2";
    }
    void opensEverySampleModel()
    {
        QFETCH(QString, file);
        const QString path = QString::fromStdString(test::sharedFolder()) + QStringLiteral("/samples/models/") + file;
        if (!QFile::exists(path))
            QSKIP("sample models are not there");
        m_window->openModel(path);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().isOpen(), 60'000);
        m_window->actions().unflatten->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().shownUnflattened() != nullptr, 60'000);
        QTRY_VERIFY(model().rowCount() == 1);
        // Every op of the model is in some module, and leads there.
        const auto& tree = *model().tree();
        std::size_t copies = 0;
        for (const auto& of : tree.copies)
            copies += of.size();
        QVERIFY(copies >= m_window->document().snapshot()->callCount);
        for (const NodeId id : m_window->document().graph().nodes())
            if (m_window->document().graph()[id].op == Op::callFunction && id.index() % 97 == 0) {
                m_window->document().select({id});
                const auto& stack = m_window->document().snapshot()->program.stackOf(m_window->document().graph()[id]);
                if (!stack.empty())
                    QVERIFY2(pane().currentPath().startsWith(QString::fromStdString(stack.back().path.str())),
                             qPrintable(pane().currentPath()));
            }
    }

private:
    HierarchyPane& pane() { return m_window->hierarchyPane(); }
    HierarchyModel& model() { return pane().modules().model(); }
    const Program& program() { return m_window->document().shownUnflattened()->result.program; }

    void unflatten()
    {
        openModel();
        m_window->actions().unflatten->trigger();
        QTRY_VERIFY(m_window->document().shownUnflattened() != nullptr);
        QVERIFY(pane().isVisible());
        waitForPicture();
    }

    void waitForPicture()
    {
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        QTest::qWait(20);
    }

    /// In the graph in sight, of the module at this path.
    NodeId callIn(const char* path)
    {
        const Graph& graph = program().graph(pane().graph().graphId());
        for (const NodeId id : graph.nodes())
            if (graph[id].op == Op::callModule && graph[id].target == intern(path))
                return id;
        return {};
    }

    QModelIndex find(const char* path)
    {
        const ModuleId module = program().modules.find(intern(path));
        return module ? model().indexOf(model().tree()->entryOf[module.index()]) : QModelIndex();
    }

    void choose(const char* path) { choose(find(path)); }

    void choose(const QModelIndex& index)
    {
        QVERIFY(index.isValid());
        for (QModelIndex at = index.parent(); at.isValid(); at = at.parent())
            pane().modules().tree().expand(at);
        pane().modules().tree().scrollTo(index);
        QTest::mouseClick(pane().modules().tree().viewport(), Qt::LeftButton, {}, pane().modules().tree().visualRect(index).center());
    }

    /// One of tests/cases/unflatten in place of the small model.
    void unflattenCase(const char* name)
    {
        const QString before = std::exchange(m_model, QStringLiteral(SUNDER_CASES "/unflatten/%1/input.fxj").arg(name));
        unflatten();
        m_model = before;
    }
};

QTEST_MAIN(WindowHierarchyTest)
#include "window_hierarchy_test.moc"
