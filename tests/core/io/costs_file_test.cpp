#include "io/side_files/costs_file.h"

#include "io/drawings/node_data.h"
#include "io/model_file.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

/// Reading and writing of measured costs.
class CostsFileTest final : public QObject {
    Q_OBJECT

private slots:
    void laterFilesWinValueByValue()
    {
        MeasuredCosts costs;
        QVERIFY(addCosts(m_program,
                         R"({"nodes":{"linear":{"seconds":1,"transfer_seconds":0.5,"extra_bytes":8},)"
                         R"("softmax":{"seconds":2}},"device":"cpu"})",
                         "a.json", costs));
        QVERIFY(addCosts(m_program, "node,seconds,extra_bytes\r\nlinear,3,\r\n\n\"add\",0.25,16\n", "b.csv", costs));
        QCOMPARE(*at(costs, "linear").seconds, 3.0);
        QCOMPARE(*at(costs, "linear").transferSeconds, 0.5);
        QCOMPARE(at(costs, "linear").extraBytes, 8U);
        QCOMPARE(costs.sources[at(costs, "linear").source], std::string("b.csv"));
        QCOMPARE(costs.sources[at(costs, "softmax").source], std::string("a.json"));
        QCOMPARE(at(costs, "add").extraBytes, 16U);
        QCOMPARE(costs.device, std::string("cpu"));
        QVERIFY(!at(costs, "embedding").seconds);
    }

    void readsBackWhatItWrote()
    {
        MeasuredCosts costs;
        const Result<void> read = addCosts(
            m_program,
            R"({"nodes":{"linear":{"seconds":0.125,"transfer_seconds":0.5,"extra_bytes":8},"add":{"seconds":1e-06}},)"
            R"("modules":{"blocks.0":{"extra_bytes":4096}},"together":[["linear","add"],["softmax","linear"]],)"
            R"("recompute":["blocks.1"]})",
            "a.json", costs);
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QCOMPARE(costs.moduleExtraBytes.front().second, 4096U);
        QCOMPARE(costs.together.size(), std::size_t{2});
        QCOMPARE(costs.recompute.front().view(), std::string_view("blocks.1"));
        const ProgramSeconds seconds = *nodeSeconds(m_program, *programCosts(m_program), nullptr, costs);
        const std::string text = costsFileText(m_program, seconds, costs, "cpu \"0\"");
        MeasuredCosts again;
        const Result<void> reread = addCosts(m_program, text, "b.json", again);
        again.device = costs.device;
        QCOMPARE(measuredCostsText(m_program, again), measuredCostsText(m_program, costs));
        QVERIFY(measuredCostsText(m_program, {}).empty());
        again.device = "cpu \"0\"";
        QVERIFY2(reread, reread ? "" : describe(reread.error()).c_str());
        QCOMPARE(again.device, std::string("cpu \"0\""));
        QVERIFY(again.together == costs.together && again.recompute == costs.recompute);
        QVERIFY(again.moduleExtraBytes == costs.moduleExtraBytes);
        for (const char* name : {"linear", "add", "softmax"}) {
            QVERIFY(at(again, name).seconds == at(costs, name).seconds);
            QVERIFY(at(again, name).transferSeconds == at(costs, name).transferSeconds);
            QCOMPARE(at(again, name).extraBytes, at(costs, name).extraBytes);
        }
    }

    void nodeDataOfModelExplorerIsReadAsSeconds()
    {
        MeasuredCosts costs;
        QVERIFY(addCosts(m_program, R"({"main":{"results":{"linear":{"value":0.5},"add":2}}})", "data.json", costs));
        QCOMPARE(*at(costs, "linear").seconds, 0.5);
        QCOMPARE(*at(costs, "add").seconds, 2.0);
        QVERIFY(!addCosts(m_program, R"({"results":{"linear":{"value":-1}}})", "data.json", costs));
    }

    void nodeDataReadsBackAsItWasWritten()
    {
        const Graph& graph = m_program.rootGraph();
        NodeData data{.name = "a \"name\"", .values = {}};
        data.values.resize(graph.idBound());
        data.values[graph.find(intern("linear")).index()] = -1.5e-7;
        data.values[graph.find(intern("add")).index()] = 3;
        const Result<NodeData> back = parseNodeData(m_program, nodeDataText(m_program, data), "data.json");
        QVERIFY2(back, back ? "" : describe(back.error()).c_str());
        QCOMPARE(back->name, data.name);
        QVERIFY(back->values == data.values);
        for (const char* wrong :
             {R"({"results":{"lineal":1}})", R"({"results":{"linear":"much"}})", R"({"results":{"linear":null}})"})
            QVERIFY2(!parseNodeData(m_program, wrong, "data.json"), wrong);
        QCOMPARE(*parseNodeData(m_program, R"({"g":{"results":{"linear":{"value":"7"}}}})", "d")
                      .value()
                      .values[graph.find(intern("linear")).index()],
                 7.0);
    }

    void entriesThatDoNotFitAreNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* text, const char* said) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(said);
        };
        row("unknown node", R"({"nodes":{"lineal":{"seconds":1}}})", "nodes.lineal");
        row("negative", R"({"nodes":{"linear":{"seconds":-1}}})", "nodes.linear.seconds");
        row("no number", R"({"nodes":{"linear":{"seconds":"1"}}})", "nodes.linear.seconds");
        row("missing", R"({"nodes":{"linear":{"transfer_seconds":1}}})", "nodes.linear");
        row("negative transfer", R"({"nodes":{"linear":{"seconds":1,"transfer_seconds":-1}}})", "nodes.linear.transfer_seconds");
        row("half a byte", R"({"nodes":{"linear":{"seconds":1,"extra_bytes":0.5}}})", "nodes.linear.extra_bytes");
        row("unknown node together", R"({"nodes":{},"together":[["linear"],["linear","ad"]]})", "together[1]");
        row("unknown module", R"({"nodes":{},"modules":{"block":{"extra_bytes":1}}})", "modules.block");
        row("unknown module again", R"({"nodes":{},"recompute":["blocks.9"]})", "recompute[0]");
        row("unknown node of CSV", "node,seconds\nlineal,1\n", "\"lineal\", which is not a node of the model, line 2");
        row("missing in CSV", "node,seconds\nlinear,\n", "\"seconds\" of node \"linear\", line 2");
        row("negative in CSV", "node,seconds,extra_bytes\nlinear,1,-1\n", "\"extra_bytes\" of node \"linear\", line 2");
        row("twice in CSV", "node,seconds\nlinear,1\nlinear,1\n", "line 3");
    }

    void entriesThatDoNotFitAreNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        MeasuredCosts costs;
        const Result<void> read = addCosts(m_program, text.toStdString(), "c", costs);
        QVERIFY(!read);
        QCOMPARE(exitStatus(read.error().code), 1);
        QVERIFY2(describe(read.error()).find(said.toStdString()) != std::string::npos, describe(read.error()).c_str());
    }

    void otherFilesAreMalformed()
    {
        for (const char* text :
             {"", "{", "{}", "[]", R"({"nodes":{"linear":{"seconds":1e999}}})", R"({"nodes":[]})", R"({"nodes":{},"togther":[]})",
              R"({"nodes":{"linear":1}})", R"({"nodes":{"linear":{"seconds":1,"sceonds":1}}})", "linear,1\n", "node,node\n",
              "seconds\n1\n", "node,seconds\nlinear,1,2\n"}) {
            MeasuredCosts costs;
            const Result<void> read = addCosts(m_program, text, "c", costs);
            QVERIFY2(!read, text);
            QVERIFY2(read.error().code == ErrorCode::malformed, text);
        }
    }

private:
    [[nodiscard]] MeasuredNode at(const MeasuredCosts& costs, const char* name) const
    {
        return costs.of(m_program.rootGraph().find(intern(name)));
    }

    const Program m_program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
};

const test::Registered<CostsFileTest> costsFileTest("costs_file_test");
#include "costs_file_test.moc"
