#include "analysis/cut/compare_assignments.h"
#include "test_case.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace sunder;

namespace {

std::int64_t weightOf(const PairWeights& weights, const std::vector<std::int32_t>& columnOf)
{
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < columnOf.size(); ++row)
        sum += columnOf[row] < 0 ? 0 : weights[row][static_cast<std::size_t>(columnOf[row])];
    return sum;
}

/// Tries all orders of the columns, with columns of nothing for rows without one.
std::int64_t heaviest(const PairWeights& weights)
{
    const std::size_t columns = weights.front().size();
    std::vector<std::int32_t> order(std::max(columns, weights.size()));
    std::iota(order.begin(), order.end(), 0);
    std::int64_t most = 0;
    do {
        std::vector<std::int32_t> columnOf(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(weights.size()));
        for (std::int32_t& column : columnOf)
            column = column < static_cast<std::int32_t>(columns) ? column : -1;
        most = std::max(most, weightOf(weights, columnOf));
    } while (std::ranges::next_permutation(order).found);
    return most;
}

} // namespace

class HeaviestPairingTest final : public QObject {
    Q_OBJECT

private slots:
    void aPairOfLessWeightCanBeBetterForAll()
    {
        // Parts of a model over three devices, before and after the first one got more memory.
        const PairWeights calls = {{252, 0, 0}, {96, 53, 0}, {0, 57, 32}};
        QCOMPARE(heaviestPairing(calls), (std::vector<std::int32_t>{0, 1, 2}));
    }

    void leavesOutPairsWithoutWeight()
    {
        QVERIFY(heaviestPairing({}).empty());
        QCOMPARE(heaviestPairing({{}, {}}), (std::vector<std::int32_t>{-1, -1}));
        QCOMPARE(heaviestPairing({{0, 0}, {0, 3}}), (std::vector<std::int32_t>{-1, 1}));
        QCOMPARE(heaviestPairing({{1}, {2}, {0}}), (std::vector<std::int32_t>{-1, 0, -1}));
    }

    void isAsHeavyAsTheBestOfAllPairings()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            std::mt19937 random(seed);
            PairWeights weights(1 + random() % 6, std::vector<std::int64_t>(1 + random() % 6));
            for (std::vector<std::int64_t>& row : weights)
                for (std::int64_t& weight : row)
                    weight = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 20);
            std::vector<std::int32_t> columnOf = heaviestPairing(weights);
            QCOMPARE(weightOf(weights, columnOf), heaviest(weights));
            std::erase(columnOf, -1);
            std::ranges::sort(columnOf);
            QVERIFY(std::ranges::adjacent_find(columnOf) == columnOf.end());
        }
    }
};

const test::Registered<HeaviestPairingTest> heaviestPairingTest("heaviest_pairing_test");
#include "heaviest_pairing_test.moc"
