#include "analysis/cut/submodule_interface.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

void addTensor(Program& program, const char* fqn, std::int64_t size)
{
    TensorEntry entry{.fqn = intern(fqn), .persistent = true};
    entry.meta.dtype = intern("float32");
    entry.meta.shape = {Argument::integer(size)};
    program.tensors.add(std::move(entry));
}

SplitResult splitChain()
{
    Program made = test::programFromText(R"(
        x = placeholder() : 10
        w = get_attr[m.w]()
        a = mul(x, w) : 10
        b = relu(a) : 20
        c = add(b, a) : 10
        d = relu(c) : 5
        out = output(d))");
    made.modules.ensure("m");
    addTensor(made, "m.w", 100);
    const Graph& graph = made.rootGraph();
    std::vector<TagPair> pairs;
    for (const auto& [name, tag] : {std::pair{"a", "p0"}, {"b", "p0"}, {"c", "p1"}, {"d", "p2"}})
        pairs.emplace_back(intern(name), intern(tag));
    const TagAssignment tags = assignTags(graph, {intern("p0"), intern("p1"), intern("p2")}, pairs);
    return splitByTags(made, tags).value();
}

std::string namesOf(const std::vector<SubmodulePort>& ports)
{
    std::string names;
    for (const SubmodulePort& port : ports)
        names += (names.empty() ? "" : " ") + port.name.str();
    return names;
}

SubmoduleInterface interfaceOf(const SplitResult& split, std::size_t part)
{
    return submoduleInterface(split.program, split.parts[part], split.partNames);
}

} // namespace

class SubmoduleInterfaceTest final : public QObject {
    Q_OBJECT

private slots:
    void saysWhereInputsComeFrom()
    {
        const SplitResult split = splitChain();
        const SubmoduleInterface first = interfaceOf(split, 0);
        QCOMPARE(namesOf(first.inputs), std::string("x"));
        QCOMPARE(first.inputs[0].from, SubmodulePort::kProgram);
        QCOMPARE(first.inputs[0].bytes, std::uint64_t(40));
        const SubmoduleInterface second = interfaceOf(split, 1);
        QCOMPARE(second.inputs.size(), std::size_t(2));
        QCOMPARE(second.inputs[0].from, 0);
        QCOMPARE(second.inputs[1].from, 0);
    }

    void saysWhereOutputsGo()
    {
        const SplitResult split = splitChain();
        const SubmoduleInterface first = interfaceOf(split, 0);
        QCOMPARE(first.outputs.size(), std::size_t(2));
        for (const SubmodulePort& port : first.outputs)
            QCOMPARE(port.to, std::vector<std::int32_t>{1});
        QVERIFY(!first.outputs[0].toProgram);
        const SubmoduleInterface last = interfaceOf(split, 2);
        QCOMPARE(namesOf(last.outputs), std::string("d"));
        QVERIFY(last.outputs[0].toProgram);
        QVERIFY(last.outputs[0].to.empty());
        QCOMPARE(last.outputs[0].bytes, std::uint64_t(20));
    }

    void listsWeightsApartFromValues()
    {
        const SplitResult split = splitChain();
        const SubmoduleInterface first = interfaceOf(split, 0);
        QCOMPARE(first.parameters.size(), std::size_t(1));
        QCOMPARE(first.parameterBytes, std::uint64_t(400));
        QVERIFY(first.parameters[0].node.isValid());
        QVERIFY(interfaceOf(split, 1).parameters.empty());
    }

    void showsTheProgramsOwnInterfaceAtTheRoot()
    {
        const SplitResult split = splitChain();
        const SubmoduleInterface all = submoduleInterface(split.program, split.program.root, split.partNames);
        QCOMPARE(namesOf(all.inputs), std::string("x"));
        QCOMPARE(all.inputs[0].to, std::vector<std::int32_t>{0});
        QCOMPARE(all.outputs.size(), std::size_t(1));
        QCOMPARE(all.outputs[0].from, 2);
    }
};

QTEST_APPLESS_MAIN(SubmoduleInterfaceTest)
#include "submodule_interface_test.moc"
