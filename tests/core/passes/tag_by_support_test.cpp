#include "counting_monitor.h"
#include "ir/tensor_meta.h"
#include "passes/support/support_report.h"

#include "test_case.h"
#include "test_support.h"
#include "typed_program.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// A chain in which topk and erf separate supported ops, with tensors of 8 × 4 bytes.
Program chainOfOps()
{
    return programFromText(
        "x = placeholder()\na = relu(x) : 8\nb = relu(a) : 8\nc = topk(b) : 8\nd = relu(c) : 8\ne = relu(d) : 8\n"
        "f = erf(e) : 8\ng = topk(f) : 8\nh = relu(g) : 8\ni = relu(h) : 8\noutput(i)");
}

SupportRules supporting(std::initializer_list<const char*> operators)
{
    SupportRules rules;
    for (const char* name : operators)
        rules.supported.push_back(intern(std::string("torch.ops.test.") + name));
    return rules;
}

/// Returns "acc: a b; cpu: c".
QString supportPartsText(const SupportGraph& graph, const Result<SupportParts>& parts)
{
    if (!parts)
        return QString::fromStdString(parts.error().message);
    QStringList texts;
    for (std::uint32_t part = 0; part < parts->isAccelerator.size(); ++part) {
        texts << (parts->isAccelerator[part] != 0 ? "acc:" : "cpu:");
        for (std::uint32_t at = 0; at < graph.size(); ++at)
            if (parts->partOf[at] == part)
                texts.last() += ' ' + QString::fromStdString(graph.graph[graph.nodes[at]].name.str());
    }
    return texts.join("; ");
}

QString run(const Program& program, const SupportRules& rules, const SupportOptions& options)
{
    const SupportGraph graph(program);
    return supportPartsText(graph, supportParts(graph, SupportedOps(program, rules), options));
}

constexpr SupportMethod kSplitter = SupportMethod::splitter;

} // namespace

/// Tags by what an accelerator supports, beyond the conformance cases.
class TagBySupportTest final : public QObject {
    Q_OBJECT

private slots:
    void cutsAroundUnsupportedOps()
    {
        const QString wanted = "acc: a b; cpu: c; acc: d e; cpu: f g; acc: h i";
        QCOMPARE(run(chainOfOps(), supporting({"relu"}), {}), wanted);
        QCOMPARE(run(chainOfOps(), supporting({"relu"}), {.method = kSplitter}), wanted);
    }

    void dissolvesSmallGroups()
    {
        QCOMPARE(run(chainOfOps(), supporting({"topk"}), {}), QString("cpu: a b c d e f g h i"));
        QCOMPARE(run(chainOfOps(), supporting({"topk"}), {.allowsSingleNodePartition = true}),
                 QString("cpu: a b; acc: c; cpu: d e f; acc: g; cpu: h i"));
    }

    void joinsSmallPartsOfTheSplitter()
    {
        QCOMPARE(run(chainOfOps(), supporting({"topk"}), {.method = kSplitter, .minAccModuleSize = 2}),
                 QString("cpu: a b c d e f g h i"));
    }

    void refusesTooManyParts()
    {
        QCOMPARE(run(chainOfOps(), supporting({"relu"}), {.method = kSplitter, .maxAccSplits = 4}),
                 QString("the split has 5 parts, but max_acc_splits is 4"));
    }

    void namesParts()
    {
        const Program program = chainOfOps();
        const SupportGraph graph(program);
        const TagAssignment tags = supportTags(graph, *supportParts(graph, SupportedOps(program, supporting({"relu"})), {}));
        QCOMPARE(tags.order[1].view(), std::string_view("_run_on_cpu_1"));
        QCOMPARE(tags.order[4].view(), std::string_view("_run_on_acc_4"));
        QCOMPARE(tags[graph.nodes[0]], TagAssignment::kUntagged);
    }

    void keepsSizesOnOneSide()
    {
        const Program program = programWithTensors(
            "t = placeholder()\nta = relu(t)\nsize = size(ta)\ntb = view(ta, size)\noutput(tb)", "t");
        QCOMPARE(run(program, supporting({"relu", "size"}), {.method = kSplitter}), QString("acc: ta; cpu: size tb"));
        QCOMPARE(run(program, supporting({"relu", "size"}), {.method = kSplitter, .skipFusion = true, .allowNonTensor = true}),
                 QString("acc: ta size; cpu: tb"));
    }

    void explainsBreaks()
    {
        const Program program = chainOfOps();
        const SupportGraph graph(program);
        SupportRules rules = supporting({"relu", "erf"});
        const SupportedOps supported(program, rules);
        const Result<SupportParts> parts = supportParts(graph, supported, {});
        QCOMPARE(supportPartsText(graph, parts), QString("acc: a b; cpu: c; acc: d e f; cpu: g; acc: h i"));
        const std::vector<SupportBreak> breaks = supportBreaks(graph, supported, *parts);
        QCOMPARE(breaks.size(), 2U);
        QCOMPARE(breaks[0].before, 2U);
        QCOMPARE(breaks[1].unsupported, std::vector<NodeId>{program.rootGraph().find(intern("g"))});
        QVERIFY(breaks[1].other.empty());
        QCOMPARE(supportFigures(graph, *parts), (SupportFigures{.partitions = 5, .nodes = 7, .bytes = 4 * 8 * 4}));
    }

    void ranksOperatorsToSupportNext()
    {
        const Program program = chainOfOps();
        const SupportGraph graph(program);
        const Result<std::vector<SupportStep>> steps = supportNext(graph, SupportedOps(program, supporting({"relu"})), {},
                                                                   kSupportSteps);
        QVERIFY(steps);
        QCOMPARE(steps->size(), 2U);
        QCOMPARE(steps->front().name.view(), std::string_view("torch.ops.test.topk"));
        QCOMPARE(steps->front().figures.partitions, 3U);
        QCOMPARE(steps->back().figures, (SupportFigures{.partitions = 1, .nodes = 9, .bytes = 0}));
    }

    void offersNoOperatorThatMakesNoDifference()
    {
        const Program program = chainOfOps();
        SupportRules rules = supporting({"relu"});
        rules.unsupportedNodes = {intern("f")};
        rules.dtypes.push_back({intern("torch.ops.test.topk"), {.args = {std::vector<SupportKind>{}}, .kwargs = {}}});
        QVERIFY(SupportedOps(program, rules).candidates().empty());
        rules.dtypes.back().second.args = {std::vector<SupportKind>{{true, intern("float32")}}};
        QCOMPARE(SupportedOps(program, rules).candidates().size(), 1U);
    }

    void saysWhyAnOpIsNotSupported()
    {
        const Program program = chainOfOps();
        const NodeId op = program.rootGraph().find(intern("c"));
        SupportRules rules = supporting({"relu"});
        QCOMPARE(whyUnsupported(program, rules, op), std::string("its operator is not supported"));
        rules.dtypes = {{intern("torch.ops.test.topk"), {.args = {std::vector<SupportKind>{}}, .kwargs = {}}}};
        QCOMPARE(whyUnsupported(program, rules, op), std::string("b is float32, which dtypes does not list for its operator"));
        rules.declinedInputs = {{true, intern("float32")}};
        QCOMPARE(whyUnsupported(program, rules, op), std::string("b is float32, which declined_input_dtypes lists"));
        rules.unsupportedNodes = {intern("c")};
        QCOMPARE(whyUnsupported(program, rules, op), std::string("unsupported_nodes lists it"));
    }

    void listsOperators()
    {
        const Program program = chainOfOps();
        const std::vector<ModelOperator> operators = modelOperators(program, SupportedOps(program, supporting({"relu"})));
        QCOMPARE(operators.size(), 3U);
        QCOMPARE(operators[1].name.view(), std::string_view("torch.ops.test.relu"));
        QCOMPARE(operators[1].ops, 6U);
        QCOMPARE(operators[1].supported, 6U);
        QCOMPARE(operators[1].bytes, 6U * 8 * 4);
        QCOMPARE(operators[1].dtypes, std::vector<InternedString>{intern("float32")});
        QCOMPARE(operators[2].supported, 0U);
    }

    void stopsWhenCanceled()
    {
        const Program program = chainOfOps();
        const SupportGraph graph(program);
        CountingMonitor monitor(0);
        const auto steps = supportNext(graph, SupportedOps(program, supporting({"relu"})), {}, kSupportSteps, monitor);
        QVERIFY(!steps);
        QCOMPARE(steps.error().code, ErrorCode::cancelled);
    }
};

const test::Registered<TagBySupportTest> tagBySupportTest("tag_by_support_test");
#include "tag_by_support_test.moc"
