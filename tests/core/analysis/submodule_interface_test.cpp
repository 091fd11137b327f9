#include "analysis/cut/submodule_interface.h"
#include "parameter_chain.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// a, b | c | d
SplitResult splitChain()
{
    const Program made = test::parameterChain();
    std::vector<TagPair> pairs;
    for (const auto& [name, tag] : {std::pair{"a", "p0"}, {"b", "p0"}, {"c", "p1"}, {"d", "p2"}})
        pairs.emplace_back(intern(name), intern(tag));
    return splitByTags(made, assignTags(made.rootGraph(), {intern("p0"), intern("p1"), intern("p2")}, pairs)).value();
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
        QCOMPARE(namesOf(second.inputs), std::string("b"));
        QCOMPARE(second.inputs[0].from, 0);
    }

    void saysWhereOutputsGo()
    {
        const SplitResult split = splitChain();
        const SubmoduleInterface first = interfaceOf(split, 0);
        QCOMPARE(first.outputs.size(), std::size_t(1));
        QCOMPARE(first.outputs[0].to, std::vector<std::int32_t>{1});
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
        QCOMPARE(interfaceOf(split, 1).parameterBytes, std::uint64_t(480)); // a parameter that both read counts in both
        QVERIFY(interfaceOf(split, 2).parameters.empty());
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

const test::Registered<SubmoduleInterfaceTest> submoduleInterfaceTest("submodule_interface_test");
#include "submodule_interface_test.moc"
