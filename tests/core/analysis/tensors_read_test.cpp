// Weights that a node reads, and changes of weights.
#include "analysis/tensors_read.h"

#include "io/model_file.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// "w crc", or "w" if the file has no checksum for it.
TensorTable table(const QStringList& weights)
{
    TensorTable made;
    for (const QString& weight : weights) {
        const QStringList words = weight.split(' ');
        Storage storage{.id = intern(weight.toStdString()), .byteCount = 24};
        if (words.size() > 1)
            storage.placeExtra = intern(words[1].toStdString());
        made.add({.fqn = intern(words[0].toStdString()), .storage = made.addStorage(storage)});
    }
    return made;
}

} // namespace

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

    void countsWeightsOfOneTable()
    {
        const WeightChanges changes = weightChanges(table({"a 1", "b 2"}), table({"b 2", "c 3", "d 4"}));
        QCOMPARE(changes.onlyBefore, 1U);
        QCOMPARE(changes.onlyAfter, 2U);
        QCOMPARE(changes.equal, 1U);
    }

    void namesWeightsWithOtherValues()
    {
        const WeightChanges changes = weightChanges(table({"a 1", "b 2"}), table({"a 1", "b 3"}));
        QCOMPARE(changes.others, std::vector{intern("b")});
    }

    void weightsWithoutCrcsAreUnknown() { QCOMPARE(weightChanges(table({"a", "b 2"}), table({"a", "b"})).unknown, 2U); }
};

const test::Registered<TensorsReadTest> tensorsReadTest("tensors_read_test");
#include "tensors_read_test.moc"
