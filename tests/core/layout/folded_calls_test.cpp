#include "layout/collapse/folded_calls.h"

#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Turns calls named a… into metadata assertions.
Program withAssertions(const std::string& text)
{
    Program program = programFromText(text);
    giveTestSchemas(program);
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall() && program.rootGraph()[id].name.view().starts_with("a"))
            program.rootGraph().setTarget(id, intern("torch.ops.aten._assert_tensor_metadata.default"), {});
    return program;
}

/// The subtitle of the item that shows a node.
QString itemOf(const Program& program, const Picture& picture, const char* name)
{
    const ItemId item = picture.itemOf[program.rootGraph().find(intern(name)).index()];
    return item ? QString::fromStdString(picture.items[item.index()].subtitle) : QString();
}

} // namespace

class FoldedCallsTest final : public QObject {
    Q_OBJECT
private slots:
    void goWithWhatTheyLookAt()
    {
        const Program program = withAssertions(
            "x = placeholder()\ny = op(x)\na = check(y)\nz = op(y)\ndead = op(z)\noutput(z)\n");
        const Picture picture = pictureOf(program);
        QCOMPARE(outlineOf(picture), QString("input | x\ntest::op | y\ntest::op | z\noutput | output\n"));
        QCOMPARE(itemOf(program, picture, "a"), QString("y"));
        QCOMPARE(itemOf(program, picture, "dead"), QString("z"));
        QCOMPARE(picture.items[1].nodes.size(), std::size_t{2});
        QCOMPARE(picture.items[1].opCount, 2U);
        QCOMPARE(faultsOf(program, picture), QString());
    }

    void stayInTheirModuleWhereItReadsTheSame()
    {
        const Program program = withAssertions("x = placeholder()\ny = op(x) @ m M\na = check(y) @ n N\nz = op(y) @ n N\n"
                                               "b = op(x) @ n N\nab = check(x) @ n N\noutput(z, b)\n");
        const Picture picture = pictureOf(program, {.openAll = true});
        QCOMPARE(itemOf(program, picture, "a"), QString("z"));
        QCOMPARE(itemOf(program, picture, "ab"), QString("b"));
    }

    void goWithANeighborWhereNothingElseReadsTheSame()
    {
        const Program program = withAssertions(
            "x = placeholder()\nlength = placeholder()\ny = op(x)\na = check(length)\noutput(y)\n");
        QCOMPARE(itemOf(program, pictureOf(program), "a"), QString("y"));
    }

    void areShownWhenAskedFor()
    {
        const Program program = withAssertions("x = placeholder()\ny = op(x)\na = check(y)\noutput(y)\n");
        const Picture picture = pictureOf(program, {.deadNodes = true});
        QCOMPARE(itemOf(program, picture, "a"), QString("a"));
        QCOMPARE(faultsOf(program, picture), QString());
    }

    void foldRunsWhoseAssertionsDiffer()
    {
        const Program program = withAssertions("x = placeholder()\na0 = check(x) @ layers.0 Layer\ny0 = op(x) @ layers.0 Layer\n"
                                               "y1 = op(y0) @ layers.1 Layer\ny2 = op(y1) @ layers.2 Layer\n"
                                               "a2 = check(y2) @ layers.2 Layer\noutput(y2)\n");
        QVERIFY(itemTitled(pictureOf(program), "layers.0 … layers.2"));
    }
};

const test::Registered<FoldedCallsTest> foldedCallsTest("folded_calls_test");
#include "folded_calls_test.moc"
