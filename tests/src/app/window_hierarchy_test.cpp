#include "app/workspace.h"
#include "hierarchy_fixture.h"
#include "panes/regions/regions_pane.h"
#include "test_case.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSignalSpy>

#include <algorithm>

using namespace sunder;

namespace {

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

/// The Hierarchy pane's information about modules, in the real window.
class WindowHierarchyTest final : public test::HierarchyFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareLayered(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void theArrangementForDeduplicationRaisesAFilledPane()
    {
        unflatten();
        QCOMPARE(workspace().rows(), 1);
        const auto isInFront = [](const Pane& of) { return !of.visibleRegion().isEmpty(); };
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        settle();
        QVERIFY(isInFront(pane()) && !isInFront(widget<RegionsPane>())); // which has no result
        actions().pass("findRegions")->trigger();
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>() != nullptr);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        settle();
        QVERIFY(!isInFront(pane()) && isInFront(widget<RegionsPane>()));
    }

    void showsTheTreeOfModules()
    {
        unflatten();
        QVERIFY2(pane().header().status().endsWith(" · equivalent"), qPrintable(pane().header().status()));
        QVERIFY(sourcePane().canvas().legendRect().isEmpty()); // it would cover much of a half-size pane
        const QModelIndex root = model().index(0, 0);
        QCOMPARE(root.data().toString(), QStringLiteral("layered"));
        QCOMPARE(root.data(HierarchyModel::OpsRole).toInt(), 5);
        const QModelIndex first = find("layers.0");
        QCOMPARE(first.data(HierarchyModel::OpsRole).toInt(), 3);
        QCOMPARE(find("layers").data(HierarchyModel::OpsRole).toInt(), 4); // only its children run ops
        const QModelIndex act = find("layers.0.act");
        QCOMPARE(act.data(HierarchyModel::CallsRole).toInt(), 2);
        QVERIFY2(act.data(Qt::ToolTipRole).toString().contains("called 2 times"),
                 qPrintable(act.data(Qt::ToolTipRole).toString()));
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
        const auto* nothing = pane().modules().findChild<QLabel*>("nothing");
        QVERIFY(!nothing->isVisible());
        QTest::keyClicks(&pane().modules().filter(), "nowhere");
        QVERIFY(nothing->isVisible() && !pane().modules().tree().isVisible());
        QTest::keyClick(&pane().modules().filter(), Qt::Key_Down);
        QVERIFY(pane().modules().filter().hasFocus());
        QTest::keyClick(&pane().modules().filter(), Qt::Key_Escape);
        QVERIFY(!nothing->isVisible() && pane().modules().tree().isVisible());
        QVERIFY(pane().modules().filter().text().isEmpty());
        QVERIFY(find("layers.1").isValid());
        choose("layers.0");
        document().runs().hide(UnflattenOutcome::kKind);
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

    void marksADispatcherAndShowsEachOfItsCalls()
    {
        unflattenCase("dispatcher_all_preserved");
        const auto& entries = model().tree()->entries;
        const auto at = std::ranges::find_if(entries, [](const HierarchyTree::Entry& entry) { return entry.isDispatcher; });
        QVERIFY(at != entries.end());
        const QModelIndex index = model().indexOf(static_cast<std::int32_t>(at - entries.begin()));
        QVERIFY(index.data(HierarchyModel::ClassRole).toString().contains(QStringLiteral("dispatcher")));
        QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("dispatcher")));
        QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("so it has %1 graphs").arg(at->graphs.size())));
        choose(index);
        QVERIFY(pane().calls().isVisible());
        QCOMPARE(static_cast<std::size_t>(pane().calls().count()), at->graphs.size());
        QCOMPARE(pane().graph().graphId(), at->graphs[0]);
        pane().calls().setFocus();
        QTest::keyClick(&pane().calls(), Qt::Key_Down);
        QCOMPARE(pane().graph().graphId(), at->graphs[1]);
        // Selecting a node of the second call shows that call.
        const auto& copies = model().tree()->copies[at->graphs[1].index()];
        QVERIFY(!copies.empty());
        document().marks().select({copies.front().first});
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
        QCOMPARE(lines,
                 (QStringList{"in b f32[2, 4] 32 B", "in a f32[2, 4] 32 B", "in c f32[2, 4] 32 B", "out sub f32[2, 4] 32 B"}));
    }

    void showsWhatThePassDidOtherwise()
    {
        unflattenCase("call_of_a_sibling");
        QCOMPARE(pane().facts().notes().rowCount(), 1);
        QVERIFY(pane().facts().isTabVisible(2));
        QCOMPARE(pane().facts().tabText(2), QStringLiteral("Notes 1"));
        QVERIFY(
            pane().facts().notes().rows().front().cells.first().contains(QStringLiteral("is not a path from borrower to owner")));
        forgetChanges();
        m_window->openModel(m_model);
        QTRY_COMPARE(document().displayName(), QStringLiteral("layered"));
        actions().pass("unflatten")->trigger();
        QTRY_VERIFY(document().runs().shown<UnflattenOutcomePtr>() != nullptr);
        QVERIFY(!pane().facts().isTabVisible(2));
    }

    void saysWhichDeadOpsThePassDropped()
    {
        test::ModuleProgram made;
        const NodeId x = made.input("x");
        const NodeId relu = made.call("relu", "relu.default", {x}, {"a"});
        made.call("unused", "neg.default", {relu}, {"a"});
        const QScopedValueRollback model(m_model, m_folder.filePath("dead.fxj"));
        QVERIFY(writeFxJson(made.finish({relu}), m_model.toStdString()).has_value());
        unflatten();
        QVERIFY(pane().facts().isTabVisible(2));
        QCOMPARE(pane().facts().notes().rows().front().cells.first(),
                 QStringLiteral("1 dead op was dropped, because nothing uses its result: unused."));
    }

    /// With so many modules, steps with quadratic cost would never end.
    void takesInTwoHundredThousandModules()
    {
        const UnflattenOutcomePtr outcome = largeOutcome(200'000);
        openModel();
        const auto tree = std::make_shared<const HierarchyTree>(
            hierarchyTree(outcome->result, document().snapshot()->program, "large"));
        HierarchyModel large;
        large.setTree(tree, {outcome, &outcome->result.program});
        QCOMPARE(large.rowCount(large.index(0, 0, large.index(0, 0))), 20'000);
        QSignalSpy resets(&large, &QAbstractItemModel::modelReset);
        QSignalSpy moves(&large, &QAbstractItemModel::rowsRemoved);
        large.setFilter(QStringLiteral("part7"));
        QCOMPARE(large.matchCount(), 20'000);
        QCOMPARE(resets.size(), 1); // the view is reset once for all rows
        QCOMPARE(moves.size(), 0);
        large.setFilter(QStringLiteral("blocks.1999"));
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
        QTRY_VERIFY(document().isOpen());
        actions().pass("unflatten")->trigger();
        QTRY_VERIFY(document().runs().shown<UnflattenOutcomePtr>() != nullptr);
        QTRY_VERIFY(model().rowCount() == 1);
        // Every op of the model is in some module and can be selected there.
        const auto& tree = *model().tree();
        std::size_t copies = 0;
        for (const auto& of : tree.copies)
            copies += of.size();
        QVERIFY(copies >= document().snapshot()->callCount);
        for (const NodeId id : document().graph().nodes())
            if (document().graph()[id].op == Op::callFunction && id.index() % 97 == 0) {
                document().marks().select({id});
                const auto& stack = document().snapshot()->program.stackOf(document().graph()[id]);
                if (!stack.empty())
                    QVERIFY2(pane().currentPath().startsWith(QString::fromStdString(stack.back().path.str())),
                             qPrintable(pane().currentPath()));
            }
    }
};

const test::Registered<WindowHierarchyTest> windowHierarchyTest("window_hierarchy_test");
#include "window_hierarchy_test.moc"
