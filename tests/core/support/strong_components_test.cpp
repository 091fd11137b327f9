#include "support/strong_components.h"

#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;

/// Strongly connected components, compared with reachability.
class StrongComponentsTest final : public QObject {
    Q_OBJECT

private slots:
    void twoNodesShareAComponentIfEachReachesTheOther()
    {
        std::mt19937 numbers(1);
        const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(numbers() % end); };
        for (int round = 0; round < 500; ++round) {
            const std::uint32_t count = 1 + below(9);
            std::vector<std::vector<std::uint32_t>> next(count);
            for (std::uint32_t edge = below(2 * count + 1); edge > 0; --edge)
                next[below(count)].push_back(below(count));
            std::vector<std::vector<char>> reaches(count, std::vector<char>(count, 0));
            for (std::uint32_t node = 0; node < count; ++node) {
                reaches[node][node] = 1;
                for (const std::uint32_t to : next[node])
                    reaches[node][to] = 1;
            }
            for (std::uint32_t by = 0; by < count; ++by)
                for (std::uint32_t a = 0; a < count; ++a)
                    for (std::uint32_t b = 0; b < count; ++b)
                        if (reaches[a][by] != 0 && reaches[by][b] != 0)
                            reaches[a][b] = 1;
            const StrongComponents found = strongComponents(count, [&](std::uint32_t node) -> const auto& { return next[node]; });
            std::vector<std::uint32_t> size(found.size.size(), 0);
            for (std::uint32_t a = 0; a < count; ++a) {
                ++size[found.of[a]];
                for (std::uint32_t b = 0; b < count; ++b) {
                    QCOMPARE(found.of[a] == found.of[b], reaches[a][b] != 0 && reaches[b][a] != 0);
                    if (reaches[a][b] != 0)
                        QVERIFY(found.of[b] <= found.of[a]); // a component comes before those that lead to it
                }
            }
            QCOMPARE(size, found.size);
        }
    }
};

const test::Registered<StrongComponentsTest> strongComponentsTest("strong_components_test");
#include "strong_components_test.moc"
