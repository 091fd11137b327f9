#include "analysis/search/find_nodes.h"
#include "analysis/search/node_matcher.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Layers 3 and 30 of a model; a multiplication, an in-place multiplication, and a matrix product.
const std::string kSearched = "x = placeholder() : 1x16\n"
                              "mul = mul(x, x) : 1x16 @ layers.3 my.Layer\n"
                              "mul_ = mul_(mul, x) : 2x1x16 @ layers.3 my.Layer > layers.3.mlp my.Mlp\n"
                              "matmul = matmul(mul_, x) : 1x32 @ layers.30 my.Layer\n"
                              "output(matmul)\n";

} // namespace

/// The search language.
class SearchTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_snapshot = std::make_shared<const Snapshot>(test::programFromText(kSearched));
        m_tags = assignTags(m_snapshot->graph(), {intern("left"), intern("right")},
                            std::vector<TagPair>{{intern("mul"), intern("left")}, {intern("mul_"), intern("right")}});
    }

    void finds_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("nodes");
        QTest::newRow("a part of a name") << "mul" << "mul mul_ matmul";
        QTest::newRow("an operator is the whole name") << "op:mul" << "mul";
        QTest::newRow("a star is anything") << "op:*mul" << "mul matmul";
        QTest::newRow("an operation of torch.fx") << "op:placeholder" << "x";
        QTest::newRow("a module, and not its namesake") << "module:layers.3" << "mul mul_";
        QTest::newRow("a module within") << "module:mlp" << "mul_";
        QTest::newRow("a module with a star") << "module:layers.3*" << "mul mul_ matmul";
        QTest::newRow("a class around") << "class:Layer" << "mul mul_ matmul";
        QTest::newRow("a class inside") << "class:Mlp -op:mul" << "mul_";
        QTest::newRow("case does not matter") << "CLASS:mlp" << "mul_";
        QTest::newRow("either") << "op:mul|matmul" << "mul matmul";
        QTest::newRow("either, of two fields") << "op:mul | module:layers.30" << "mul matmul";
        QTest::newRow("not") << "op:call_function -op:mul" << "mul_ matmul";
        QTest::newRow("both") << "module:layers.3 op:mul_" << "mul_";
        QTest::newRow("a tag") << "tag:left" << "mul";
        QTest::newRow("no tag") << "tag:none" << "matmul";
        QTest::newRow("an expression") << "name:/^m.*l$/" << "mul matmul";
        QTest::newRow("an expression anywhere") << "/layers\\.\\d\\d/" << "matmul";
        QTest::newRow("the whole shape") << "shape:[1, 16]" << "x mul";
        QTest::newRow("a shape as the inspector writes it") << "f32[1, 16]" << "x mul";
        QTest::newRow("sizes side by side") << "shape:1x16" << "x mul mul_";
        QTest::newRow("any size") << "shape:[1, *]" << "x mul matmul";
        QTest::newRow("any sizes") << "shape:[..., 16]" << "x mul mul_";
        QTest::newRow("a type") << "dtype:float32 op:matmul" << "matmul";
        QTest::newRow("a type, short") << "dtype:f32 op:matmul" << "matmul";
        QTest::newRow("more bytes") << "bytes>64" << "mul_ matmul";
        QTest::newRow("not fewer bytes") << "bytes>=64B op:*mul*" << "mul mul_ matmul";
        QTest::newRow("exactly so many") << "bytes=128" << "mul_ matmul";
        QTest::newRow("quotes") << "\"mul_\"" << "mul_";
        QTest::newRow("nothing asked") << "  " << "";
    }
    void finds()
    {
        QFETCH(QString, query);
        QFETCH(QString, nodes);
        const Result<NodeQuery> parsed = parseQuery(query.toStdString());
        QVERIFY2(parsed, parsed ? "" : parsed.error().message.c_str());
        QStringList names;
        const std::vector<NodeId> found = *findNodes(*m_snapshot, m_tags, *parsed, ProgressMonitor::none());
        for (const NodeId id : found)
            names << QString::fromStdString(m_snapshot->graph()[id].name.str());
        QCOMPARE(names.join(' '), nodes);
    }

    void explainsMistakes_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("why");
        QTest::newRow("a field that is none") << "modul:layers" << "unknown field \"modul:\"; did you mean module:?";
        QTest::newRow("a field without a value") << "op:" << "op: needs a value after the colon";
        QTest::newRow("bytes that are none") << "bytes>much" << "\"much\" is not a size in bytes; write bytes>1MB";
        QTest::newRow("a bracket") << "shape:[1, 2" << "no closing ]";
        QTest::newRow("a quote") << "\"two words" << "no closing \"";
        QTest::newRow("an expression") << "/a(b/" << "/a(b/ is not a valid regular expression: unmatched ( or )";
        QTest::newRow("an empty side") << "op:mul|" << "| needs a term on both sides";
        QTest::newRow("a comparison of names") << "op>mul" << "only bytes and weights can be compared";
        QTest::newRow("an empty place") << "shape:[1,,2]" << "has an empty dimension";
    }
    void explainsMistakes()
    {
        QFETCH(QString, query);
        QFETCH(QString, why);
        const Result<NodeQuery> parsed = parseQuery(query.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, ErrorCode::usage);
        QVERIFY2(QString::fromStdString(parsed.error().message).contains(why), parsed.error().message.c_str());
    }

    void saysWhyNothingIsFound_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("why");
        QTest::newRow("a slip") << "op:matmull" << "No node matches op:matmull; there is op:matmul";
        QTest::newRow("a module that is none") << "module:layers.4"
                                               << "No node matches module:layers.4; there is module:layers.3, module:layers.30";
        QTest::newRow("words that exclude each other")
            << "op:mul tag:right" << "No node matches all terms: 1 node matches op:mul, 1 node matches tag:right";
    }
    void saysWhyNothingIsFound()
    {
        QFETCH(QString, query);
        QFETCH(QString, why);
        const NodeQuery parsed = *parseQuery(query.toStdString());
        QCOMPARE(QString::fromStdString(*whyNothing(*m_snapshot, m_tags, parsed, ProgressMonitor::none())), why);
    }

    void completesTheLastWord_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("completed");
        QTest::newRow("a field") << "mo" << "module:";
        QTest::newRow("an operator") << "tag:left op:matm" << "tag:left op:matmul";
        QTest::newRow("a class") << "-class:L" << "-class:Layer";
        QTest::newRow("a tag") << "tag:l" << "tag:left";
    }
    void completesTheLastWord()
    {
        QFETCH(QString, query);
        QFETCH(QString, completed);
        const std::vector<QueryCompletion> offered = completionsOf(*m_snapshot, m_tags, query.toStdString(), 8);
        QVERIFY(!offered.empty());
        QCOMPARE(QString::fromStdString(offered.front().query), completed);
    }

    void modulesAreListedWithWhatHoldsThem()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = relu(x) @ layers.0 Layer > layers.0.act ReLU\n"
                                                      "b = gelu(a) @ layers.10 Layer\n"
                                                      "c = tanh(b) @ layers.1 Layer\n"
                                                      "output(c)\n");
        QStringList paths;
        for (const ModulePlace& place : modulePlaces(program))
            paths << QString::fromStdString(place.path);
        QCOMPARE(paths, (QStringList{"layers", "layers.0", "layers.0.act", "layers.10", "layers.1"}));
        QCOMPARE(unqualifiedClass(modulePlaces(program)[2].cls.view()), std::string_view("ReLU"));
        const auto node = [&](const char* name) { return program.rootGraph().find(intern(name)); };
        QCOMPARE(nodesIn(program, "layers.1"), std::vector{node("c")});
        QCOMPARE(nodesIn(program, "layers"), (std::vector{node("a"), node("b"), node("c")}));
        QVERIFY(nodesIn(program, "layer").empty());
    }

private:
    SnapshotPtr m_snapshot;
    TagAssignment m_tags;
};

const test::Registered<SearchTest> searchTest("search_test");
#include "search_test.moc"
