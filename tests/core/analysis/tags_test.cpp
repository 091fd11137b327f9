#include "analysis/sizes.h"
#include "analysis/stages.h"
#include "analysis/tag_legality.h"
#include "parameter_chain.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

TagAssignment tags(const Program& of, std::vector<std::string> order, std::vector<std::pair<std::string, std::string>> pairs)
{
    std::vector<InternedString> names;
    for (const std::string& tag : order)
        names.push_back(intern(tag));
    std::vector<TagPair> interned;
    for (const auto& [node, tag] : pairs)
        interned.emplace_back(intern(node), intern(tag));
    return assignTags(of.rootGraph(), std::move(names), interned);
}

QStringList sentences(const Program& of, const TagAssignment& assigned)
{
    QStringList found;
    for (const Diagnostic& diagnostic : describe(checkTags(of, assigned), of, assigned))
        found << QString::fromStdString(diagnostic.message);
    return found;
}

} // namespace

class TagsTest final : public QObject {
    Q_OBJECT
private slots:
    void goesToPairsAndBack()
    {
        const Program of = test::parameterChain();
        const TagAssignment assigned = tags(of, {"p", "q"}, {{"b", "q"}, {"a", "p"}, {"nowhere", "p"}, {"c", "lost"}});
        const std::vector<TagPair> pairs = tagPairs(of.rootGraph(), assigned);
        const std::vector<TagPair> wanted = {{intern("a"), intern("p")},
                                             {intern("b"), intern("q")},
                                             {intern("c"), intern("lost")},
                                             {intern("nowhere"), intern("p")}};
        QCOMPARE(pairs, wanted);
    }

    void aRepeatedTagMeansItsLastPlace()
    {
        const Program of = test::parameterChain();
        const TagAssignment assigned = tags(of, {"p", "q", "p"}, {{"a", "p"}});
        QCOMPARE(assigned[of.rootGraph().find(intern("a"))], 2);
    }

    void saysInWordsWhatIsWrong()
    {
        const Program of = test::parameterChain();
        const TagAssignment assigned = tags(of, {"p", "q", "r"}, {{"a", "q"}, {"b", "p"}, {"c", "p"}});
        QCOMPARE(sentences(of, assigned),
                 (QStringList{"d has no tag", "a (tag q) feeds b (tag p), but q comes after p",
                              "r has no ops; its part will be empty", "m.w (400 B) is duplicated in 2 parts: p, q"}));
    }

    void countsWhatPassesBetweenParts()
    {
        const Program of = test::parameterChain();
        const TagReport report = checkTags(of, tags(of, {"p", "q"}, {{"a", "p"}, {"b", "p"}, {"c", "q"}, {"d", "q"}}));
        QVERIFY(report.isLegal());
        QCOMPARE(report.boundaryBytes, std::uint64_t{40});
        QCOMPARE(report.duplicatedBytes, std::uint64_t{400});
    }

    void tagsOnPlaceholdersAndAttributesMeanNothing()
    {
        const Program of = test::parameterChain();
        const TagAssignment assigned = tags(of, {"p"},
                                            {{"a", "p"}, {"b", "p"}, {"c", "p"}, {"d", "p"}, {"x", "lost"}, {"w", "lost"}});
        QVERIFY(checkTags(of, assigned).isLegal());
    }

    void countsAParameterAtItsFirstReader()
    {
        const Program of = test::parameterChain();
        const ProgramSizes sizes = programSizes(of);
        const auto at = [&](const char* name) { return sizes.parameterBytes[of.rootGraph().find(intern(name)).index()]; };
        QCOMPARE(at("a"), std::uint64_t{400});
        QCOMPARE(at("b"), std::uint64_t{0});
        QCOMPARE(at("c"), std::uint64_t{80});
        QCOMPARE(sizes.totalParameterBytes, std::uint64_t{480});
    }

    void countsSharedStorageOnce()
    {
        Program of = test::parameterChain();
        const StorageId storage = of.tensors.addStorage({.id = intern("s0"), .byteCount = 400});
        for (std::size_t i = 0; i < 2; ++i)
            of.tensors[TensorId(i)].storage = storage;
        QCOMPARE(programSizes(of).totalParameterBytes, std::uint64_t{400});
    }

    void cutsStages_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("byBytes");
        QTest::addColumn<QString>("stages");
        QTest::newRow("two by nodes") << 2 << false << "0 0 1 1";
        QTest::newRow("two by bytes: the weight alone, then as even in results as can be") << 2 << true << "0 0 1 1";
        QTest::newRow("three by nodes") << 3 << false << "0 1 1 2";
        QTest::newRow("as many stages as calls") << 4 << false << "0 1 2 3";
    }
    void cutsStages()
    {
        QFETCH(int, count);
        QFETCH(bool, byBytes);
        QFETCH(QString, stages);
        const Program of = test::parameterChain();
        const TagAssignment cut = *consecutiveStages(of, static_cast<std::uint32_t>(count),
                                                     byBytes ? StageMeasure::bytes : StageMeasure::nodes);
        QStringList found;
        for (const NodeId id : of.rootGraph().nodes())
            if (of.rootGraph().node(id).isCall())
                found << QString::number(cut[id]);
        QCOMPARE(found.join(' '), stages);
        QCOMPARE(cut.order.size(), static_cast<std::size_t>(count));
    }

    void refusesNoStages() { QVERIFY(!consecutiveStages(test::parameterChain(), 0)); }

    /// Surplus stages would be empty, and so would their parts.
    void refusesMoreStagesThanOps()
    {
        const Result<TagAssignment> refused = consecutiveStages(test::parameterChain(), 5);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().message,
                 std::string("5 stages are too many: the model has only 4 ops, enough for at most 4 stages"));
        QCOMPARE(refused.error().code, ErrorCode::refused);
    }
};

const test::Registered<TagsTest> tagsTest("tags_test");
#include "tags_test.moc"
