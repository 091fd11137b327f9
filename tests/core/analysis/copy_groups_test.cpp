#include "analysis/legality/copy_groups.h"
#include "analysis/legality/part_copies.h"

#include "effectful_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace sunder;

namespace {

/// Raises random parts of calls until data edges and orders lead to no earlier part, and no group is divided.
std::vector<std::int32_t> partsOf(const LegalityTables& tables, const CopyGroups& copies, std::mt19937& random, unsigned parts)
{
    std::vector<std::int32_t> partOf;
    for (std::uint32_t call = 0; call < tables.callCount(); ++call)
        partOf.push_back(static_cast<std::int32_t>(random() % 2 == 0 ? random() % parts : call * parts / tables.callCount()));
    bool isSettled = false;
    const auto raise = [&](std::uint32_t call, std::int32_t to) {
        isSettled = isSettled && partOf[call] >= to;
        partOf[call] = std::max(partOf[call], to);
    };
    while (!isSettled) {
        isSettled = true;
        for (const LegalityTables::Edge& edge : tables.edges)
            raise(edge.to, partOf[edge.from]);
        for (const LegalityTables::OrderedCalls& calls : tables.orderedCalls)
            raise(calls.after, partOf[calls.before]);
        for (const std::vector<std::uint32_t>& group : copies.groups) {
            std::int32_t last = 0;
            for (const std::uint32_t call : group)
                last = std::max(last, partOf[call]);
            for (const std::uint32_t call : group)
                raise(call, last);
        }
    }
    return partOf;
}

/// Whether a part reads a copy that lacks a write of another one.
bool hasConflict(const LegalityTables& tables, const std::vector<std::int32_t>& partOf, std::int32_t parts)
{
    for (std::size_t memory = 0; memory < tables.uses.size(); ++memory) {
        std::vector<UsePlace> places;
        for (const LegalityTables::CallUse& use : tables.uses[memory])
            places.push_back({.part = use.call == LegalityTables::kNone ? parts : partOf[use.call],
                              .origin = use.origin == LegalityTables::kNone ? -1 : partOf[use.origin]});
        if (!copyConflicts(tables.written[memory], places).empty())
            return true;
    }
    return false;
}

} // namespace

class CopyGroupsTest : public QObject {
    Q_OBJECT

private slots:
    void copiesWithAllWritesMayBeReadAnywhere()
    {
        // As in a residual network: each call reads what the last write returns.
        const Program program = test::programFromText("x = placeholder() : 4\na = aten.neg.default(x) : 4\n"
                                                      "b = aten.add_.Tensor(a, x) : 4\nc = aten.relu_.default(b) : 4\n"
                                                      "d = aten.sin.default(c) : 4\ne = aten.cos.default(c) : 4\noutput(d, e)\n");
        const CopyGroups copies = copyGroups(legalityTables(program));
        QVERIFY(copies.groups.empty());
        QVERIFY(!copies.isStricter);
    }

    void copiesThatMissAWriteStayWithTheirOrigin()
    {
        const Program program = test::programFromText(
            "x = placeholder() : 4\na = aten.neg.default(x) : 4\n"
            "b = aten.relu_.default(a) : 4\nc = aten.sin.default(a) : 4\noutput(b, c)\n");
        const CopyGroups copies = copyGroups(legalityTables(program));
        QCOMPARE(copies.groups, (std::vector<std::vector<std::uint32_t>>{{0, 2}}));
        QVERIFY(copies.isStricter); // relu_ and sin in one part read the same contents as well
    }

    void inputsThatAreWrittenStayWithTheirLaterReaders()
    {
        const Program program = test::programFromText(
            "x = placeholder() : 4\na = aten.neg.default(x) : 4\n"
            "b = aten.relu_.default(x) : 4\nc = aten.sin.default(x) : 4\noutput(a, b, c)\n");
        QCOMPARE(copyGroups(legalityTables(program)).groups, (std::vector<std::vector<std::uint32_t>>{{1, 2}}));
    }

    /// As on the residual stream of a deep network. Comparing each use with each write would not end within the time limit.
    void longChainsOfWritesTakeNoLonger()
    {
        Program program;
        Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
        const NodeId x = graph.create({.op = Op::placeholder, .name = {}, .target = intern("x")});
        NodeId value = graph.create(
            {.op = Op::callFunction, .name = {}, .target = intern("torch.ops.aten.neg.default"), .args = {Argument::node(x)}});
        for (int i = 0; i < 50'000; ++i)
            value = graph.create({.op = Op::callFunction,
                                  .name = {},
                                  .target = intern("torch.ops.aten.relu_.default"),
                                  .args = {Argument::node(value)}});
        graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::node(value)}});
        QVERIFY(copyGroups(legalityTables(program)).groups.empty());
    }

    void partsThatKeepTheGroupsReadWhatTheWholeReads()
    {
        constexpr unsigned kParts = 4;
        int cut = 0;
        int withoutGroups = 0;
        for (unsigned seed = 0; seed < 3'000; ++seed) {
            std::mt19937 random(seed);
            Program program = test::effectfulProgram(seed, 12);
            if (seed % 3 == 0)
                test::makeExported(program);
            const LegalityTables tables = legalityTables(program);
            const CopyGroups copies = copyGroups(tables);
            const std::vector<std::int32_t> partOf = partsOf(tables, copies, random, kParts);
            QVERIFY2(!hasConflict(tables, partOf, kParts), qPrintable(QString("seed %1").arg(seed)));
            const bool isCut = std::ranges::min(partOf) < std::ranges::max(partOf);
            cut += isCut && !tables.written.empty() ? 1 : 0;
            withoutGroups += hasConflict(tables, partsOf(tables, {}, random, kParts), kParts) ? 1 : 0;
        }
        QVERIFY(cut > 500);
        QVERIFY(withoutGroups > 500);
    }
};

const test::Registered<CopyGroupsTest> copyGroupsTest("copy_groups_test");
#include "copy_groups_test.moc"
