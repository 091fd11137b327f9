#include "analysis/rules/module_pattern.h"
#include "analysis/rules/tag_rules.h"

#include "test_case.h"
#include "test_support.h"
#include "training_program.h"

#include <QTest>

using namespace sunder;

namespace {

const char* const kModel = "x = placeholder()\n"
                           "a = relu(x) @ layers.0 Block\n"
                           "b = tanh(a) @ layers.1 Block > layers.1.act Tanh\n"
                           "c = relu(b) @ layers.30 Block\n"
                           "d = add(c, a) @ head Head\n"
                           "e = neg(d)\n"
                           "output(e)\n";

QString painted(const std::vector<TagRule>& rules)
{
    const Snapshot snapshot(test::programFromText(kModel));
    const Result<PaintedRules> made = paintRules(snapshot, {rules}, {});
    if (!made)
        return QString::fromStdString(made.error().message);
    QStringList said;
    for (const NodeId id : snapshot.graph().nodes())
        if (const std::int32_t tag = made->tags[id]; tag >= 0)
            said << QString("%1:%2").arg(QString::fromStdString(snapshot.graph()[id].name.str()),
                                         QString::fromStdString(made->tags.order[static_cast<std::size_t>(tag)].str()));
    return said.join(' ');
}

} // namespace

/// Rules that assign tags.
class TagRulesTest final : public QObject {
    Q_OBJECT
private slots:
    void rulesLookAtTheForwardPassWhereTheBackwardPassFollows()
    {
        const Snapshot snapshot(test::trainingProgram());
        const TagRules rules{{{.op = "mm", .tag = "a"}}};
        const auto painted = [&](BackwardTags backward) {
            QStringList found;
            const Result<PaintedRules> made = paintRules(snapshot, rules, {}, backward);
            for (const NodeId id : made->effects[0].painted)
                found << QString::fromStdString(snapshot.graph()[id].name.str());
            return found.join(' ');
        };
        QCOMPARE(painted(BackwardTags::follow), QString("h0 h1 h2"));
        QCOMPARE(painted(BackwardTags::apart), QString("h0 h1 h2 bw_h2 bw_h2_1 bw_h1 bw_h1_1 bw_h0"));
    }

    void modulePatternsMean_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("is");
        const auto row = [](const char* pattern, const char* path, bool is) {
            QTest::addRow("%s, %s", pattern, path) << QString(pattern) << QString(path) << is;
        };
        row("layers.3", "layers.3", true);
        row("layers.3", "layers.3.mlp.up", true);
        row("layers.3", "layers.30", false);
        row("layers.3", "model.layers.3", false);
        row("**.layers.3", "model.layers.3", true);
        row("**.layers.3", "layers.3", true);
        row("layers.0-7", "layers.7.mlp", true);
        row("layers.0-7", "layers.8", false);
        row("layers.0–7", "layers.5", true);
        row("layers.0..7", "layers.5", true);
        row("layers.*.mlp", "layers.12.mlp.up", true);
        row("layers.*.mlp", "layers.12.attn", false);
        row("layers.*", "layers", false);
        row("*_proj", "q_proj", true);
        row("*_proj", "a.q_proj", false);
        row("**.*_proj", "a.b.q_proj", true);
        row("embed|head", "head.fc", true);
        row("a.**.z", "a.z", true);
        row("a.**.z", "a.b.c.z.d", true);
        row("a.**.z", "a.b.c", false);
        row("layers", "Layers", false);
        row("**", "", true);
        row("layers", "", false);
    }
    void modulePatternsMean()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, path);
        QFETCH(bool, is);
        const Result<ModulePattern> parsed = ModulePattern::parse(pattern.toStdString());
        QVERIFY(parsed);
        QCOMPARE(parsed->matches(path.toStdString()), is);
    }

    void refusesPatternsThatMeanNothing()
    {
        for (const char* pattern : {"layers..3", ".layers", "layers.", "layers.7-3", "a||b"})
            QVERIFY2(!ModulePattern::parse(pattern), pattern);
        std::string deep = "a";
        for (int i = 0; i < 100; ++i)
            deep += ".a";
        QVERIFY(!ModulePattern::parse(deep));
    }

    void laterRulesPaintOverEarlierOnes()
    {
        QCOMPARE(painted({{.module = "layers.0-1", .tag = "one"}, {.op = "tanh", .tag = "two"}}), QString("a:one b:two"));
        QCOMPARE(painted({{.op = "tanh", .tag = "two"}, {.module = "layers.0-1", .tag = "one"}}), QString("a:one b:one"));
    }

    void allThatARuleSaysHasToHold()
    {
        QCOMPARE(painted({{.module = "layers.*", .op = "relu", .tag = "t"}}), QString("a:t c:t"));
        QCOMPARE(painted({{.cls = "Block", .op = "tanh", .tag = "t"}}), QString("b:t"));
        QCOMPARE(painted({{.cls = "He*", .tag = "t"}}), QString("d:t"));
        QCOMPARE(painted({{.tag = "t"}}), QString("a:t b:t c:t d:t e:t"));
    }

    void anOpTakesTheTagOfWhatItReads()
    {
        const TagRule first{.module = "layers.0", .tag = "one"};
        const TagRule third{.module = "layers.30", .tag = "two"};
        QCOMPARE(painted({first, {.module = "layers.1"}}), QString("a:one b:one"));
        // the latest tag among its inputs
        QCOMPARE(painted({first, third, {.onlyUntagged = true}}), QString("a:one b:one c:two d:two e:two"));
        QCOMPARE(painted({{.module = "layers.1"}}), QString()); // its input has no tag
    }

    void aRuleAsksWhatAnOpReads()
    {
        QCOMPARE(painted({{.module = "layers.0", .tag = "one"}, {.reads = "one", .tag = "two"}}), QString("a:one b:two d:two"));
        QCOMPARE(painted({{.reads = "nobody", .tag = "two"}}), QString());
    }

    void saysWhatEachRuleTakes()
    {
        const Snapshot snapshot(test::programFromText(kModel));
        const auto made = paintRules(
            snapshot, {{{.module = "layers", .tag = "t"}, {.op = "relu", .tag = "u"}, {.op = "sin", .tag = "v"}}}, {});
        QCOMPARE(made->effects[0].matched, std::size_t{3});
        QCOMPARE(made->effects[0].painted.size(), std::size_t{1});
        QCOMPARE(made->effects[1].painted.size(), std::size_t{2});
        QCOMPARE(made->effects[2].matched, std::size_t{0});
    }

    void saysWhichRuleMeansNothing()
    {
        QCOMPARE(painted({{.tag = "t"}, {.module = "a..b", .tag = "t"}}),
                 QString("rule 2: \"module\" has an empty element; use ** for any module"));
        QVERIFY(painted({{.tag = "a.b"}}).contains("\"tag\" contains a dot"));
        QVERIFY(painted({{.op = "/(/", .tag = "t"}}).contains("\"op\""));
    }

    void whatIsPaintedByHandStandsOnTheRules()
    {
        const Snapshot snapshot(test::programFromText(kModel));
        const auto first = paintRules(snapshot, {{{.module = "layers", .tag = "one"}}}, {});
        TagAssignment tags = withGround({.tagOf = std::vector<std::int32_t>(snapshot.graph().idBound(), -1)}, {}, *first);
        const NodeId b = snapshot.names.find(intern("b"));
        const NodeId c = snapshot.names.find(intern("c"));
        tags.order.push_back(intern("hand"));
        tags.tagOf[b.index()] = 1;
        const std::vector<std::int32_t> ground = first->tags.tagOf;
        const auto second = paintRules(snapshot, {{{.module = "layers", .tag = "two"}}}, tags.order);
        const TagAssignment merged = withGround(tags, ground, *second);
        QCOMPARE(merged.order[static_cast<std::size_t>(merged[b])].str(), std::string("hand"));
        QCOMPARE(merged.order[static_cast<std::size_t>(merged[c])].str(), std::string("two"));
    }
};

const test::Registered<TagRulesTest> tagRulesTest("tag_rules_test");
#include "tag_rules_test.moc"
