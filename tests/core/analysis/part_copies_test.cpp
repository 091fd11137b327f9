#include "analysis/legality/part_copies.h"
#include "test_case.h"

#include <QTest>

#include <array>
#include <map>
#include <random>

using namespace sunder;

namespace {

constexpr std::int32_t kParts = 3;

/// Uses of one memory by the calls of a random cut. Each call has a part and reaches the memory through a tensor of the program,
/// an input, or the value of an earlier call.
struct RandomUses {
    WrittenMemory memory{.name = {}, .uses = {}};
    std::vector<UsePlace> places;

    explicit RandomUses(unsigned seed)
    {
        std::mt19937 random(seed);
        const bool isTransient = random() % 3 == 0; // made by the first call; otherwise a tensor of the program or an input
        const StandsFor root = isTransient ? StandsFor::call : random() % 2 == 0 ? StandsFor::state : StandsFor::input;
        const auto calls = static_cast<std::uint32_t>(2 + random() % 5);
        std::vector<std::int32_t> partOf;
        for (std::uint32_t call = 0; call < calls; ++call)
            partOf.push_back(static_cast<std::int32_t>(call == 0 ? 0U : random() % kParts));
        std::sort(partOf.begin(), partOf.end()); // in execution order: other orders are a different kind of problem
        for (std::uint32_t call = isTransient ? 1 : 0; call < calls; ++call) {
            const bool isOfCall = call > 0 && (isTransient || random() % 2 == 0);
            const NodeId value(isOfCall ? random() % call : 100U);
            const std::int32_t origin = isOfCall ? partOf[value.index()] : -1;
            add({.call = NodeId(call), .value = value, .from = isOfCall ? StandsFor::call : root, .writes = random() % 3 == 0},
                {partOf[call], origin});
        }
        if (random() % 2 == 0) { // the use by the program's output
            const NodeId value(random() % calls);
            add({.call = {}, .value = value, .from = StandsFor::call}, {kParts, partOf[value.index()]});
        }
    }

    void add(const MemoryUse& use, const UsePlace& place)
    {
        memory.uses.push_back(use);
        places.push_back(place);
    }
};

/// Values of reads, as the number of the last write to the memory that they see. Simulates three runs, once in one process with a
/// single memory and once in separate parts with copies. Each part keeps a copy of the program's state and receives a copy of
/// each value that is passed to it.
class Run {
public:
    explicit Run(const RandomUses& uses) : m_uses(uses) {}

    [[nodiscard]] std::vector<int> inOneProcess() const
    {
        std::vector<int> seen;
        int held = 0;
        for (int time = 0; time < 3; ++time) {
            int now = isState() ? held : 0;
            for (std::uint32_t use = 0; use < m_uses.places.size(); ++use) {
                seen.push_back(now);
                now = m_uses.memory.uses[use].writes ? number(time, use) : now;
            }
            m_end = now;
            held = now;
            if (!seen.empty() && !m_uses.memory.uses.back().call) // read after all other uses
                seen.back() = now;
        }
        return seen;
    }

    /// Each copy is identified by its part and its source: the program, the caller, or the value of a call of another part.
    [[nodiscard]] std::vector<int> withCopies() const
    {
        std::vector<int> seen;
        std::map<std::int32_t, int> held;
        for (int time = 0; time < 3; ++time) {
            std::map<std::pair<std::int32_t, std::uint32_t>, int> copies; // by part and source
            std::map<std::uint32_t, std::pair<std::int32_t, std::uint32_t>> madeIn; // the copy that holds the value of a call
            int ofCaller = 0;
            for (std::uint32_t use = 0; use < m_uses.places.size(); ++use) {
                const MemoryUse& what = m_uses.memory.uses[use];
                const std::int32_t part = m_uses.places[use].part;
                std::pair<std::int32_t, std::uint32_t> copy{part, kOwn};
                if (what.from == StandsFor::call) {
                    const std::uint32_t maker = what.value.index();
                    const auto made = madeIn.try_emplace(maker, m_uses.places[use].origin, kFresh + maker).first->second;
                    if (made.first == part || part == kParts) {
                        copy = made;
                    } else {
                        copy = {part, kHanded + maker};
                        copies.try_emplace(copy, copies.try_emplace(made, 0).first->second);
                    }
                } else {
                    copies.try_emplace(copy, what.from == StandsFor::state ? held[part] : ofCaller);
                }
                int& now = copies.try_emplace(copy, 0).first->second;
                seen.push_back(now);
                if (what.writes) {
                    now = number(time, use);
                    if (what.from == StandsFor::input) // returned to the caller
                        ofCaller = now;
                }
                if (what.call)
                    madeIn[what.call.index()] = copy;
            }
            for (std::int32_t part = 0; part < kParts; ++part)
                if (const auto own = copies.find({part, kOwn}); own != copies.end())
                    held[part] = own->second;
        }
        return seen;
    }

private:
    static constexpr std::uint32_t kOwn = 0;
    static constexpr std::uint32_t kFresh = 1'000;
    static constexpr std::uint32_t kHanded = 2'000;

    [[nodiscard]] bool isState() const
    {
        return std::ranges::any_of(m_uses.memory.uses, [](const MemoryUse& use) { return use.from == StandsFor::state; });
    }
    static int number(int time, std::uint32_t use) { return 1 + time * 100 + static_cast<int>(use); }

    const RandomUses& m_uses;
    mutable int m_end = 0;
};

} // namespace

class PartCopiesTest final : public QObject {
    Q_OBJECT
private slots:
    void findsNoConflictOnlyWhereCopiesHoldTheSame()
    {
        int agreed = 0;
        int told = 0;
        int needless = 0;
        for (unsigned seed = 0; seed < 20'000; ++seed) {
            const RandomUses uses(seed);
            const bool isSame = Run(uses).inOneProcess() == Run(uses).withCopies();
            const bool isClean = copyConflicts(uses.memory, uses.places).empty();
            QVERIFY2(isSame || !isClean, qPrintable(QString("seed %1").arg(seed)));
            agreed += isClean ? 1 : 0;
            told += isClean ? 0 : 1;
            needless += isSame && !isClean ? 1 : 0;
        }
        QVERIFY(agreed > 1'000 && told > 1'000);
        QVERIFY2(needless * 3 < told, qPrintable(QString("%1 of %2").arg(needless).arg(told)));
    }

    void countsUsesInPartsOnly()
    {
        // A call without a tag returns a value that may be its input, and a part writes to it.
        WrittenMemory memory{.name = {}, .doubts = {.isUnknownCall = true}, .uses = {}};
        memory.uses.push_back({.call = NodeId(1U), .value = NodeId(0U), .from = StandsFor::input});
        memory.uses.push_back({.call = NodeId(2U), .value = NodeId(1U), .from = StandsFor::call, .writes = true});
        for (const std::int32_t part : {-1, 0, 1}) {
            const std::array places{UsePlace{.part = part}, UsePlace{.part = 1, .origin = part}};
            const std::vector<CopyConflict> found = copyConflicts(memory, places);
            QCOMPARE(found.size(), part == 0 ? 1U : 0U);
            QVERIFY(std::ranges::all_of(found, [](const CopyConflict& conflict) { return conflict.readerPart == 0; }));
        }
    }
};

const test::Registered<PartCopiesTest> partCopiesTest("part_copies_test");
#include "part_copies_test.moc"
