#include "jobs/jobs.h"
#include "models/inspector_model.h"
#include "models/job_model.h"
#include "models/outline_model.h"
#include "models/problem_model.h"
#include "models/search_model.h"
#include "models/tag_model.h"
#include "patience.h"
#include "test_case.h"
#include "test_support.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QTest>

using namespace sunder;

class ModelsTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(program())), "/tmp/model.fxj");
    }

    void outlineIsAModel()
    {
        OutlineModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        model.setTree(outlineTree(m_document->snapshot()->program, "model"));
        m_document->painting().paint(m_document->graph().order(), 0);
        model.setTree({});
    }

    void outlineSortsNodesIntoModules()
    {
        OutlineModel model(*m_document);
        model.setTree(outlineTree(m_document->snapshot()->program, "model"));
        const QModelIndex inner = model.indexOf(QString("enc.0"));
        QVERIFY(inner.isValid());
        QCOMPARE(inner.data().toString(), QString("0"));
        QCOMPARE(inner.data(OutlineModel::CountRole).toUInt(), 1U);
        QCOMPARE(model.indexOf(QString("enc")).data(OutlineModel::CountRole).toUInt(), 2U);
        QCOMPARE(model.index(0, 0).data(OutlineModel::CountRole).toUInt(), 3U);
        QCOMPARE(model.nodesOf(model.indexOf(QString("enc"))).size(), 2U);
        QCOMPARE(model.indexOf(node("a")).parent(), inner);
    }

    void outlineDividesModulesAmongTags()
    {
        OutlineModel model(*m_document);
        model.setTree(outlineTree(m_document->snapshot()->program, "model"));
        m_document->painting().paint(std::array{node("a")}, 1);
        const auto shares = model.indexOf(QString("enc")).data(OutlineModel::SharesRole).value<TagShares>();
        QCOMPARE(shares.size(), 2U);
        QCOMPARE(shares[0].tag, 1);
        QCOMPARE(shares[0].share, 0.5);
        QCOMPARE(shares[1].tag, -1);
    }

    void outlineSurvivesPathsOfDotsOnly()
    {
        Program strange = program();
        strange.stacks[0].front().path = intern("..x.");
        OutlineModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        m_document->open(prepareModel(std::make_shared<const Snapshot>(std::move(strange))), "/tmp/model.fxj");
        model.setTree(outlineTree(m_document->snapshot()->program, "model"));
        QCOMPARE(model.index(0, 0).data(OutlineModel::CountRole).toUInt(), 3U);
    }

    void tagsAreAModel()
    {
        TagModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        m_document->tagList().add();
        QCOMPARE(model.rowCount(), 4);
        m_document->tagList().move(2, 0);
        m_document->tagList().remove(1);
        m_document->painting().paint(m_document->graph().order(), 0);
        m_document->close();
        QCOMPARE(model.rowCount(), 0);
    }

    void draggingATagReordersThem()
    {
        TagModel model(*m_document);
        m_document->tagList().add("third");
        std::unique_ptr<QMimeData> dragged(model.mimeData({model.index(2)}));
        model.dropMimeData(dragged.get(), Qt::MoveAction, 0, 0, {});
        QCOMPARE(m_document->tagName(0), QString("third"));
        dragged.reset(model.mimeData({model.index(0)}));
        model.dropMimeData(dragged.get(), Qt::MoveAction, 3, 0, {});
        QCOMPARE(m_document->tagName(2), QString("third"));
    }

    void renamingSaysWhyNot()
    {
        TagModel model(*m_document);
        QString why;
        connect(&model, &TagModel::renameRefused, this, [&](const QString& text) { why = text; });
        QVERIFY(!model.setData(model.index(0), "a.b", Qt::EditRole));
        QVERIFY(why.contains("a.b"));
        QVERIFY(model.setData(model.index(0), "front", Qt::EditRole));
        QCOMPARE(m_document->tagName(0), QString("front"));
    }

    void problemsAreAModel()
    {
        ProblemModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        m_document->painting().paint(std::array{node("a")}, 1);
        m_document->painting().paint(std::array{node("b")}, 0);
        QVERIFY(model.count(Severity::error) >= 2);
        m_document->painting().paint(m_document->graph().order(), 0);
        QCOMPARE(model.count(Severity::error), 0);
    }

    void whatGoesAwayWithAProblemIsNotCountedAndSaysNothingTwice()
    {
        ProblemModel model(*m_document);
        m_document->painting().paint(std::array{node("a"), node("c")}, 0);
        m_document->painting().paint(std::array{node("b")}, 1);
        QCOMPARE(model.count(Severity::error), 1);
        int behind = 0;
        for (int row = 1; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row);
            if (!index.data(ProblemModel::GoesWithRole).toBool())
                continue;
            ++behind;
            QVERIFY(index.data(Qt::AccessibleTextRole).toString().startsWith("Fixed together with the problem above"));
            const std::vector<Repair> own = model.ownRepairs(index);
            QVERIFY(own.size() <= model.problem(index).repairs.size());
            QVERIFY(std::ranges::any_of(own, [](const Repair& repair) { return repair.kind == Repair::Kind::show; }));
            for (const Repair& repair : model.problem(model.index(0)).repairs)
                QVERIFY(repair.kind == Repair::Kind::show || std::ranges::none_of(own, [&](const Repair& other) {
                            return other.kind == repair.kind && other.tag == repair.tag && other.nodes == repair.nodes;
                        }));
        }
        QVERIFY(behind > 0);
    }

    void inspectorIsAModel()
    {
        InspectorModel model;
        QAbstractItemModelTester tester(&model);
        m_document->marks().select({node("c")});
        model.setProperties(inspect(*m_document));
        QStringList keys;
        for (int row = 0; row < model.rowCount(); ++row)
            keys << model.index(row, 0).data().toString();
        QVERIFY(keys.contains("node") && keys.contains("target") && keys.contains("args") && keys.contains("tag"));
        m_document->marks().select({node("a"), node("b")});
        model.setProperties(inspect(*m_document));
        QVERIFY(model.rowCount() > 0);
        model.setProperties({});
    }

    void jobsAreAModel()
    {
        Jobs jobs;
        JobModel model(jobs);
        QAbstractItemModelTester tester(&model);
        for (int i = 0; i < 120; ++i)
            jobs.start<int>(
                {.key = QString::number(i), .title = "job"}, [](ProgressMonitor&) -> Result<int> { return 1; }, this,
                [](Result<int>) {});
        QTRY_COMPARE(jobs.runningCount(), 0);
        QVERIFY(model.rowCount() > 0);
    }

    void searchFinds_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("free text in a name") << "b" << QStringList{"b"};
        QTest::newRow("op") << "op:add" << QStringList{"c"};
        QTest::newRow("kind of op") << "op:placeholder" << QStringList{"x"};
        QTest::newRow("module") << "module:enc" << QStringList{"a", "b"};
        QTest::newRow("two words") << "module:enc name:a" << QStringList{"a"};
        QTest::newRow("tag") << "tag:stage1" << QStringList{"a"};
        QTest::newRow("untagged") << "tag:none" << QStringList{"b", "c"};
        QTest::newRow("nothing") << "" << QStringList{};
        QTest::newRow("a prefix alone") << "op:" << QStringList{};
    }

    void searchFinds()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        m_document->painting().paint(std::array{node("a")}, 1);
        SearchModel model(*m_document);
        QAbstractItemModelTester tester(&model);
        model.setQuery(query);
        QStringList found;
        for (int row = 0; row < model.rowCount(); ++row)
            found << model.index(row).data().toString();
        QCOMPARE(found, names);
    }

private:
    static Program program()
    {
        Program made = test::programFromText("x = placeholder()\na = relu(x)\nb = gelu(a)\nc = add(a, b)\noutput(c)\n");
        const auto stack = [&](const char* path) {
            made.stacks.push_back({{intern(path), intern(path), intern("torch.nn.modules.Relu")}});
            return StackId(made.stacks.size() - 1);
        };
        Graph& graph = made.rootGraph();
        made.stacks.clear();
        graph.meta(graph.find(intern("a"))).modules = stack("enc.0");
        graph.meta(graph.find(intern("b"))).modules = stack("enc.1");
        return made;
    }
    NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }

    std::unique_ptr<Document> m_document;
};

const test::Registered<ModelsTest> modelsTest("models_test");
#include "models_test.moc"
