#include "document/runs/make_runs.h"
#include "panes/compare/comparison_model.h"
#include "panes/compare/sharing_table.h"
#include "test_case.h"
#include "test_support.h"

#include <QAbstractItemModelTester>
#include <QStandardItemModel>
#include <QTest>

using namespace sunder;

/// Differences between two runs as a tree of rows.
class ComparisonModelTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_source = std::make_shared<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                          "a = relu(x)\n"
                                                                          "b = gelu(a)\n"
                                                                          "c = tanh(b)\n"
                                                                          "output(c)\n"));
    }

    void isAModel()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model);
        compare(model, {0, 0, 1}, {0, 1, 1});
        model.setComparison(nullptr, nullptr, {}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void groupsMovedOpsByWhereTheyWent()
    {
        ComparisonModel model;
        compare(model, {0, 0, 1}, {0, 1, 1});
        const QModelIndex totals = model.index(0, 0);
        QCOMPARE(model.index(0, 0, totals).data().toString(), QString("Bytes cut"));
        QVERIFY(model.nodesOf(totals).empty());
        const QModelIndex moved = model.index(1, 0);
        QCOMPARE(moved.siblingAtColumn(ComparisonModel::ChangeColumn).data().toString(), QString("1 op"));
        QCOMPARE(model.rowCount(moved), 1);
        const QModelIndex group = model.index(0, 0, moved);
        QCOMPARE(group.siblingAtColumn(ComparisonModel::BeforeColumn).data().toString(), QString("front"));
        QCOMPARE(group.siblingAtColumn(ComparisonModel::AfterColumn).data().toString(), QString("back"));
        QCOMPARE(model.index(0, 0, group).data().toString(), QString("b"));
        QCOMPARE(model.nodesOf(group), std::vector{m_source->graph().find(intern("b"))});
        QCOMPARE(model.nodesOf(moved), model.nodesOf(group));
        QVERIFY(model.nodesOf(model.index(4, 0)).empty()); // the parts
    }

    void showsGroupsOfRegionsAndWhatTheySave()
    {
        const RegionsOutcomePtr found = *makeRegions(m_source, {}, ProgressMonitor::none());
        auto fewer = std::make_shared<RegionsOutcome>();
        const Result<RunComparisonPtr> made = compareRuns(m_source, found, RegionsOutcomePtr(fewer), {}, ProgressMonitor::none());
        QVERIFY(made.has_value());
        ComparisonModel model;
        QAbstractItemModelTester tester(&model);
        const std::vector<TagLook> looks = tagLooks(theme(false), (*made)->before().order);
        model.setComparison(m_source, *made, looks, {});
        const QModelIndex groups = model.index(1, 0);
        QCOMPARE(groups.data().toString(), QString("Groups"));
        QCOMPARE(model.rowCount(groups), static_cast<int>(found->regions.groups.size()));
        for (int row = 0; row < model.rowCount(groups); ++row)
            QCOMPARE(model.index(row, ComparisonModel::ChangeColumn, groups).data().toString(), QString("lost"));
    }

    void showsModulesOfHierarchies()
    {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model);
        const SplitOutcomePtr one = cut({0, 0, 1});
        const SplitOutcomePtr other = cut({0, 1, 1}); // parts are modules as well
        auto comparison = std::make_shared<RunComparison>();
        comparison->what = compareModules(m_source->program, {one->split.program, one->split.map},
                                          {other->split.program, other->split.map});
        const std::vector<TagLook> looks = tagLooks(theme(false), comparison->before().order);
        model.setComparison(m_source, comparison, looks, looks);
        QCOMPARE(model.index(0, ComparisonModel::ChangeColumn).data().toString(), QString("1 op"));
        const QModelIndex modules = model.index(1, 0);
        QCOMPARE(modules.data().toString(), QString("Modules"));
        QCOMPARE(model.index(0, 0, modules).data().toString(), QString("front"));
        QCOMPARE(model.index(0, ComparisonModel::ChangeColumn, modules).data().toString(), QString("−1 node"));
    }

    void columnsShareTheWidthByWhatIsInThem()
    {
        QCOMPARE(columnShares({100, 50, 50}, 260), (std::vector{120, 70, 70}));
        QCOMPARE(columnShares({300, 50, 200}, 250), (std::vector{100, 50, 100})); // the widest columns shrink
        QCOMPARE(columnShares({300, 300}, 100), (std::vector{50, 50}));
        QVERIFY(columnShares({}, 100).empty());
    }

    void rowsOutOfViewAreMeasuredToo()
    {
        QStandardItemModel model;
        for (int row = 0; row < 60; ++row)
            model.appendRow({new QStandardItem("part"), new QStandardItem("1 B")});
        const QString longest = "the name of a part far below the visible rows";
        model.item(50)->setText(longest);
        SharingTable table;
        table.resize(900, 120);
        table.setModel(&model);
        table.show();
        table.measureColumns();
        QVERIFY(table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(longest));
    }

    void saysThatNothingMoved()
    {
        ComparisonModel model;
        compare(model, {0, 0, 1}, {0, 0, 1});
        QCOMPARE(model.rowCount(model.index(1, 0)), 0);
        const QModelIndex part = model.index(0, ComparisonModel::ChangeColumn, model.index(4, 0)); // below loads and step
        QCOMPARE(part.data().toString(), QString("no change"));
    }

private:
    SplitOutcomePtr cut(const std::vector<int>& parts) const
    {
        TagAssignment tags;
        tags.order = {intern("front"), intern("back")};
        tags.tagOf.assign(m_source->graph().idBound(), TagAssignment::kUntagged);
        const char* const names[] = {"a", "b", "c"};
        for (std::size_t i = 0; i < parts.size(); ++i)
            tags.tagOf[m_source->graph().find(intern(names[i])).index()] = parts[i];
        return *makeSplit(m_source, tags, {}, ProgressMonitor::none());
    }

    void compare(ComparisonModel& model, const std::vector<int>& before, const std::vector<int>& after) const
    {
        const Result<RunComparisonPtr> made = compareRuns(m_source, cut(before), cut(after), {}, ProgressMonitor::none());
        QVERIFY(made.has_value());
        const std::vector<TagLook> looks = tagLooks(theme(false), (*made)->before().order);
        model.setComparison(m_source, *made, looks, looks);
    }

    SnapshotPtr m_source;
};

const test::Registered<ComparisonModelTest> comparisonModelTest("comparison_model_test");
#include "comparison_model_test.moc"
