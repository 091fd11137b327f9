#include "analysis/cut/compare_cuts.h"
#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/device_load.h"
#include "analysis/cut/flat_split.h"
#include "analysis/cut/move_preview.h"
#include "analysis/cut/part_assignment.h"
#include "analysis/sizes.h"
#include "analysis/tag_legality.h"
#include "held_bytes.h"
#include "io/model_file.h"
#include "ir/lint.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "random_cut_program.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <numeric>

using namespace sunder;
using test::randomCut;
using test::randomCutProgram;

namespace {

bool contains(std::span<const std::uint32_t> items, std::uint32_t item)
{
    return std::find(items.begin(), items.end(), item) != items.end();
}

/// The peak by definition: at each call, the sizes of all earlier pieces that a later call still reads, or that none ever reads.
std::uint64_t peakByDefinition(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::int32_t part)
{
    std::uint64_t peak = 0;
    for (std::uint32_t now = 0; now < graph.callCount; ++now) {
        if (partOf[now] != part)
            continue;
        std::uint64_t live = 0;
        for (std::uint32_t piece = 0; piece < graph.pieceBytes.size(); ++piece) {
            const std::uint32_t maker = graph.pieceMaker[piece];
            if (partOf[maker] != part || maker > now)
                continue;
            bool isNeeded = maker == now;
            bool isRead = false;
            for (std::uint32_t value = 0; value < graph.callCount; ++value) {
                if (partOf[value] != part || !contains(graph.pieces[value], piece))
                    continue;
                isNeeded = isNeeded || graph.leavesProgram[value] != 0;
                for (const std::uint32_t reader : graph.readers[value]) {
                    // Of a tuple, a part returns the items that others take and use.
                    const bool isUsed = !graph.readers[reader].empty() || graph.leavesProgram[reader] != 0;
                    const bool isOut = partOf[reader] != part
                        && (graph.isItem[reader] == 0 || (isUsed && contains(graph.pieces[reader], piece)));
                    isNeeded = isNeeded || isOut || (partOf[reader] == part && reader >= now);
                }
                isRead = isRead || !graph.readers[value].empty();
            }
            live += isNeeded || !isRead ? graph.pieceBytes[piece] : 0;
        }
        peak = std::max(peak, live);
    }
    return peak;
}

TagAssignment moved(const CutGraph& graph, TagAssignment tags, const std::vector<NodeId>& nodes, std::int32_t to)
{
    for (const NodeId id : nodes)
        if (graph.valueOf[id.index()] < graph.callCount)
            tags.tagOf[id.index()] = to;
    return tags;
}

std::vector<NodeId> someNodes(const Program& program, std::mt19937& random)
{
    std::vector<NodeId> nodes;
    for (const NodeId id : program.rootGraph().nodes())
        if (random() % 9 == 0)
            nodes.push_back(id);
    return nodes;
}

} // namespace

class CutPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void parametersAddUp()
    {
        for (unsigned seed = 0; seed < 100; ++seed) {
            const Program program = randomCutProgram(seed, 30);
            const TagAssignment tags = randomCut(program, seed, 1 + static_cast<int>(seed % 6), seed % 2 == 0);
            const CutMetrics metrics = cutMetrics(program, tags);
            const ProgramSizes sizes = programSizes(program);
            std::uint64_t sum = 0;
            for (const PartMetrics& part : metrics.parts)
                sum += part.sizes.parameterBytes;
            QCOMPARE(sum, metrics.parameterBytes + metrics.duplicatedBytes);
            QCOMPARE(metrics.parameterBytes,
                     std::accumulate(sizes.parameterBytes.begin(), sizes.parameterBytes.end(), std::uint64_t{0}));
            const TagReport report = checkTags(program, tags);
            QCOMPARE(metrics.duplicatedBytes, report.duplicatedBytes);
            QCOMPARE(metrics.crossingBytes, report.boundaryBytes);
        }
    }

    void peaksAreThoseOfTheDefinition()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program program = randomCutProgram(seed, 25);
            const TagAssignment tags = randomCut(program, seed, 1 + static_cast<int>(seed % 4), seed % 2 == 0);
            const CutGraph graph = cutGraph(program);
            const CutMetrics metrics = cutMetrics(graph, tags);
            const std::vector<std::int32_t> partOf = partsOfCalls(graph, tags);
            for (std::size_t part = 0; part < metrics.parts.size(); ++part) {
                const PartSizes& sizes = metrics.parts[part].sizes;
                QCOMPARE(sizes.activationPeakBytes, peakByDefinition(graph, partOf, static_cast<std::int32_t>(part)));
                QVERIFY(sizes.activationPeakBytes <= sizes.activationSumBytes);
            }
        }
    }

    void whatIsKeptIsWhatAPartitionerReckons()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            Program program = randomCutProgram(seed, 25);
            if (seed % 3 == 0) // sizes from the file, parameters counted in the totals of their readers
                for (const NodeId id : program.rootGraph().nodes())
                    program.rootGraph().setSizeBytes(id, SizeBytes{.output = seed % 7 + id.index(), .total = 3 * id.index() + 9});
            const TagAssignment tags = randomCut(program, seed, 1 + static_cast<int>(seed % 4), seed % 2 == 0);
            const NodeSizes sizes = sizesOfNodes(program);
            const CutGraph graph = cutGraph(program, sizes);
            const CutMetrics metrics = cutMetrics(graph, tags);
            const std::vector<Device> devices{{"a", 1e9, 0}, {"b", 1e9, 1}};
            std::vector<std::vector<std::int64_t>> places(metrics.parts.size(), {0});
            places.back() = {1};
            const std::vector<DeviceLoad> loads = deviceLoads(graph, tags, metrics, devices, places);
            std::vector<std::vector<NodeId>> on(2);
            for (std::size_t part = 0; part < metrics.parts.size(); ++part) {
                std::vector<NodeId> nodes;
                for (const NodeId id : program.rootGraph().nodes())
                    if (program.rootGraph()[id].isCall() && tags[id] == static_cast<std::int32_t>(part))
                        nodes.push_back(id);
                QCOMPARE(metrics.parts[part].sizes.usedBytes(), test::heldBytes(program, sizes, nodes));
                std::vector<NodeId>& there = on[static_cast<std::size_t>(places[part].front())];
                there.insert(there.end(), nodes.begin(), nodes.end());
            }
            for (std::size_t device = 0; device < on.size(); ++device)
                QCOMPARE(loads[device].usedBytes(), test::heldBytes(program, sizes, on[device]));
        }
    }

    void noPartIsBelowTheBound()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            const Program program = randomCutProgram(seed, 20);
            const CutMetrics metrics = cutMetrics(program, randomCut(program, seed, 1 + static_cast<int>(seed % 5), true));
            QVERIFY(metrics.parts[static_cast<std::size_t>(metrics.largest)].sizes.usedBytes() >= metrics.bound.bytes);
            QVERIFY(metrics.imbalance >= 1 - 1e-12);
        }
    }

    void previewsAreWhatTheMoveDoes()
    {
        for (unsigned seed = 0; seed < 150; ++seed) {
            std::mt19937 random(seed);
            const Program program = randomCutProgram(seed, 40);
            const CutGraph graph = cutGraph(program);
            TagAssignment tags = randomCut(program, seed, 5, seed % 2 == 0);
            if (seed % 3 == 0)
                tags.tagOf[random() % tags.tagOf.size()] = TagAssignment::kUntagged;
            const MovePreviewer previewer(graph, tags);
            const std::vector<NodeId> nodes = someNodes(program, random);
            const auto to = static_cast<std::int32_t>(random() % 5);
            const MovePreview preview = previewer.preview(nodes, to);
            const TagAssignment after = moved(graph, tags, nodes, to);
            const CutMetrics before = previewer.metrics();
            const CutMetrics scratch = cutMetrics(graph, after);
            QCOMPARE(preview.cutBytesBefore, before.cutBytes);
            QCOMPARE(preview.cutBytesAfter, scratch.cutBytes);
            QCOMPARE(preview.largestAfter, scratch.parts[static_cast<std::size_t>(scratch.largest)].sizes.usedBytes());
            std::size_t changed = 0;
            for (std::size_t i = 0; i < scratch.parts.size(); ++i) {
                const auto at = std::find_if(preview.parts.begin(), preview.parts.end(),
                                             [&](const PartChange& c) { return c.part == static_cast<std::int32_t>(i); });
                changed += at != preview.parts.end() ? 1 : 0;
                QVERIFY((at == preview.parts.end() ? before.parts[i].sizes : at->after) == scratch.parts[i].sizes);
            }
            QCOMPARE(changed, preview.parts.size());
            for (const CutEdgeChange& change : preview.cutEdges) {
                const auto bytes = [&](const CutMetrics& metrics) {
                    for (const CutEdge& cutEdge : metrics.cutEdges)
                        if (cutEdge.from == change.from && cutEdge.to == change.to)
                            return std::pair(cutEdge.bytes, cutEdge.values.size());
                    return std::pair(std::uint64_t{0}, std::size_t{0});
                };
                QVERIFY(bytes(before) == std::pair(change.bytesBefore, change.valuesBefore));
                QVERIFY(bytes(scratch) == std::pair(change.bytesAfter, change.valuesAfter));
            }
            const TagReport report = checkTags(program, after);
            QCOMPARE(preview.backwardAfter, report.backward.size());
            for (const BackwardEdge& edge : preview.broken)
                QVERIFY(std::any_of(report.backward.begin(), report.backward.end(), [&](const BackwardEdge& found) {
                    return found.producer == edge.producer && found.consumer == edge.consumer;
                }));
        }
    }

    void ordersPartsWheneverThatIsPossible()
    {
        int orderable = 0;
        for (unsigned seed = 0; seed < 100; ++seed) {
            const Program program = randomCutProgram(seed, 6);
            const CutGraph graph = cutGraph(program);
            const TagAssignment tags = randomCut(program, seed, 3, false);
            bool found = false;
            std::vector<std::size_t> places = {0, 1, 2};
            do {
                TagAssignment other = tags;
                for (std::int32_t& tag : other.tagOf)
                    tag = tag < 0 ? tag : static_cast<std::int32_t>(places[static_cast<std::size_t>(tag)]);
                found = found || checkTags(program, other).backward.empty();
            } while (std::next_permutation(places.begin(), places.end()));
            QCOMPARE(MovePreviewer(graph, tags).preview({}, 0).isOrderable, found);
            orderable += found ? 1 : 0;
        }
        QVERIFY(orderable > 0 && orderable < 100);
    }

    void theSplitCostsWhatTheSourceSays()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            const Program program = randomCutProgram(seed, 30);
            const TagAssignment tags = randomCut(program, seed, 1 + static_cast<int>(seed % 5), true);
            const Result<SplitResult> split = splitByTags(program, tags, {.returnTuple = seed % 2 == 0});
            QVERIFY(split.has_value());
            const TagAssignment back = partAssignment(program, split->program, split->map);
            QVERIFY(back.order == tags.order);
            for (const NodeId id : program.rootGraph().nodes())
                QCOMPARE(back[id], program.rootGraph()[id].isCall() ? tags[id] : TagAssignment::kUntagged);
            const Result<FlatSplit> flat = flatSplit(split->program);
            QVERIFY2(flat.has_value(), flat ? "" : flat.error().message.c_str());
            QVERIFY(lint(flat->program).empty());
            // Writes in place may be reordered in the split, and then they are in the flat graph as well.
            const VerifyReport ofFlat = *verify(program, flat->program);
            const VerifyReport ofSplit = *verify(program, split->program);
            // In a single graph, more writes can be proven private.
            const bool isNoWeaker = ofFlat.verdict == ofSplit.verdict || ofSplit.verdict == Verdict::undecided;
            QVERIFY2(isNoWeaker, (ofFlat.why + " | " + ofSplit.why).c_str());
            QVERIFY(verify(split->program, flat->program)->verdict == Verdict::same);
            const CutMetrics fromSource = cutMetrics(program, tags);
            const CutMetrics fromSplit = cutMetrics(flat->program, flat->parts);
            QCOMPARE(fromSplit.cutBytes, fromSource.cutBytes);
            QCOMPARE(fromSplit.crossingBytes, fromSource.crossingBytes);
            for (std::size_t i = 0; i < fromSource.parts.size(); ++i) {
                // Tied parameters have separate names in the parts but share one memory.
                QCOMPARE(fromSplit.parts[i].sizes.parameterBytes, fromSource.parts[i].sizes.parameterBytes);
                QCOMPARE(fromSplit.parts[i].sizes.activationPeakBytes, fromSource.parts[i].sizes.activationPeakBytes);
                QCOMPARE(fromSplit.parts[i].sizes.inputBytes, fromSource.parts[i].sizes.inputBytes);
                QCOMPARE(fromSplit.parts[i].sizes.outputBytes, fromSource.parts[i].sizes.outputBytes);
            }
        }
    }

    void interfacesAreThoseOfTheSplit()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = randomCutProgram(seed, 30);
            const TagAssignment tags = randomCut(program, seed, 4, true);
            const std::vector<PartMetrics> parts = cutMetrics(program, tags).parts;
            const Result<SplitResult> split = splitByTags(program, tags, {.returnTuple = true});
            QVERIFY(split.has_value());
            for (std::size_t part = 0; part < parts.size(); ++part) {
                const Graph& graph = split->program.graph(split->parts[part]);
                std::vector<InternedString> placeholders;
                std::size_t results = 0;
                for (const NodeId id : graph.nodes()) {
                    if (graph[id].op == Op::placeholder)
                        placeholders.push_back(graph[id].target);
                    if (graph[id].op == Op::output)
                        results = graph[id].args.at(0).items().size();
                }
                std::vector<InternedString> inputs;
                for (const Port& value : parts[part].interface.inputs)
                    inputs.push_back(program.rootGraph()[value.node].name);
                QVERIFY(inputs == placeholders);
                QCOMPARE(parts[part].interface.outputs.size(), results);
            }
        }
    }

    void aPartitionOverDevicesCostsWhatTheSourceSays()
    {
        const Result<Program> source = readModel(SUNDER_SOURCE "/resources/samples/transformer.pt2");
        QVERIFY(source.has_value());
        const CutGraph graph = cutGraph(*source);
        const ProgramSizes sizes = programSizes(*source);
        const double half = static_cast<double>(sizes.totalParameterBytes + sizes.totalOutputBytes) / 2;
        const PartitionerConfig config{.devices = {{"a", half, 0}, {"b", half, 1}, {"c", half, 2}}};
        const Result<PartitionResult> result = acceleratorPartition(*source, config);
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        const SplitResult& split = result->split;
        const TagAssignment tags = partAssignment(*source, split.program, split.map);
        const CutMetrics metrics = cutMetrics(graph, tags);
        QVERIFY(metrics.parts.size() > 1);
        QCOMPARE(metrics.untaggedCalls, std::size_t{0});
        QCOMPARE(metrics.backwardBytes, std::uint64_t{0});
        const std::vector<PartitionDagNode> dag = partitionDag(split.program);
        QCOMPARE(dag.size(), metrics.parts.size());
        for (std::size_t i = 0; i < dag.size(); ++i)
            QVERIFY(dag[i].submodule == metrics.parts[i].name);
        const std::vector<DeviceLoad> loads = deviceLoads(graph, tags, metrics, config.devices,
                                                          devicesOfParts(metrics, result->dag));
        std::size_t placed = 0;
        for (const DeviceLoad& load : loads)
            placed += load.parts.size();
        QCOMPARE(placed, metrics.parts.size());
        const Result<FlatSplit> flat = flatSplit(split.program);
        QVERIFY(flat.has_value());
        QCOMPARE(cutMetrics(flat->program, flat->parts).cutBytes, metrics.cutBytes);
    }

    void comparingTwiceIsComparingBack()
    {
        for (unsigned seed = 0; seed < 50; ++seed) {
            const Program program = randomCutProgram(seed, 30);
            const CutGraph graph = cutGraph(program);
            const TagAssignment a = randomCut(program, seed, 4, true);
            const TagAssignment b = randomCut(program, seed + 1, 3, true);
            const CutComparison there = compareCuts(graph, a, b);
            const CutComparison back = compareCuts(graph, b, a);
            QCOMPARE(there.cutBytesChange(), -back.cutBytesChange());
            QCOMPARE(there.moved.size(), back.moved.size());
            QVERIFY(compareCuts(graph, a, a, PartMatching::overlap).moved.empty());
        }
    }
};

const test::Registered<CutPropertyTest> cutPropertyTest("cut_property_test");
#include "cut_property_test.moc"
