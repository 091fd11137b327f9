// Weights that a node reads.
#include "analysis/tensors_read.h"

#include "io/model_file.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class TensorsReadTest final : public QObject {
    Q_OBJECT

private slots:
    void readsLiftedPlaceholders()
    {
        const Program program = *readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        const Graph& graph = program.rootGraph();
        bool isFound = false;
        for (const NodeId id : graph.nodes())
            if (graph[id].target.view() == "torch.ops.aten.embedding.default") {
                const std::vector<TensorId> read = tensorsReadBy(program, id);
                QCOMPARE(read.size(), 1U);
                QVERIFY(program.tensors[read.front()].fqn.view().ends_with(".weight"));
                QCOMPARE(tensorsReadBy(program, graph[id].args[0].asNode()), read); // the placeholder itself
                isFound = true;
            }
        QVERIFY(isFound);
    }

    void readsAttributesAndTheTensorsOfModules()
    {
        Program program = test::programFromText("x = placeholder()\n"
                                                "w = get_attr[lin.weight]()\n"
                                                "twice = mul(x, w, w)\n"
                                                "call = call_module[lin](twice)\n"
                                                "plain = relu(call)\n"
                                                "output(plain)\n");
        for (const char* name : {"lin.weight", "lin.bias", "linear.weight"})
            if (!program.tensors.find(intern(name)))
                program.tensors.add({.fqn = intern(name)});
        QCOMPARE(namesOf(program, "twice"), (std::vector<std::string>{"lin.weight"}));
        QCOMPARE(namesOf(program, "call"), (std::vector<std::string>{"lin.weight", "lin.bias"}));
        QCOMPARE(namesOf(program, "w"), (std::vector<std::string>{"lin.weight"}));
        QVERIFY(namesOf(program, "plain").empty());
        QVERIFY(namesOf(program, "x").empty());
    }

private:
    static std::vector<std::string> namesOf(const Program& program, const char* node)
    {
        std::vector<std::string> names;
        for (const TensorId id : tensorsReadBy(program, program.rootGraph().find(intern(node))))
            names.push_back(program.tensors[id].fqn.str());
        return names;
    }
};

const test::Registered<TensorsReadTest> tensorsReadTest("tensors_read_test");
#include "tensors_read_test.moc"
