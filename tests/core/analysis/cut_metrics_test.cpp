#include "analysis/cut/compare_cuts.h"
#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/cut_text.h"
#include "analysis/cut/device_load.h"
#include "analysis/cut/move_preview.h"
#include "analysis/cut/part_measure.h"
#include "analysis/cut/storage_extent.h"
#include "io/side_files/cut_report_writer.h"
#include "parameter_chain.h"
#include "support/format.h"
#include "test_case.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace sunder;

namespace {

NodeId node(const Program& program, const char* name)
{
    return program.rootGraph().find(intern(name));
}

/// Assigns the calls of "a b | c d" to parts p0, p1, …
TagAssignment cut(const Program& program, const std::string& text)
{
    TagAssignment tags;
    tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    tags.order.push_back(intern("p0"));
    for (const QString& word : QString::fromStdString(text).split(u' ', Qt::SkipEmptyParts)) {
        if (word == QStringLiteral("|"))
            tags.order.push_back(intern("p" + std::to_string(tags.order.size())));
        else
            tags.tagOf[node(program, word.toStdString().c_str()).index()] = static_cast<std::int32_t>(tags.order.size()) - 1;
    }
    return tags;
}

std::string moves(const Program& program, const CutComparison& comparison)
{
    std::string text;
    for (const MovedNode& moved : comparison.moved)
        text += program.rootGraph()[moved.node].name.str() + " " + std::to_string(moved.before) + ">"
            + std::to_string(moved.after) + " ";
    return text;
}

} // namespace

class CutMetricsTest final : public QObject {
    Q_OBJECT
private slots:
    void measuresParts()
    {
        const Program program = test::parameterChain();
        const CutMetrics metrics = cutMetrics(program, cut(program, "a b | c d"));
        QCOMPARE(metrics.parts.size(), std::size_t{2});
        const PartSizes first{.ops = 2,
                              .parameterBytes = 400,
                              .duplicatedBytes = 400,
                              .activationPeakBytes = 80,
                              .activationSumBytes = 80,
                              .inputBytes = 40,
                              .programInputBytes = 40,
                              .outputBytes = 40};
        QVERIFY(metrics.parts[0].sizes == first);
        const PartSizes second{.ops = 2,
                               .parameterBytes = 480,
                               .duplicatedBytes = 400,
                               .activationPeakBytes = 60,
                               .activationSumBytes = 60,
                               .inputBytes = 40,
                               .programInputBytes = 0,
                               .outputBytes = 20};
        QVERIFY(metrics.parts[1].sizes == second);
        QCOMPARE(metrics.parts[1].sizes.usedBytes(), std::uint64_t{580});
        QVERIFY(metrics.parts[0].peakAt == node(program, "b"));
    }

    void measuresAWholeProgram()
    {
        const Program program = test::parameterChain();
        const auto nodes = program.rootGraph().nodes();
        const PartMetrics whole = measureNodes(cutGraph(program), std::vector<NodeId>(nodes.begin(), nodes.end()));
        QCOMPARE(whole.sizes.ops, std::size_t{4});
        QCOMPARE(whole.sizes.residentBytes(), std::uint64_t{480 + 40});
        QCOMPARE(whole.sizes.usedBytes(), std::uint64_t{480 + 40 + 80});
        QVERIFY(whole.peakAt == node(program, "b"));
    }

    void measuresCutEdgesAndTotals()
    {
        const Program program = test::parameterChain();
        const CutMetrics metrics = cutMetrics(program, cut(program, "a b | c d"));
        QCOMPARE(metrics.cutEdges.size(), std::size_t{1});
        QVERIFY(metrics.cutEdges[0] == (CutEdge{.from = 0, .to = 1, .values = {{node(program, "b"), 40, true}}, .bytes = 40}));
        QCOMPARE(metrics.cutBytes, std::uint64_t{40});
        QCOMPARE(metrics.parameterBytes, std::uint64_t{480});
        QCOMPARE(metrics.duplicatedBytes, std::uint64_t{400});
        QCOMPARE(metrics.largest, 1);
        QCOMPARE(metrics.imbalance, 580.0 / 550.0);
        QCOMPARE(metrics.bound.bytes, std::uint64_t{560});
        QVERIFY(metrics.bound.reason == PartBound::Reason::call);
        QVERIFY(metrics.bound.call == node(program, "c"));
        QCOMPARE(*metrics.gap(), 20.0 / 560.0);
    }

    void saysWhatItFound()
    {
        const Program program = test::parameterChain();
        const CutMetrics metrics = cutMetrics(program, cut(program, "a b | c d"));
        QCOMPARE(describeTotals(metrics),
                 std::string("cut 40 B · largest p1 580 B · memory imbalance 1.05 · memory at most 4% above optimal"));
        QCOMPARE(describeBound(metrics, program.rootGraph()),
                 std::string("no cut into 2 parts has a largest part below 560 B: c alone needs that much"));
        QCOMPARE(describe(metrics.cutEdges[0].values[0], program.rootGraph()), std::string("b: f32[10], 40 B"));
    }

    void namesTheDeviceThatHoldsMost()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const TagAssignment tags = cut(program, "a b | c d");
        const CutMetrics metrics = cutMetrics(graph, tags);
        const std::vector<Device> devices{{.name = "idle", .availableBytes = 1000, .logicalId = 0},
                                          {.name = "both", .availableBytes = 2000, .logicalId = 1}};
        QCOMPARE(describeTotals(metrics, devices, deviceLoads(graph, tags, metrics, devices, {{1}, {1}})),
                 "cut 40 B · largest device both "
                     + formatBytes(cutMetrics(graph, cut(program, "a b c d")).parts[0].sizes.usedBytes())
                     + " · memory imbalance 1.00 · memory at most 4% above optimal"); // as a single part
        QCOMPARE(describeTotals(metrics, devices, deviceLoads(graph, tags, metrics, devices, {{}, {}})), describeTotals(metrics));
    }

    void partsLieOnDevicesInOrder()
    {
        const Program program = test::parameterChain();
        const std::vector<Device> devices{{.name = "a", .logicalId = 7}, {.name = "b", .logicalId = 3}};
        using Places = std::vector<std::vector<std::int64_t>>;
        QVERIFY(devicesInOrder(cutMetrics(program, cut(program, "a | b c | d")), devices) == (Places{{7}, {3}, {}}));
        QVERIFY(devicesInOrder(cutMetrics(program, cut(program, "a | | d")), devices) == (Places{{7}, {}, {3}}));
        QVERIFY(devicesInOrder(cutMetrics(program, cut(program, "a | b")), {}) == (Places{{}, {}}));
    }

    void writesAReport()
    {
        const Program program = test::parameterChain();
        const CutMetrics metrics = cutMetrics(program, cut(program, "a b | c d"));
        const QJsonObject report = QJsonDocument::fromJson(QByteArray::fromStdString(cutReportJson(program, metrics))).object();
        const QJsonObject totals = report[QStringLiteral("totals")].toObject();
        QCOMPARE(totals[QStringLiteral("largest")].toString(), QStringLiteral("p1"));
        QCOMPARE(totals[QStringLiteral("duplicated")].toInt(), 400);
        QCOMPARE(report[QStringLiteral("parts")].toArray().at(1).toObject()[QStringLiteral("used")].toInt(), 580);
        const QJsonObject cutEdge = report[QStringLiteral("ribbons")].toArray().at(0).toObject();
        QCOMPARE(cutEdge[QStringLiteral("values")].toArray().at(0).toObject()[QStringLiteral("shape")].toString(),
                 QStringLiteral("10"));
    }

    void countsAValueOncePerPair()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = f(x) : 10
            b = g(a) : 1
            c = h(a, b) : 1
            d = h(a, c) : 1
            out = output(d))");
        const CutMetrics metrics = cutMetrics(program, cut(program, "a | b c | d"));
        QCOMPARE(metrics.cutBytes, std::uint64_t{40 + 40 + 4});
        QCOMPARE(metrics.crossingBytes, std::uint64_t{40 + 4});
        QCOMPARE(metrics.cutEdges.size(), std::size_t{3});
        QCOMPARE(metrics.parts[1].sizes.inputBytes, std::uint64_t{40});
    }

    void marksBackwardCutEdges()
    {
        const Program program = test::parameterChain();
        const CutMetrics metrics = cutMetrics(program, cut(program, "c d | a b"));
        QVERIFY(metrics.cutEdges.at(0).isBackward());
        QCOMPARE(metrics.backwardBytes, std::uint64_t{40});
    }

    void freesWhatNobodyReadsAgain()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = f(x) : 100
            b = f(a) : 10
            c = f(b) : 10
            d = f(c) : 10
            out = output(d))");
        const PartSizes sizes = cutMetrics(program, cut(program, "a b c d")).parts[0].sizes;
        QCOMPARE(sizes.activationPeakBytes, std::uint64_t{440}); // a and b
        QCOMPARE(sizes.activationSumBytes, std::uint64_t{520});
    }

    void keepsToTheEndWhatLeaves()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = f(x) : 100
            b = f(a) : 10
            c = f(b) : 10
            d = g(a, c) : 10
            out = output(d))");
        QCOMPARE(cutMetrics(program, cut(program, "a b c | d")).parts[0].sizes.activationPeakBytes, std::uint64_t{480});
    }

    void keepsToTheEndWhatNothingReads()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = f(x) : 100
            b = f(x) : 10
            c = f(b) : 10
            out = output(c))");
        const PartSizes sizes = cutMetrics(program, cut(program, "a b c")).parts[0].sizes;
        QCOMPARE(sizes.activationPeakBytes, std::uint64_t{480}); // a stays, as in torch._inductor's estimator
    }

    void aWholeProgramHoldsWhatNothingReads()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 1
            unread = placeholder() : 100
            a = f(x) : 10
            out = output(a))");
        std::vector<MemoryPoint> curve;
        const PartMetrics whole = measureProgram(cutGraph(program), &curve);
        QCOMPARE(whole.sizes.residentBytes(), std::uint64_t{404});
        QCOMPARE(whole.sizes.usedBytes(), std::uint64_t{444});
        QCOMPARE(curve.size(), std::size_t{1});
        QVERIFY(curve[0].call == node(program, "a"));
        QCOMPARE(curve[0].bytes, std::uint64_t{40});
        QCOMPARE(cutMetrics(program, cut(program, "a")).parts[0].sizes.residentBytes(), std::uint64_t{4});
    }

    void stridesDecideWhetherAReshapeIsAView()
    {
        const auto tensor = [](std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
            const auto numbers = [](const std::vector<std::int64_t>& of) {
                std::vector<Argument> out;
                for (const std::int64_t each : of)
                    out.push_back(Argument::integer(each));
                return Arguments(out.begin(), out.end());
            };
            return TensorMeta{.dtype = intern("float32"), .shape = numbers(sizes), .stride = numbers(strides)};
        };
        const TensorMeta plain = tensor({2, 3, 4}, {12, 4, 1});
        QVERIFY(hasStridesOfView(plain, tensor({6, 4}, {4, 1})));
        QVERIFY(hasStridesOfView(plain, tensor({2, 1, 12}, {12, 12, 1})));
        QVERIFY(hasStridesOfView(plain, plain));
        const TensorMeta turned = tensor({2, 4, 3}, {12, 1, 4});
        QVERIFY(!hasStridesOfView(turned, tensor({8, 3}, {3, 1}))); // reshape copies
        QVERIFY(!hasStridesOfView(turned, tensor({2, 4, 3}, {12, 3, 1}))); // contiguous copies
        QVERIFY(hasStridesOfView(turned, tensor({2, 2, 2, 3}, {12, 2, 1, 4})));
        QVERIFY(hasStridesOfView(tensor({}, {}), tensor({1, 1}, {1, 1})));
        QVERIFY(!hasStridesOfView(plain, tensor({6, 5}, {5, 1})));
        TensorMeta unknown = plain;
        unknown.stride.reset();
        QVERIFY(!hasStridesOfView(plain, unknown));
        QCOMPARE(extentBytes(plain), std::optional<std::uint64_t>(96));
        QCOMPARE(extentBytes(unknown), std::optional<std::uint64_t>(96));
        QCOMPARE(extentBytes(tensor({5, 4}, {0, 1})), std::optional<std::uint64_t>(16)); // expanded
        QCOMPARE(extentBytes(tensor({2, 3}, {10, 1})), std::optional<std::uint64_t>(52)); // with gaps
        QCOMPARE(extentBytes(tensor({0, 3}, {3, 1})), std::optional<std::uint64_t>(0));
    }

    void viewsTakeNoMemory()
    {
        Program program = test::programFromText(R"(
            x = placeholder() : 10
            a = f(x) : 100
            b = f(a) : 100
            c = f(b) : 100
            d = f(c) : 100
            out = output(d))");
        Graph& graph = program.rootGraph();
        graph.setTarget(node(program, "b"), intern("torch.ops.aten.transpose.int"), {});
        graph.setTarget(node(program, "c"), intern("torch.ops.aten.relu_.default"), {});
        const PartSizes sizes = cutMetrics(program, cut(program, "a b c d")).parts[0].sizes;
        QCOMPARE(sizes.activationSumBytes, std::uint64_t{800});
        QCOMPARE(sizes.activationPeakBytes, std::uint64_t{800});
        // A view of a value from another part adds no memory.
        QCOMPARE(cutMetrics(program, cut(program, "a | b c d")).parts[1].sizes.activationSumBytes, std::uint64_t{400});
    }

    void itemsOfATupleLieInIt()
    {
        Program program = test::programFromText(R"(
            x = placeholder() : 1
            p = topk(x)
            a = getitem(p, 0) : 100
            b = getitem(p, 1) : 10
            c = f(b) : 50
            out = output(c))");
        Graph& graph = program.rootGraph();
        for (const char* name : {"a", "b"})
            graph.setTarget(node(program, name), intern("_operator.getitem"), {});
        graph.meta(node(program, "p")).val = Argument::tuple(
            {*graph[node(program, "a")].meta.val, *graph[node(program, "b")].meta.val});
        const PartSizes sizes = cutMetrics(program, cut(program, "p a b c")).parts[0].sizes;
        QCOMPARE(sizes.activationSumBytes, std::uint64_t{640});
        QCOMPARE(sizes.activationPeakBytes, std::uint64_t{440}); // the first item is freed before c
        // A part receives and returns only the items that are taken and used, as its exported program does.
        const CutMetrics apart = cutMetrics(program, cut(program, "p | b c"));
        QCOMPARE(apart.parts[0].sizes.activationPeakBytes, std::uint64_t{440});
        QCOMPARE(apart.parts[1].sizes.inputBytes, std::uint64_t{40});
        QCOMPARE(cutMetrics(program, cut(program, "p | a b c")).parts[1].sizes.inputBytes, std::uint64_t{40}); // nothing uses a
    }

    void equalStoragesAreOnePiece()
    {
        Program program = test::programFromText(R"(
            x = placeholder() : 1
            a = f(x) : 100
            b = reshape(a) : 100
            out = output(b))");
        for (const char* name : {"a", "b"}) {
            NodeMeta& meta = program.rootGraph().meta(node(program, name));
            TensorMeta tensor = meta.val->asTensor();
            tensor.storage = intern("v1");
            meta.val = Argument::tensor(std::make_shared<const TensorMeta>(tensor));
        }
        QCOMPARE(cutMetrics(program, cut(program, "a b")).parts[0].sizes.activationSumBytes, std::uint64_t{400});
    }

    void namesWhatIsUnknown()
    {
        Program program = test::programFromText(R"(
            x = placeholder() : 1
            w = get_attr[m.w]()
            a = f(x, w)
            b = f(a) : 10
            out = output(b))");
        program.modules.ensure("m");
        program.tensors.add({.fqn = intern("m.w"), .persistent = true});
        program.tensors[TensorId(0U)].meta.dtype = intern("float32");
        program.tensors[TensorId(0U)].meta.shape = {Argument::symbolic({intern("u0"), SymbolKind::integer, {}})};
        const CutMetrics metrics = cutMetrics(program, cut(program, "a | b"));
        QVERIFY(metrics.parts[0].unknownValues == std::vector{node(program, "a")});
        QVERIFY(metrics.parts[1].unknownValues == std::vector{node(program, "a")});
        QVERIFY(metrics.parts[0].unknownTensors == std::vector{TensorId(0U)});
        QCOMPARE(metrics.unknownCrossings, std::size_t{1});
        QVERIFY(!metrics.cutEdges[0].values[0].isKnown);
    }

    void addsUpDevices()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const TagAssignment tags = cut(program, "a | b c | d");
        const CutMetrics metrics = cutMetrics(graph, tags);
        const std::vector<Device> devices = {{"cuda:0", 500.5, 3}, {"cuda:1", -1, 4}};
        const std::vector<PartitionDagNode> dag = {{.submodule = intern("p1"), .devices = {3, 4}},
                                                   {.submodule = intern("p0"), .devices = {3}},
                                                   {.submodule = intern("p2"), .devices = {7}}};
        const std::vector<DeviceLoad> loads = deviceLoads(graph, tags, metrics, devices, devicesOfParts(metrics, dag));
        // Equal to a single part with the calls of both.
        QCOMPARE(loads[0].usedBytes(), cutMetrics(graph, cut(program, "a b c | d")).parts[0].sizes.usedBytes());
        QVERIFY(loads[0].usedBytes() < metrics.parts[0].sizes.usedBytes() + metrics.parts[1].sizes.usedBytes());
        QCOMPARE(loads[0].overflowBytes(), loads[0].usedBytes() - 500);
        QCOMPARE(loads[1].overflowBytes(), std::uint64_t{0});
    }

    void addsUpWhatTorchCounts()
    {
        const std::vector<Device> devices = {{"a", 100, 3}, {"b", 100, 4}, {"c", 100, 5}};
        const std::vector<PartitionDagNode> dag = {{.submodule = intern("p"), .devices = {3, 4}, .usedBytes = 40},
                                                   {.submodule = intern("q"), .devices = {3}, .usedBytes = 7}};
        const auto counts = torchCounts(devices, dag);
        QVERIFY(counts == (std::vector<std::optional<std::uint64_t>>{47, 40, std::nullopt}));
        QCOMPARE(describeTorchCount(524'100), std::string("PyTorch counts 524.1 kB: no value is freed"));
    }

    void previewsAMove()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const TagAssignment tags = cut(program, "a b | c d");
        const MovePreviewer previewer(graph, tags);
        const MovePreview preview = previewer.preview(std::vector{node(program, "b"), node(program, "w")}, 1);
        QVERIFY(preview.moved == std::vector{node(program, "b")});
        QVERIFY(preview.isLegal());
        QCOMPARE(preview.cutBytesAfter, std::uint64_t{40});
        QCOMPARE(preview.cutEdges.size(), std::size_t{0}); // another value of the same size
        QCOMPARE(preview.parts.size(), std::size_t{2});
        QCOMPARE(describe(preview, program.rootGraph(), tags),
                 std::string("does not change the cut size; p0 shrinks by 40 B; p1 grows by 20 B"));
    }

    void aPreviewCanBeCancelled()
    {
        class Stop final : public ProgressMonitor {
            void report(double, std::string_view) override {}
            [[nodiscard]] bool isCancelled() const override { return true; }
        };
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const TagAssignment tags = cut(program, "a b | c d");
        const MovePreviewer previewer(graph, tags);
        const std::vector<NodeId> nodes{node(program, "b")};
        Stop stop;
        const Result<MovePreview> stopped = previewer.preview(nodes, 1, stop);
        QVERIFY(!stopped && stopped.error().code == ErrorCode::cancelled);
        const Result<MovePreview> whole = previewer.preview(nodes, 1, ProgressMonitor::none());
        QVERIFY(whole && *whole == previewer.preview(nodes, 1));
    }

    void namesTheEdgeThatWouldRunBackwards()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const TagAssignment tags = cut(program, "a b | c d");
        const MovePreview preview = MovePreviewer(graph, tags).preview(std::vector{node(program, "a")}, 1);
        QVERIFY(!preview.isLegal());
        QVERIFY(!preview.isOrderable);
        QCOMPARE(preview.broken.size(), std::size_t{1});
        QCOMPARE(describe(preview.broken[0], program.rootGraph(), tags),
                 std::string("a (tag p1) feeds b (tag p0), but p1 comes after p0"));
        QCOMPARE(preview.cutBytesAfter, std::uint64_t{80});
    }

    void comparesRuns()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        const CutComparison same = compareCuts(graph, cut(program, "a b | c d"), cut(program, "a b | c d"));
        QVERIFY(same.moved.empty());
        const CutComparison moved = compareCuts(graph, cut(program, "a b | c d"), cut(program, "a | b c | d"));
        QCOMPARE(moves(program, moved), std::string("b 0>1 d 1>2 "));
        QCOMPARE(moved.partCountChange(), std::int64_t{1});
        QCOMPARE(moved.cutBytesChange(), std::int64_t{40});
        QCOMPARE(moved.parts.back().before, TagAssignment::kUntagged);
        QCOMPARE(moved.groups.size(), std::size_t{2});
    }

    void matchesRenumberedPartsByOverlap()
    {
        const Program program = test::parameterChain();
        const CutGraph graph = cutGraph(program);
        TagAssignment swapped = cut(program, "a b | c d");
        std::swap(swapped.order[0], swapped.order[1]);
        QCOMPARE(moves(program, compareCuts(graph, cut(program, "a b | c d"), swapped)), std::string("a 0>0 b 0>0 c 1>1 d 1>1 "));
        QVERIFY(compareCuts(graph, cut(program, "a b | c d"), swapped, PartMatching::overlap).moved.empty());
    }

    void comparesDevicesByName()
    {
        const auto load = [](std::uint64_t bytes) {
            return DeviceLoad{.parts = {}, .sizes = {.parameterBytes = bytes}, .capacity = 100};
        };
        const std::vector<Device> first = {{"a", 100, 0}, {"b", 100, 1}};
        const std::vector<Device> second = {{"b", 100, 0}, {"c", 100, 1}};
        const std::vector<DeviceLoad> before = {load(80), load(120)};
        const std::vector<DeviceLoad> after = {load(90), load(1)};
        const std::vector<DeviceChange> changes = compareDevices({first, before}, {second, after});
        QCOMPARE(changes.size(), std::size_t{3});
        QCOMPARE(changes[0].name, std::string("b"));
        QCOMPARE(*changes[0].usedBefore, std::uint64_t{120});
        QCOMPARE(*changes[0].usedAfter, std::uint64_t{90});
        QCOMPARE(changes[0].overflowBefore, std::uint64_t{20});
        QVERIFY(!changes[1].usedBefore);
        QVERIFY(!changes[2].usedAfter);
    }
};

const test::Registered<CutMetricsTest> cutMetricsTest("cut_metrics_test");
#include "cut_metrics_test.moc"
