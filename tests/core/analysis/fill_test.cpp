#include "analysis/fill/fill.h"
#include "analysis/fill/fill_effect.h"

#include "analysis/tag_assignment.h"
#include "analysis/tag_legality.h"
#include "random_cut_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <random>

using namespace sunder;

/// The ops that a fill takes from a pick, and the effect on tags and legality.
class FillTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_snapshot = std::make_unique<Snapshot>(
            test::programFromText("x = placeholder() : 2x8\n"
                                  "stem = relu(x) : 2x8\n"
                                  "a1 = linear(stem) : 2x4 @ layers.0 Block > layers.0.fc Linear\n"
                                  "a2 = gelu(a1) : 2x4 @ layers.0 Block\n"
                                  "b1 = linear(a2) : 2x4 @ layers.1 Block > layers.1.fc Linear\n"
                                  "b2 = gelu(b1) : 2x4 @ layers.1 Block\n"
                                  "side = relu(stem) : 2x8\n"
                                  "head = linear(b2) : 2x8 @ head Linear\n"
                                  "sum = add(head, side) : 2x8\n"
                                  "output(sum)\n"));
        m_tags = {.order = {intern("one"), intern("two")}, .tagOf = std::vector<std::int32_t>(snapshot().graph().idBound(), -1)};
    }

    void aModuleAndWhatHoldsIt()
    {
        QCOMPARE(taken({.scope = FillScope::module, .width = 0}, {"a1"}), QString("a1"));
        QCOMPARE(taken({.scope = FillScope::module, .width = 1}, {"a1"}), QString("a1 a2"));
        QCOMPARE(taken({.scope = FillScope::module, .width = 2}, {"a1"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.widths, std::size_t{3}); // layers.0.fc, layers.0, layers
        QCOMPARE(taken({.scope = FillScope::module, .width = 9}, {"a1"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.width, std::size_t{2});
        QCOMPARE(m_fill.what, std::string("layers"));
    }

    void severalOpsMeanTheModuleAroundAll()
    {
        QCOMPARE(taken({.scope = FillScope::module}, {"a1", "a2"}), QString("a1 a2"));
        QCOMPARE(taken({.scope = FillScope::module}, {"a1", "b2"}), QString("a1 a2 b1 b2"));
    }

    void aModulePointedAtIsMeantItself()
    {
        QCOMPARE(taken({.scope = FillScope::module, .module = "layers.0"}, {"a1"}), QString("a1 a2"));
        QCOMPARE(taken({.scope = FillScope::moduleClass, .module = "layers.0"}, {"a1"}), QString("a1 a2 b1 b2"));
    }

    void allOfAClass()
    {
        QCOMPARE(taken({.scope = FillScope::moduleClass}, {"a1"}), QString("a1 b1 head"));
        QCOMPARE(m_fill.what, std::string("all Linear modules"));
        QCOMPARE(taken({.scope = FillScope::moduleClass, .width = 1}, {"a1"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.widths, std::size_t{2}); // the list has no class
        QVERIFY(refusal({.scope = FillScope::moduleClass}, {"stem"}).contains("stem"));
    }

    void severalModulesOfAClassMeanTheClass()
    {
        QCOMPARE(taken({.scope = FillScope::moduleClass}, {"a1", "a2", "b1", "b2"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.what, std::string("all Block modules"));
        QCOMPARE(taken({.scope = FillScope::moduleClass}, {"a1", "b1"}), QString("a1 b1 head"));
        QVERIFY(!refusal({.scope = FillScope::moduleClass}, {"a1", "side"}).isEmpty());
        QCOMPARE(taken({.scope = FillScope::needed}, {"a1", "a2"}), QString("stem a1 a2"));
        QCOMPARE(m_fill.what, std::string("everything that 2 ops need"));
    }

    void equalOperatorsAndShapes()
    {
        QCOMPARE(taken({.scope = FillScope::sameOperator}, {"stem"}), QString("stem side"));
        QCOMPARE(m_fill.what, std::string("all relu ops"));
        QCOMPARE(taken({.scope = FillScope::sameShape}, {"a2"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.what, std::string("all ops of shape 2×4"));
    }

    void whatItNeedsAndWhatNeedsIt()
    {
        QCOMPARE(taken({.scope = FillScope::needed}, {"b1"}), QString("stem a1 a2 b1"));
        QCOMPARE(taken({.scope = FillScope::needing}, {"b1"}), QString("b1 b2 head sum"));
        QCOMPARE(m_fill.what, std::string("everything that needs b1"));
    }

    /// A module of one op keeps the name of the module that was pointed at, since its op is not visible.
    void aModulePointedAtKeepsItsName()
    {
        QCOMPARE(taken({.scope = FillScope::needing, .module = "head"}, {"head"}), QString("head sum"));
        QCOMPARE(taken({.scope = FillScope::needed, .module = "layers.0.fc"}, {"a1"}), QString("stem a1"));
        QCOMPARE(m_fill.what, std::string("everything that layers.0.fc needs"));
        const std::vector<NodeId> first{node("a1")};
        taken({.scope = FillScope::between, .module = "layers.1.fc", .other = first, .otherModule = "layers.0.fc"}, {"b1"});
        QCOMPARE(m_fill.what, std::string("from layers.0.fc to layers.1.fc"));
    }

    void betweenTwoPicksInEitherOrder()
    {
        const std::vector<NodeId> first{node("a1")};
        const std::vector<NodeId> last{node("head")};
        QCOMPARE(taken({.scope = FillScope::between, .other = first}, {"head"}), QString("a1 a2 b1 b2 head"));
        QCOMPARE(taken({.scope = FillScope::between, .other = last}, {"a1"}), QString("a1 a2 b1 b2 head"));
        QVERIFY(refusal({.scope = FillScope::between, .other = first}, {"side"}).contains("side"));
        QVERIFY(!refusal({.scope = FillScope::between}, {"side"}).isEmpty()); // no first pick
    }

    void occurrencesOfARegion()
    {
        OccurrenceTable table{.groups = {{.regions = 2, .nodes = {node("a1"), node("a2"), node("b1"), node("b2")}}},
                              .groupOf = std::vector(snapshot().graph().idBound(), OccurrenceTable::kNone)};
        for (const NodeId id : table.groups[0].nodes)
            table.groupOf[id.index()] = 0;
        QCOMPARE(taken({.scope = FillScope::occurrences, .occurrences = &table}, {"b2"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.what, std::string("all 2 occurrences of the region around b2"));
        QVERIFY(refusal({.scope = FillScope::occurrences, .occurrences = &table}, {"head"}).contains("head"));
        QVERIFY(!refusal({.scope = FillScope::occurrences}, {"b2"}).isEmpty());
    }

    void connectedOfTheSameTag()
    {
        tag({"a1", "a2", "head"}, 0);
        QCOMPARE(taken({.scope = FillScope::connected}, {"a2"}), QString("a1 a2"));
        QCOMPARE(m_fill.what, std::string("ops of one connected to a2"));
        QCOMPARE(taken({.scope = FillScope::connected}, {"b1"}), QString("b1 b2"));
        QCOMPARE(taken({.scope = FillScope::connected}, {"side"}), QString("stem side sum"));
    }

    void theWandTakesWhatIsAlikeAndConnected()
    {
        QCOMPARE(taken({.scope = FillScope::alike}, {"side"}), QString("stem side"));
        QCOMPARE(taken({.scope = FillScope::alike}, {"a1"}), QString("a1")); // the other Linear modules follow a gelu
        QCOMPARE(taken({.scope = FillScope::alike, .width = 1}, {"b2"}), QString("a1 a2 b1 b2")); // the row of Blocks
        QCOMPARE(taken({.scope = FillScope::alike, .width = 1}, {"a1"}), QString("a1"));
        QCOMPARE(taken({.scope = FillScope::alike, .width = 2}, {"a1"}), QString("a1 a2 b1 b2"));
        QCOMPARE(m_fill.widths, std::size_t{3});
    }

    void whatTakesNoTagIsNoPick()
    {
        for (const FillScopeWords& words : kFillScopes)
            QVERIFY2(!refusal({.scope = words.scope}, {"x"}).isEmpty(), words.id.data());
        QCOMPARE(taken({.scope = FillScope::needed}, {"x", "stem"}), QString("stem"));
    }

    void scopesAreFoundByTheirIds()
    {
        for (const FillScopeWords& words : kFillScopes)
            QCOMPARE(fillScopeOf(words.id), std::optional(words.scope));
        QVERIFY(!fillScopeOf("all"));
    }

    void saysWhetherTheCutStaysLegal()
    {
        tag({"stem", "a1", "a2", "b1", "b2", "side"}, 0);
        tag({"head"}, 1);
        QCOMPARE(QString::fromStdString(legality({"sum"}, 1)), QString("makes the cut legal"));
        tag({"sum"}, 1);
        QCOMPARE(QString::fromStdString(legality({"b2"}, 1)), QString("the cut stays legal"));
        QCOMPARE(QString::fromStdString(legality({"a1"}, 1)), QString("adds 1 backward edge"));
        tag({"a1"}, 1);
        QCOMPARE(QString::fromStdString(legality({"side"}, 1)), QString("adds no backward edge; 1 remain"));
        QCOMPARE(QString::fromStdString(legality({"a1"}, 0)), QString("makes the cut legal"));
        QCOMPARE(QString::fromStdString(legality({"a2"}, 1)), QString("adds 1 backward edge, fixes 1"));
        tag({"b2"}, -1);
        QCOMPARE(QString::fromStdString(legality({"a1"}, 0)), QString("fixes 1 backward edge"));
        QCOMPARE(QString::fromStdString(describeAmount(fillEffect(snapshot(), m_tags, all(), 0))), QString("4 ops"));
    }

    /// The effect equals the difference of two full checks, for any nodes and tag.
    void theEffectIsTheDifferenceOfTwoChecks()
    {
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            const Snapshot model(test::randomCutProgram(seed, 40));
            TagAssignment tags{.order = {intern("a"), intern("b"), intern("c")}};
            for (std::size_t i = 0; i < model.graph().idBound(); ++i)
                tags.tagOf.push_back(static_cast<std::int32_t>(random() % 4) - 1);
            std::vector<NodeId> painted;
            for (const NodeId id : model.graph().nodes())
                if (random() % 3 == 0)
                    painted.push_back(id);
            const auto tag = static_cast<std::int32_t>(random() % 4) - 1;
            const FillEffect effect = fillEffect(model, tags, painted, tag);
            const TagReport before = checkTags(model.program, tags);
            TagAssignment after = tags;
            std::vector<NodeId> changed;
            for (const NodeId id : painted)
                if (model.isCall(id) && tags[id] != tag) {
                    after.tagOf[id.index()] = tag;
                    changed.push_back(id);
                }
            const TagReport report = checkTags(model.program, after);
            QCOMPARE(effect.ops, changed.size());
            QCOMPARE(effect.bytes, totalOf(model, changed).bytes);
            QCOMPARE(effect.backwardBefore, before.backward.size());
            QCOMPARE(effect.backwardAfter(), report.backward.size());
            QCOMPARE(effect.untaggedAfter, report.untagged.size());
            QCOMPARE(effect.isLegal(), report.isLegal());
            QCOMPARE(effect.wasLegal(), before.isLegal());
        }
    }

private:
    const Snapshot& snapshot() const { return *m_snapshot; }
    NodeId node(const char* called) const { return snapshot().graph().find(intern(called)); }
    std::vector<NodeId> all() const { return snapshot().graph().order(); }
    void tag(const std::vector<const char*>& called, std::int32_t tag)
    {
        for (const char* name : called)
            m_tags.tagOf[node(name).index()] = tag;
    }
    std::string legality(const std::vector<const char*>& called, std::int32_t tag) const
    {
        std::vector<NodeId> nodes;
        for (const char* name : called)
            nodes.push_back(node(name));
        return describeLegality(fillEffect(snapshot(), m_tags, nodes, tag));
    }
    Result<Fill> fill(FillRequest request, const std::vector<const char*>& pick)
    {
        std::vector<NodeId> nodes;
        for (const char* name : pick)
            nodes.push_back(node(name));
        request.pick = nodes;
        return fillOf(snapshot(), m_tags, request);
    }
    QString taken(FillRequest request, const std::vector<const char*>& pick)
    {
        const Result<Fill> found = fill(request, pick);
        if (!found)
            return QString::fromStdString("refused: " + found.error().message);
        m_fill = *found;
        QStringList names;
        for (const NodeId id : found->nodes)
            names << QString::fromStdString(snapshot().graph()[id].name.str());
        return names.join(' ');
    }
    QString refusal(FillRequest request, const std::vector<const char*>& pick)
    {
        const Result<Fill> found = fill(request, pick);
        return found ? QString() : QString::fromStdString(found.error().message);
    }

    std::unique_ptr<Snapshot> m_snapshot;
    TagAssignment m_tags;
    Fill m_fill;
};

const test::Registered<FillTest> fillTest("fill_test");
#include "fill_test.moc"
