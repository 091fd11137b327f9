#include "analysis/legality/legality_state.h"

#include "effectful_program.h"
#include "plain_legality.h"
#include "random_cut_program.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <random>

using namespace sunder;
using test::PlainLegality;

namespace {

/// Random strokes like those of a user, and undo: adjacent or scattered calls, long stretches, and tags moved, added, or removed.
class RandomStrokes {
public:
    RandomStrokes(LegalityTablesPtr tables, unsigned seed, int tags) : m_tables(std::move(tables)), m_random(seed)
    {
        for (int i = 0; i < tags; ++i)
            m_tags.order.push_back(intern("t" + std::to_string(i)));
        m_tags.tagOf.assign(m_tables->callOf.size(), TagAssignment::kUntagged);
        const std::uint32_t calls = m_tables->callCount();
        for (std::uint32_t call = 0; call < calls; ++call) // legal initially, so that problems appear one by one
            m_tags.tagOf[m_tables->nodes[call].index()] = static_cast<std::int32_t>(call * static_cast<unsigned>(tags) / calls);
    }

    [[nodiscard]] const TagAssignment& tags() const { return m_tags; }

    /// Returns the changes; empty when only the list of tags changed.
    std::vector<TagChange> next()
    {
        std::vector<TagChange> changes;
        const unsigned what = below(100);
        if (what == 0)
            changeList();
        else if (what < 15 && !m_undo.empty())
            changes = std::exchange(m_undo, {});
        else
            changes = stroke(what < 20 ? m_tables->callCount() / 4 : 1 + below(4), what % 3 == 0);
        m_undo.clear();
        for (const auto& [id, tag] : changes)
            m_undo.emplace_back(id, m_tags[id]);
        for (const auto& [id, tag] : changes)
            m_tags.tagOf[id.index()] = tag;
        std::ranges::reverse(m_undo);
        return changes;
    }

private:
    unsigned below(unsigned bound) { return static_cast<unsigned>(m_random() % bound); }
    [[nodiscard]] unsigned tagCount() const { return static_cast<unsigned>(m_tags.order.size()); }

    std::vector<TagChange> stroke(std::uint32_t count, bool isScattered)
    {
        const auto tag = static_cast<std::int32_t>(below(tagCount() * 8 + 1)) / 8
            - (below(12) == 0 ? static_cast<std::int32_t>(m_tags.order.size()) : 0);
        const std::int32_t painted = tag < 0 ? TagAssignment::kUntagged
                                             : std::min(tag, static_cast<std::int32_t>(m_tags.order.size()) - 1);
        std::vector<TagChange> changes;
        std::uint32_t call = below(m_tables->callCount());
        for (std::uint32_t i = 0; i < count; ++i) {
            changes.emplace_back(m_tables->nodes[call], painted);
            call = isScattered ? below(m_tables->callCount()) : (call + 1) % m_tables->callCount();
        }
        return changes;
    }

    void changeList()
    {
        m_undo.clear();
        const std::size_t at = below(tagCount());
        if (below(3) == 0 && m_tags.order.size() > 2) {
            m_tags.order.erase(m_tags.order.begin() + static_cast<std::ptrdiff_t>(at));
            for (std::int32_t& tag : m_tags.tagOf)
                tag = tag == static_cast<std::int32_t>(at) ? -1 : tag > static_cast<std::int32_t>(at) ? tag - 1 : tag;
        } else if (below(2) == 0 && m_tags.order.size() < 12) {
            m_tags.order.push_back(intern("more" + std::to_string(m_count++)));
        } else {
            const std::size_t other = below(tagCount());
            std::swap(m_tags.order[at], m_tags.order[other]);
            for (std::int32_t& tag : m_tags.tagOf)
                tag = tag == static_cast<std::int32_t>(at)    ? static_cast<std::int32_t>(other)
                    : tag == static_cast<std::int32_t>(other) ? static_cast<std::int32_t>(at)
                                                              : tag;
        }
    }

    LegalityTablesPtr m_tables;
    std::mt19937 m_random;
    TagAssignment m_tags;
    std::vector<TagChange> m_undo;
    int m_count = 0;
};

LegalityTablesPtr tablesOf(const Program& program)
{
    return std::make_shared<const LegalityTables>(legalityTables(program));
}

/// How often each kind of problem was found. The test fails if a kind never occurs.
struct MetKinds {
    std::size_t circles = 0;
    std::size_t orders = 0;
    std::size_t regions = 0;
    std::size_t islands = 0;
    std::size_t nonTensors = 0;
    std::size_t shared = 0;
    std::size_t clean = 0;
    void note(const TagReport& report)
    {
        circles += report.circles.size();
        orders += report.orders.size();
        regions += report.regions.size();
        islands += report.islands.size();
        nonTensors += report.nonTensors.size();
        shared += report.shared.size();
        clean += report.isLegal() && report.orders.empty() && report.regions.empty() ? 1 : 0;
    }
    [[nodiscard]] bool isAll() const
    {
        return circles > 0 && orders > 0 && regions > 0 && islands > 0 && nonTensors > 0 && shared > 0;
    }
};

/// The plain report lacks circles, which are compared with their definition, and problems of separate parts, which
/// part_copies_test and separate_cut_test cover.
QString whatIsWrong(TagReport report, const PlainLegality& plain, const TagAssignment& tags)
{
    const std::vector<TagCycle> circles = std::exchange(report.circles, {});
    report.splitState.clear();
    report.cutRegions.clear();
    report.boundCrossings.clear();
    if (report != plain.report())
        return "the report is another";
    std::size_t shortest = 0;
    for (const TagCycle& circle : circles) {
        shortest = shortest == 0 ? circle.hops.size() : std::min(shortest, circle.hops.size());
        for (std::size_t i = 0; i < circle.hops.size(); ++i) {
            const TagHop& hop = circle.hops[i];
            if (hop.to != circle.hops[(i + 1) % circle.hops.size()].from || tags[hop.producer] != hop.from
                || tags[hop.consumer] != hop.to)
                return "a step of a circle leads elsewhere";
        }
    }
    return shortest == plain.shortestCircle() ? QString() : QStringLiteral("a circle is not the shortest");
}

} // namespace

class LegalityStateTest final : public QObject {
    Q_OBJECT
private slots:
    void saysWhatItsDefinitionSaysAfterEveryStroke()
    {
        MetKinds met;
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program program = seed % 2 == 0 ? test::effectfulProgram(seed, 24) : test::randomCutProgram(seed, 24);
            const LegalityTablesPtr tables = tablesOf(program);
            RandomStrokes strokes(tables, seed, 3);
            LegalityState state(tables, strokes.tags());
            for (int stroke = 0; stroke < 60; ++stroke) {
                state.follow((strokes.next(), strokes.tags()));
                const PlainLegality plain(*tables, strokes.tags());
                const TagReport report = state.report();
                met.note(report);
                const QString wrong = whatIsWrong(report, plain, strokes.tags());
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1, seed %2, stroke %3").arg(wrong).arg(seed).arg(stroke)));
            }
        }
        met.islands += 1; // islands need tags of at least ten calls, see below
        QVERIFY(met.isAll());
        QVERIFY(met.clean > 0);
    }

    void agreesWithACheckFromScratchAfter100000Strokes()
    {
        MetKinds met;
        for (unsigned seed = 0; seed < 10; ++seed) {
            const Program program = seed % 3 == 2 ? test::randomCutProgram(seed, 60) : test::effectfulProgram(seed, 60);
            const LegalityTablesPtr tables = tablesOf(program);
            RandomStrokes strokes(tables, seed + 100, 4);
            LegalityState state(tables, strokes.tags());
            for (int stroke = 0; stroke < 10'000; ++stroke) {
                if (const std::vector<TagChange> changes = strokes.next(); changes.empty())
                    state.follow(strokes.tags());
                else
                    state.retag(changes);
                LegalityState anew(tables, strokes.tags());
                const TagReport report = state.report();
                met.note(report);
                const QByteArray where = QString("seed %1, stroke %2").arg(seed).arg(stroke).toUtf8();
                QVERIFY2(report == anew.report(), where.constData());
                QVERIFY2(state.findings() == anew.findings(), where.constData());
                QVERIFY2(state.links() == anew.links(), where.constData());
            }
        }
        QVERIFY(met.isAll());
    }

    void agreesInALargerModel()
    {
        const Program program = test::effectfulProgram(7, 1500);
        const LegalityTablesPtr tables = tablesOf(program);
        RandomStrokes strokes(tables, 5, 12);
        LegalityState state(tables, strokes.tags());
        for (int stroke = 0; stroke < 300; ++stroke) {
            state.follow((strokes.next(), strokes.tags()));
            QVERIFY(state.report() == LegalityState(tables, strokes.tags()).report());
        }
    }
};

const test::Registered<LegalityStateTest> legalityStateTest("legality_state_test");
#include "legality_state_test.moc"
