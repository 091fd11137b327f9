#include "support/flat_map.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace sunder;

namespace {

/// Ids in typical patterns of passes: consecutive, strided, and scattered.
std::vector<InternedString> mixedStrings(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    std::vector<InternedString> strings;
    for (int run = 0; run < 200; ++run) {
        const std::uint32_t step = below(20) + 1;
        std::uint32_t id = below(1U << (8 + below(24))) + 1;
        for (std::uint32_t i = below(100); i > 0 && id < 0xfffffff0U - step; --i, id += step)
            strings.push_back(InternedString::ofId(id));
    }
    std::shuffle(strings.begin(), strings.end(), random);
    return strings;
}

} // namespace

class FlatMapTest final : public QObject {
    Q_OBJECT
private slots:
    void holdsWhatAMapHolds()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const std::vector<InternedString> strings = mixedStrings(seed);
            FlatMap<std::uint32_t> map;
            std::map<std::uint32_t, std::uint32_t> reference;
            if (seed % 2 == 0)
                map.reserve(strings.size() / 3);
            for (std::uint32_t i = 0; i < strings.size(); ++i) {
                const auto [value, isNew] = map.emplace(strings[i], i);
                QCOMPARE(isNew, reference.emplace(strings[i].id(), i).second);
                QCOMPARE(value, reference.at(strings[i].id()));
            }
            QCOMPARE(map.size(), reference.size());
            for (const InternedString string : mixedStrings(seed + 1)) {
                const auto found = reference.find(string.id());
                QCOMPARE(map.find(string) != nullptr, found != reference.end());
                if (found != reference.end())
                    QCOMPARE(*map.find(string), found->second);
            }
        }
    }

    void findsItsWayWhenAllKeysWantOnePlace()
    {
        FlatMap<std::uint32_t> map;
        for (std::uint32_t i = 1; i < 20'000; ++i)
            map.emplace(InternedString::ofId(i * 8), i);
        for (std::uint32_t i = 1; i < 20'000; ++i)
            QCOMPARE(*map.find(InternedString::ofId(i * 8)), i);
        QVERIFY(!map.contains(InternedString::ofId(9)));
    }

    void setHoldsWhatASetHolds()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            InternedSet set;
            std::set<std::uint32_t> reference;
            for (const InternedString string : mixedStrings(seed))
                QCOMPARE(set.insert(string), reference.insert(string.id()).second);
            for (const InternedString string : mixedStrings(seed + 1))
                QCOMPARE(set.contains(string), reference.contains(string.id()));
        }
    }
};

const test::Registered<FlatMapTest> flatMapTest("flat_map_test");
#include "flat_map_test.moc"
