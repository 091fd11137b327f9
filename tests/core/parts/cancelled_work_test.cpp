#include "analysis/cut/cut_graph.h"
#include "analysis/cut/node_sizes.h"
#include "analysis/run_order/memory_classes.h"
#include "analysis/search/find_nodes.h"
#include "analysis/snapshot.h"
#include "analysis/stages.h"
#include "counting_monitor.h"
#include "io/fx_json/fx_json_writer.h"
#include "io/model_file.h"
#include "io/pt2/pt2_writer.h"
#include "parts/export_parts.h"
#include "parts/part_checks.h"
#include "passes/deduplicate/deduplicate.h"
#include "passes/partition/size_based_partitioner.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/region_classes.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/to_exported/exported_form.h"
#include "passes/unflatten/unflatten.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <random>

using namespace sunder;
using sunder::test::CountingMonitor;

namespace {

constexpr std::int64_t kCalls = 12'000;

/// x → tanh → add → tanh → add …, in a hundred modules.
Program longProgram(std::int64_t calls = kCalls)
{
    Program program;
    program.addGraph(ModuleTree::root());
    Graph& graph = program.rootGraph();
    const Argument val = Argument::tensor(
        TensorMeta{.dtype = intern("float32"), .shape = {Argument::integer(4)}, .stride = Arguments{Argument::integer(1)}});
    const auto add = [&](Op op, const std::string& target, Arguments args, StackId stack) {
        NodeSpec spec{.op = op, .target = intern(target), .args = std::move(args)};
        spec.meta.val = val;
        spec.meta.modules = stack;
        return graph.create(std::move(spec));
    };
    const NodeId x = add(Op::placeholder, "x", {}, {});
    NodeId last = x;
    for (std::int64_t i = 0; i < calls; ++i) {
        if (i % (calls / 100) == 0) {
            const InternedString path = intern("layer" + std::to_string(program.stacks.size()));
            program.modules.ensure(path.view());
            program.stacks.push_back({{intern("L__self__"), {}, intern("Net")}, {path, path, intern("Layer")}});
        }
        const StackId stack(program.stacks.size() - 1);
        last = i % 2 == 0 ? add(Op::callFunction, "torch.ops.aten.tanh.default", {Argument::node(last)}, stack)
                          : add(Op::callFunction, "torch.ops.aten.add.Tensor", {Argument::node(last), Argument::node(x)}, stack);
    }
    graph.create({.op = Op::output, .target = intern("output"), .args = {Argument::node(last)}});
    return program;
}

/// A cancellable operation; returns its error, if any.
using Work = std::function<std::optional<Error>(ProgressMonitor&)>;
using LargeWork = std::function<void(const Program&, CountingMonitor&)>;

template <typename T>
std::optional<Error> errorOf(const Result<T>& made)
{
    return made ? std::nullopt : std::optional(made.error());
}

} // namespace

Q_DECLARE_METATYPE(Work)
Q_DECLARE_METATYPE(LargeWork)

class CancelledWorkTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_plain = longProgram();
        const Result<ExportedForm> form = exportedForm(m_plain);
        QVERIFY2(form.has_value(), form ? "" : describe(form.error()).c_str());
        m_exported = form->program;
        QVERIFY(writeFxJson(m_plain, path("plain.fxj")).has_value());
        QVERIFY(writePt2(m_exported, path("exported.pt2")).has_value());
        m_split = *splitByTags(m_exported, *consecutiveStages(m_exported, 3));
    }

    void asksOftenAndEndsWhenItIsTold_data()
    {
        QTest::addColumn<Work>("work");
        const auto row = [](const char* name, const Work& work) { QTest::newRow(name) << work; };
        row("reading fx-json", [this](auto& monitor) { return errorOf(readModel(path("plain.fxj"), {}, monitor)); });
        row("reading a .pt2", [this](auto& monitor) { return errorOf(readModel(path("exported.pt2"), {}, monitor)); });
        row("writing fx-json", [this](auto& monitor) { return errorOf(writeFxJson(m_plain, path("out.fxj"), monitor)); });
        row("writing a .pt2", [this](auto& monitor) { return errorOf(writePt2(m_exported, path("out.pt2"), {}, monitor)); });
        row("making an exported program", [this](auto& monitor) { return errorOf(exportedForm(m_plain, monitor)); });
        row("looking a program through", [this](auto& monitor) { return errorOf(Snapshot::build(m_exported, monitor)); });
        row("tables of a cut", [this](auto& monitor) { return errorOf(cutGraph(m_exported, monitor)); });
        addLookUps();
        row("stages", [this](auto& monitor) {
            return errorOf(consecutiveStages(m_exported, 3, StageMeasure::bytes, BackwardTags::follow, monitor));
        });
        row("split",
            [this](auto& monitor) { return errorOf(splitByTags(m_exported, *consecutiveStages(m_exported, 3), {}, monitor)); });
        row("verify", [this](auto& monitor) { return errorOf(verifyResult(m_exported, m_split.program, monitor)); });
        row("partition", [this](auto& monitor) {
            return errorOf(
                sizeBasedPartition(m_exported, std::vector<Device>(3, {.name = "d", .availableBytes = 1e9}), {}, monitor));
        });
        row("unflatten", [this](auto& monitor) { return errorOf(unflatten(m_exported, {}, monitor)); });
        row("regions", [this](auto& monitor) { return errorOf(findRegions(m_exported, {}, monitor)); });
        row("dedup", [this](auto& monitor) { return errorOf(ProvableDedup(m_exported, {}).attempt(monitor)); });
        row("refused parts", [this](auto& monitor) {
            return errorOf(partFormRefusals(m_plain, *splitByTags(m_plain, *consecutiveStages(m_plain, 3)), 10, monitor));
        });
        row("parts", [this](auto& monitor) {
            return errorOf(exportParts(m_exported, m_split, path("parts"), {.proof = Proof::proven}, monitor));
        });
    }
    void asksOftenAndEndsWhenItIsTold()
    {
        QFETCH(Work, work);
        CountingMonitor whole;
        QVERIFY(!work(whole).has_value());
        QVERIFY2(whole.questions() >= kCalls / 4096, qPrintable(QString::number(whole.questions())));
        std::mt19937 random(7); // NOLINT: the same moments in every run
        for (int i = 0; i < 4; ++i) {
            const std::size_t moment = random() % whole.questions();
            CountingMonitor stopped(moment);
            const std::optional<Error> error = work(stopped);
            QVERIFY2(error && error->code == ErrorCode::cancelled, qPrintable(QString::number(moment)));
            constexpr std::size_t kMoreQuestions = 8;
            QVERIFY2(stopped.questions() <= moment + 1 + kMoreQuestions,
                     qPrintable(QString::number(stopped.questions() - moment)));
        }
    }

    /// The number of checks must grow with the program, or a cancel would take longer in larger programs.
    void asksMoreOftenOfALargerProgram_data()
    {
        QTest::addColumn<LargeWork>("work");
        const auto row = [](const char* name, const LargeWork& work) { QTest::newRow(name) << work; };
        row("reading fx-json", [this](const Program& program, auto& monitor) {
            QVERIFY(writeFxJson(program, path("sized.fxj")).has_value());
            QVERIFY(readModel(path("sized.fxj"), {}, monitor).has_value());
        });
        row("reading a .pt2", [this](const Program& program, auto& monitor) {
            QVERIFY(writePt2(program, path("sized.pt2")).has_value());
            QVERIFY(readModel(path("sized.pt2"), {}, monitor).has_value());
        });
        row("looking a program through",
            [](const Program& program, auto& monitor) { QVERIFY(Snapshot::build(program, monitor).has_value()); });
        row("tables of a cut", [](const Program& program, auto& monitor) { QVERIFY(cutGraph(program, monitor).has_value()); });
        row("stages", [](const Program& program, auto& monitor) {
            QVERIFY(consecutiveStages(program, 3, StageMeasure::bytes, BackwardTags::follow, monitor).has_value());
        });
        row("regions", [](const Program& program, auto& monitor) { QVERIFY(findRegions(program, {}, monitor).has_value()); });
        row("verify", [](const Program& program, auto& monitor) {
            QCOMPARE(verifyResult(program, program, monitor)->verdict, Verdict::same);
        });
        row("partition", [](const Program& program, auto& monitor) {
            const std::vector<Device> devices(3, {.name = "d", .availableBytes = 1e9});
            QVERIFY(sizeBasedPartition(program, devices, {}, monitor).has_value());
        });
        row("unflatten", [](const Program& program, auto& monitor) { QVERIFY(unflatten(program, {}, monitor).has_value()); });
        row("dedup",
            [](const Program& program, auto& monitor) { QVERIFY(ProvableDedup(program, {}).attempt(monitor).has_value()); });
    }
    void asksMoreOftenOfALargerProgram()
    {
        QFETCH(LargeWork, work);
        const Result<ExportedForm> larger = exportedForm(longProgram(2 * kCalls));
        QVERIFY(larger.has_value());
        CountingMonitor few;
        work(m_exported, few);
        CountingMonitor many;
        work(larger->program, many);
        QVERIFY2(many.questions() >= few.questions() + kCalls / 4096,
                 qPrintable(QStringLiteral("%1, then %2").arg(few.questions()).arg(many.questions())));
    }

private:
    /// Rows of the look-ups that other work is made of.
    void addLookUps()
    {
        const auto row = [](const char* name, const Work& work) { QTest::newRow(name) << work; };
        row("names of nodes", [this](auto& monitor) { return errorOf(NodeIndex::build(m_exported.rootGraph(), monitor)); });
        row("tensors of nodes", [this](auto& monitor) { return errorOf(tensorsOfNodes(m_exported, monitor)); });
        row("memories that nodes read",
            [this](auto& monitor) { return errorOf(MemoryReads::build(m_exported, memoryTable(m_exported.tensors), monitor)); });
        row("sizes of nodes", [this](auto& monitor) { return errorOf(nodeSizes(m_exported, monitor)); });
        row("backward pass", [this](auto& monitor) { return errorOf(trainingGraph(m_exported, monitor)); });
        row("memory classes", [this](auto& monitor) {
            const RankedGraph ranked = *RankedGraph::of(m_exported.rootGraph());
            return errorOf(MemoryClasses::build(m_exported, ranked, MemoryClasses::Doubt::merge, monitor));
        });
        row("classes of equal nodes", [this](auto& monitor) {
            const RankedGraph ranked = *RankedGraph::of(m_exported.rootGraph());
            return errorOf(structuralClasses(ranked, monitor));
        });
        row("search", [this](auto& monitor) {
            return errorOf(findNodes(Snapshot(Program(m_exported)), {}, *parseQuery("op:tanh"), monitor));
        });
    }

    [[nodiscard]] std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
    Program m_plain;
    Program m_exported;
    SplitResult m_split;
};

const test::Registered<CancelledWorkTest> cancelledWorkTest("cancelled_work_test");
#include "cancelled_work_test.moc"
