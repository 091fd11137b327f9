#include "io/drawings/dot_text.h"
#include "io/drawings/dot_writer.h"
#include "io/drawings/model_explorer_writer.h"
#include "io/python/python_writer.h"
#include "test_case.h"
#include "test_support.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <sstream>

using namespace sunder;

namespace {

/// moc does not parse raw strings among macro arguments.
constexpr const char* kNodeOfA =
    R"("a" [label="a\nmul\nf32[1, 8]", op=call_function, target="test.mul", args="[{\"n\":\"x\"},2]", )"
    R"(dtype="float32", tensor_shape="[1, 8]", module="layers.0", tag="front", style="rounded,filled", fillcolor="#88ccee"];)";

Program tagged()
{
    Program made = test::programFromText(R"(
        x = placeholder() : 1x8
        a = mul(x, 2) : 1x8 @ layers.0 Layer
        b = relu(a) : 1x8 @ layers.0 Layer > layers.0.act ReLU
        c = add(b, x) : 1x8 @ layers.1 Layer
        out = output(c))");
    made.tags = TagTable{.order = {intern("front"), intern("say \"hi\"")}, .colors = {{intern("front"), intern("#88ccee")}}};
    Graph& graph = made.rootGraph();
    graph.setTarget(graph.find(intern("a")), intern("test.mul"), {});
    graph.setTag(graph.find(intern("a")), intern("front"));
    graph.setTag(graph.find(intern("b")), intern("front"));
    graph.setTag(graph.find(intern("c")), intern("say \"hi\""));
    return made;
}

template <typename Write>
QString textOf(const Program& program, const Write& write)
{
    std::ostringstream out;
    write(program, out);
    return QString::fromStdString(out.str());
}

QString dotOf(const Program& program)
{
    return textOf(program, [](const Program& p, std::ostream& out) { writeDot(p, out); });
}

QJsonObject json(const QString& text)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8(), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning() << error.errorString() << "at" << error.offset;
    return document.object();
}

/// Returns the output of gvpr, which reads graphs with libcgraph.
QString askedOfGraphviz(const QString& dot, const QString& script)
{
    QProcess gvpr;
    gvpr.start(QStringLiteral("gvpr"), {script});
    gvpr.write(dot.toUtf8());
    gvpr.closeWriteChannel();
    if (!gvpr.waitForFinished(60'000))
        return QStringLiteral("gvpr does not end");
    return QString::fromUtf8(gvpr.readAllStandardOutput()) + QString::fromUtf8(gvpr.readAllStandardError());
}

} // namespace

class GraphExportsTest final : public QObject {
    Q_OBJECT
private slots:
    void quotesForDot()
    {
        QCOMPARE(dotQuoted("a\"b"), std::string("\"a\\\"b\""));
        QCOMPARE(dotQuoted("a\\"), std::string("\"a\\\\\""));
        QCOMPARE(dotQuoted("a\\\"b"), std::string("\"a\\\\\\\"b\""));
        QCOMPARE(dotQuoted("a\\nb"), std::string("\"a\\nb\""));
        QCOMPARE(dotQuotedJson("[\"a\\\"b\\\\\"]"), std::string("\"[\\\"a\\u0022b\\u005c\\\"]\""));
        QCOMPARE(dotLabel("a\nb\\c"), std::string("\"a\\nb\\\\c\""));
    }

    void dotSaysWhatFxJsonSays()
    {
        const QString dot = dotOf(tagged());
        QVERIFY2(dot.contains(QLatin1String(kNodeOfA)), qPrintable(dot));
        QVERIFY(dot.contains(QStringLiteral("\"x\" -> \"c\" [dst=\"1\"];")));
        QVERIFY(dot.contains(QStringLiteral("subgraph \"cluster_layers.0.act\" {")));
    }

    void graphvizReadsTheDot()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("gvpr")).isEmpty())
            QSKIP("gvpr is not installed");
        const QString dot = dotOf(tagged());
        QCOMPARE(
            askedOfGraphviz(dot, QStringLiteral("N { print($.name, \" \", $.op, \" \", $.args, \" \", $.tag); }")),
            QStringLiteral("x placeholder [] \na call_function [{\"n\":\"x\"},2] front\nb call_function [{\"n\":\"a\"}] front\n"
                           "c call_function [{\"n\":\"b\"},{\"n\":\"x\"}] say \"hi\"\nout output [{\"n\":\"c\"}] \n"));
        QCOMPARE(askedOfGraphviz(dot, QStringLiteral("E { print($.tail.name, \">\", $.head.name, \" \", $.dst); }")),
                 QStringLiteral("x>a 0\nx>c 1\na>b 0\nb>c 0\nc>out 0\n"));
    }

    void dotPutsOtherGraphsInClustersOfTheirOwn()
    {
        Program program = tagged();
        const ModuleId part = program.modules.ensure("part");
        const GraphId id = program.addGraph(part);
        program.modules[part].graph = id;
        program.graph(id).create({.op = Op::placeholder, .name = {}, .target = intern("x")});
        const QString dot = dotOf(program);
        QVERIFY2(dot.contains(QStringLiteral(
                     "subgraph \"cluster_g1\" {\n        graph [label=\"part\", \"graph\"=\"g1\", module=\"part\"];")),
                 qPrintable(dot)); // `graph` is a keyword of DOT and must be quoted as a name
        QVERIFY(dot.contains(QStringLiteral("\"g1/x\" [")));
        if (QStandardPaths::findExecutable(QStringLiteral("gvpr")).isEmpty())
            QSKIP("gvpr is not installed");
        QCOMPARE(askedOfGraphviz(dot, QStringLiteral("N [name == \"g1/x\"] { print($.name); }")).remove(QLatin1Char('\n')),
                 QStringLiteral("g1/x"));
    }

    void modelExplorerHasNamespacesAndEdges()
    {
        const QJsonObject file = json(textOf(tagged(), [](const Program& p, std::ostream& out) { writeModelExplorer(p, out); }));
        const QJsonObject graph = file[QStringLiteral("graphs")].toArray().at(0).toObject();
        QCOMPARE(graph[QStringLiteral("id")].toString(), QStringLiteral("main"));
        const QJsonArray nodes = graph[QStringLiteral("nodes")].toArray();
        QCOMPARE(nodes.size(), 5);
        const QJsonObject relu = nodes.at(2).toObject();
        QCOMPARE(relu[QStringLiteral("namespace")].toString(), QStringLiteral("layers/0/act"));
        const QJsonArray edges = nodes.at(3).toObject()[QStringLiteral("incomingEdges")].toArray();
        QCOMPARE(edges.size(), 2);
        QCOMPARE(edges.at(1).toObject()[QStringLiteral("sourceNodeId")].toString(), QStringLiteral("x"));
        QCOMPARE(graph[QStringLiteral("groupNodeAttributes")]
                     .toObject()[QStringLiteral("layers/0/act")]
                     .toObject()[QStringLiteral("class")]
                     .toString(),
                 QStringLiteral("test.ReLU"));
    }

    void modelExplorerHasTagsAsNodeData()
    {
        QVERIFY(hasTags(tagged()));
        const QJsonObject results = json(textOf(
            tagged(), [](const Program& p, std::ostream& out) { writeModelExplorerTags(p, out); }))[QStringLiteral("main")]
                                        .toObject()[QStringLiteral("results")]
                                        .toObject();
        QCOMPARE(results.size(), 3);
        QCOMPARE(results[QStringLiteral("a")].toObject()[QStringLiteral("bgColor")].toString(), QStringLiteral("#88ccee"));
        QCOMPARE(results[QStringLiteral("c")].toObject()[QStringLiteral("value")].toString(), QStringLiteral("say \"hi\""));
    }

    void pythonHasTheCodeThatTorchPrints()
    {
        std::ostringstream out;
        QVERIFY(writePython(tagged(), out).has_value());
        const QString text = QString::fromStdString(out.str());
        QVERIFY(text.contains(QStringLiteral("class Model(torch.nn.Module):\n")));
        QVERIFY2(text.contains(QStringLiteral("    def forward(self, x):\n        a = test_mul(x, 2)\n")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("from test import mul as test_mul\n")));
        QVERIFY(text.contains(QStringLiteral("ORDER = ['front', 'say \"hi\"']\n")));
        QVERIFY(text.contains(QStringLiteral("    'c': 'say \"hi\"',\n")));
    }

    void pythonSplitsWithTheOptionsOfTheCut()
    {
        for (const bool returnTuple : {false, true}) {
            std::ostringstream out;
            QVERIFY(writePython(tagged(), out, {.returnTuple = returnTuple}).has_value());
            QVERIFY(
                QString::fromStdString(out.str()).contains(returnTuple ? "\nRETURN_TUPLE = True\n" : "\nRETURN_TUPLE = False\n"));
        }
    }

    void pythonSaysWhatAnExportedProgramTakesAndGives()
    {
        Program program = test::programFromText("token = placeholder()\nb_mean = placeholder()\nx = placeholder()\n"
                                                "y = op(x, b_mean)\noutput(y, y, y)");
        const Graph& graph = program.rootGraph();
        program.signature.emplace();
        program.signature->inputs = {{.kind = InputKind::token, .name = intern("token")},
                                     {.kind = InputKind::buffer, .target = intern("mean"), .name = intern("b_mean")},
                                     {.kind = InputKind::user, .value = Argument::node(graph.find(intern("x")))}};
        program.signature->outputs = {{.kind = OutputKind::bufferMutation, .target = intern("mean")},
                                      {.kind = OutputKind::inputMutation, .target = intern("x")},
                                      {.kind = OutputKind::user}};
        std::ostringstream out;
        QVERIFY(writePython(program, out));
        const QString text = QString::fromStdString(out.str());
        QVERIFY2(text.contains(QStringLiteral("LIFTED = [\n    None,\n    'mean',\n]\n\nINPUTS = [\n    'x',\n]\n")),
                 qPrintable(text));
        QVERIFY2(
            text.contains(QStringLiteral("OUTPUTS = [\n    ('tensor', 'mean'),\n    ('input', 'x'),\n    ('result', ''),\n]\n")),
            qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("def run(model, program, *args, **kwargs):")));
    }

    void pythonWithoutTagsHasNoSplit()
    {
        std::ostringstream out;
        QVERIFY(writePython(test::programFromText("x = placeholder()\nout = output(x)"), out).has_value());
        QVERIFY(!QString::fromStdString(out.str()).contains(QStringLiteral("def split(")));
    }
};

const test::Registered<GraphExportsTest> graphExportsTest("graph_exports_test");
#include "graph_exports_test.moc"
