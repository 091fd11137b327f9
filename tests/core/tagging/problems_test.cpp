#include "tagging/problems.h"

#include "tagging/problem.h"
#include "tagging/tag_check.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

std::vector<std::string> textsOf(const Problems& problems)
{
    std::vector<std::string> texts;
    for (const Problem& problem : problems)
        texts.push_back(problem.text);
    return texts;
}

std::vector<std::string> labelsOf(const Problem& problem)
{
    std::vector<std::string> labels;
    for (const Repair& repair : problem.repairs)
        labels.push_back(repair.label);
    return labels;
}

using Texts = std::vector<std::string>;

} // namespace

class ProblemsTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_snapshot = std::make_unique<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                            "a = relu(x)\n"
                                                                            "b = relu(a)\n"
                                                                            "c = add(a, b)\n"
                                                                            "output(c)\n"));
    }

    void saysNothingOfLegalTags() { QCOMPARE(textsOf(problems(tags({{"a", "p"}, {"b", "p"}, {"c", "q"}}))), Texts{}); }

    void saysThatNothingIsPainted()
    {
        const Problems found = problems(tags({}));
        QCOMPARE(textsOf(found), Texts{"No op is tagged yet."});
        QCOMPARE(found.front().severity, Severity::note);
        QCOMPARE(found.front().repairs.front().calls, 3U);
    }

    void joinsAllThatAValueRunsBackwardsTo()
    {
        const Problems found = problems(tags({{"a", "q"}, {"b", "p"}, {"c", "p"}}));
        QCOMPARE(textsOf(found), Texts{"a (tag q) feeds b (tag p) and 1 more, but q comes after p."});
        QCOMPARE(labelsOf(found.front()),
                 (Texts{"Reorder tags", "Move a to p, remove q", "Move b and 1 more op to q, remove p", "Show"}));
        QCOMPARE(found.front().nodes, (std::vector{node("a"), node("b"), node("c")}));
    }

    void countsWhatIsUntaggedAndOffersTheActiveTag()
    {
        const Problems found = problems(tags({{"a", "p"}}), {.activeTag = 1});
        QCOMPARE(textsOf(found), (Texts{"2 ops have no tag: b, c.", "q has no ops; its part would be empty."}));
        QCOMPARE(labelsOf(found[0]), (Texts{"Tag q", "Fill in", "Show"}));
        QCOMPARE(found[0].repairs[1].calls, 2U);
        QCOMPARE(labelsOf(found[1]), Texts{"Remove q"});
    }

    void saysWhatASplitDoesNotProve()
    {
        const TagAssignment legal = tags({{"a", "p"}, {"b", "p"}, {"c", "q"}});
        const IdentityMap map;
        const VerifyReport undecided{.verdict = Verdict::undecided, .why = "the effect of a is unknown"};
        const VerifyReport different{.verdict = Verdict::different, .why = "b is not c"};
        const Problems doubted = problems(legal, {.proof = {.report = &undecided, .map = &map}});
        QCOMPARE(textsOf(doubted), Texts{"The parts are not proven to be equivalent to the model. The effect of a is unknown."});
        QCOMPARE(doubted.front().severity, Severity::warning);
        const Problems refuted = problems(legal, {.proof = {.report = &different, .map = &map}});
        QCOMPARE(textsOf(refuted), Texts{"The parts are not equivalent to the model. B is not c."});
        QCOMPARE(refuted.front().severity, Severity::error);
    }

    void aCircleGoesWithTheValueThatMakesIt()
    {
        const TagAssignment wrong = tags({{"a", "p"}, {"b", "q"}, {"c", "p"}});
        const Problems found = problems(wrong);
        QCOMPARE(textsOf(found).front(), std::string("b (tag q) feeds c (tag p), but q comes after p."));
        QCOMPARE(labelsOf(found.front()).front(), std::string("Move b to p, remove q"));
        QCOMPARE(found[1].kind, Problem::Kind::circle);
        QVERIFY(found[1].text.starts_with("p, q depend on each other, so no order of them is legal: a (tag p) feeds b (tag q)"));
        QCOMPARE(found[1].goesWith, std::optional<std::size_t>(0));
        QCOMPARE(std::ranges::count(found, std::optional<std::size_t>(), &Problem::goesWith), 1);
        QCOMPARE(found[1].repairs.front().kind, Repair::Kind::mergeTags);
        QVERIFY(problems(*repaired(*m_snapshot, wrong, found[1].repairs.front())).empty());
    }

    void aProofThatTheCheckForeseesStandsBehindIt()
    {
        m_snapshot = std::make_unique<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                            "a = call_method[clone](x)\n"
                                                                            "b = call_method[add_](a, 1)\n"
                                                                            "c = call_method[mul](a, 2)\n"
                                                                            "output(c)\n"));
        const IdentityMap map;
        const VerifyReport different{.verdict = Verdict::different, .why = "c reads something else"};
        const Problems found = problems(tags({{"a", "p"}, {"b", "q"}, {"c", "p"}}),
                                        {.proof = {.report = &different, .map = &map}});
        QCOMPARE(found[0].kind, Problem::Kind::orderDependency);
        QCOMPARE(found[1].kind, Problem::Kind::notEqual);
        QCOMPARE(std::ranges::count(found, std::optional<std::size_t>(), &Problem::goesWith), 1);
    }

    void warningsNameTheCauseOfDoubts()
    {
        const auto firstOf = [this](Program program) {
            m_snapshot = std::make_unique<const Snapshot>(std::move(program));
            return problems(tags({{"a", "q"}, {"b", "p"}})).front();
        };
        Program stored = test::programFromText("v = get_attr[v]()\n"
                                               "w = get_attr[w]()\n"
                                               "a = call_method[add_](w, 1)\n"
                                               "b = call_method[mul](v, 2)\n"
                                               "output(a, b)\n");
        for (const char* const name : {"v", "w"})
            stored.tensors.add({.fqn = intern(name), .role = TensorRole::buffer});
        const Problem storage = firstOf(std::move(stored));
        QCOMPARE(storage.severity, Severity::warning);
        QVERIFY(storage.text.ends_with(
            "q comes after p. The file has no storage for some tensors, which are assumed to share memory."));

        const Problem call = firstOf(test::programFromText("v = placeholder()\n"
                                                           "a = torch.ops.lib.op.default(v)\n"
                                                           "b = call_method[mul](v, 2)\n"
                                                           "output(a, b)\n"));
        QCOMPARE(call.severity, Severity::warning);
        QVERIFY(call.text.ends_with("q comes after p. Unknown operators are assumed to have arbitrary side effects; provide "
                                    "their schemas (--operators)."));
    }

    void aSecondMistakeHidesNoRepairOfTheFirst()
    {
        // b and d have too late a tag, each in a circle of its own: one is moved although the other stays.
        m_snapshot = std::make_unique<const Snapshot>(test::programFromText("x = placeholder()\n"
                                                                            "a = relu(x)\n"
                                                                            "b = relu(a)\n"
                                                                            "c = relu(b)\n"
                                                                            "d = relu(c)\n"
                                                                            "e = relu(d)\n"
                                                                            "f = relu(e)\n"
                                                                            "g = relu(f)\n"
                                                                            "output(g)\n"));
        std::vector<TagPair> pairs;
        for (const auto& [name, tag] : std::vector<std::pair<const char*, const char*>>{
                 {"a", "p"}, {"b", "q"}, {"c", "p"}, {"d", "r"}, {"e", "p"}, {"f", "q"}, {"g", "r"}})
            pairs.emplace_back(intern(name), intern(tag));
        const Problems found = problems(assignTags(m_snapshot->graph(), {intern("p"), intern("q"), intern("r")}, pairs));
        QVERIFY(found.front().text.starts_with("b (tag q) feeds c (tag p)"));
        QCOMPARE(labelsOf(found.front()).front(), std::string("Move b to p"));
    }

    void everyRepairOfABackwardEdgeMakesTheTagsLegal()
    {
        const TagAssignment wrong = tags({{"a", "q"}, {"b", "p"}, {"c", "p"}});
        const Problems found = problems(wrong);
        for (const Repair& repair : found.front().repairs) {
            const Result<TagAssignment> right = repaired(*m_snapshot, wrong, repair);
            QVERIFY(right.has_value());
            QCOMPARE(checkTags(m_snapshot->program, *right).isLegal(), repair.kind != Repair::Kind::show);
        }
    }

    void repairsChangeAsManyCallsAsTheySay_data()
    {
        QTest::addColumn<QStringList>("tagged");
        QTest::newRow("nothing is tagged") << QStringList{};
        QTest::newRow("one is tagged") << QStringList{"a p"};
        QTest::newRow("a value runs backward") << QStringList{"a q", "b p", "c p"};
        QTest::newRow("a tag is empty") << QStringList{"a q", "b q", "c q"};
    }
    void repairsChangeAsManyCallsAsTheySay()
    {
        QFETCH(QStringList, tagged);
        std::vector<std::pair<std::string, std::string>> pairs;
        for (const QString& pair : tagged)
            pairs.emplace_back(pair.section(' ', 0, 0).toStdString(), pair.section(' ', 1, 1).toStdString());
        const TagAssignment before = tags(pairs);
        for (const Problem& problem : problems(before, {.activeTag = 0}))
            for (const Repair& repair : problem.repairs) {
                const Result<TagAssignment> after = repaired(*m_snapshot, before, repair);
                QVERIFY(after.has_value());
                std::uint64_t changed = 0;
                for (const NodeId id : m_snapshot->graph().nodes())
                    changed += nameOf(before, id) != nameOf(*after, id) ? 1 : 0;
                QVERIFY2(changed == repair.calls, repair.label.c_str());
            }
    }

private:
    NodeId node(const char* name) const { return m_snapshot->graph().find(intern(name)); }
    TagAssignment tags(const std::vector<std::pair<std::string, std::string>>& pairs) const
    {
        std::vector<TagPair> interned;
        for (const auto& [name, tag] : pairs)
            interned.emplace_back(intern(name), intern(tag));
        return assignTags(m_snapshot->graph(), {intern("p"), intern("q")}, interned);
    }
    static std::string nameOf(const TagAssignment& tags, NodeId id)
    {
        return tags[id] < 0 ? std::string() : tags.order[static_cast<std::size_t>(tags[id])].str();
    }
    Problems problems(const TagAssignment& tags, const ProblemOptions& options = {}) const
    {
        return checkOf(*m_snapshot, tags, options).problems;
    }

    std::unique_ptr<const Snapshot> m_snapshot;
};

const test::Registered<ProblemsTest> problemsTest("problems_test");
#include "problems_test.moc"
