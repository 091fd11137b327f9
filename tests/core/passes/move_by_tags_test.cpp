#include "passes/move_non_tensor/move_non_tensor.h"
#include "test_case.h"
#include "test_support.h"
#include "typed_program.h"

#include <QTest>

using namespace sunder;

namespace {

/// "a: t1 n; b: t2".
TagAssignment tagsFromText(const Graph& graph, const QString& text)
{
    std::vector<InternedString> order;
    std::vector<TagPair> pairs;
    for (const QString& part : text.split(';')) {
        order.push_back(intern(part.section(':', 0, 0).trimmed().toStdString()));
        for (const QString& name : part.section(':', 1).split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(intern(name.toStdString()), order.back());
    }
    return assignTags(graph, order, pairs);
}

QString tagOf(const Program& program, const TagAssignment& tags, const char* node)
{
    return QString::fromStdString(tags.order[static_cast<std::size_t>(tags[program.rootGraph().find(intern(node))])].str());
}

const char* const kSize = "x = placeholder()\n"
                          "t1 = relu(x)\n"
                          "n = numel(t1)\n"
                          "t2 = view(x, n)\n"
                          "output(t2)\n";

} // namespace

class MoveByTagsTest final : public QObject {
    Q_OBJECT
private slots:
    void aMovedNodeTakesTheTagOfItsUser()
    {
        const Program program = test::programWithTensors(kSize, "t");
        const TagAssignment tags = tagsFromText(program.rootGraph(), "a: t1 n; b: t2");
        const Result<MoveByTagsResult> moved = moveNonTensorByTags(program.rootGraph(), tags);
        QVERIFY(moved.has_value());
        QCOMPARE(tagOf(program, moved->tags, "n"), QStringLiteral("b"));
        QCOMPARE(tagOf(program, moved->tags, "t1"), QStringLiteral("a"));
        QCOMPARE(moved->moves.moved.size(), std::size_t(1));
        QVERIFY(moved->moves.staying.empty());
    }

    void reasonsNameTags()
    {
        const Program program = test::programWithTensors(kSize, "t");
        const TagAssignment tags = tagsFromText(program.rootGraph(), "a: t1 n; b: t2");
        const Result<MoveByTagsResult> moved = moveNonTensorByTags(program.rootGraph(), tags, {.accelerators = {intern("b")}});
        QVERIFY(moved.has_value());
        QVERIFY(moved->moves.moved.empty());
        QCOMPARE(moved->moves.staying.size(), std::size_t(1));
        const StayingNode& stay = moved->moves.staying.front();
        QCOMPARE(stay.reason, StayReason::notAccelerator);
        QCOMPARE(
            QString::fromStdString(stay.why),
            QStringLiteral("n is used by t2 in b, but a is not on an accelerator, and only nodes on accelerators are moved"));
    }

    void aPartThatIsNoTagIsRefused()
    {
        const Program program = test::programWithTensors(kSize, "t");
        const TagAssignment tags = tagsFromText(program.rootGraph(), "a: t1 n; b: t2");
        const Result<MoveByTagsResult> refused = moveNonTensorByTags(program.rootGraph(), tags,
                                                                     {.accelerators = {intern("gone")}});
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("gone") != std::string::npos);
    }

    void valuesSayWhatIsATensorWhereNoTypeDoes()
    {
        Program program = test::programFromText(kSize);
        QVERIFY(lacksOutputTypes(program.rootGraph()));
        const TagAssignment tags = tagsFromText(program.rootGraph(), "a: t1 n; b: t2");
        NodeMeta& meta = program.rootGraph().meta(program.rootGraph().find(intern("n")));
        meta.val = Argument::integer(6);
        const Result<MoveByTagsResult> byValue = moveNonTensorByTags(program.rootGraph(), tags,
                                                                     {.telling = TensorTelling::byValue});
        QVERIFY(byValue.has_value());
        QCOMPARE(byValue->moves.moved.size(), std::size_t(1));
        meta.val.reset(); // unknown, so it stays
        QVERIFY(moveNonTensorByTags(program.rootGraph(), tags, {.telling = TensorTelling::byValue})->moves.moved.empty());
    }
};

const test::Registered<MoveByTagsTest> moveByTagsTest("move_by_tags_test");
#include "move_by_tags_test.moc"
