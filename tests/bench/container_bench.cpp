// Compares our containers with those of the standard library on the access patterns of the passes. Prints processor seconds,
// bytes, and their ratio. Results are in docs/internals/containers.md.
#include "benchmark.h"
#include "passes/unflatten/outline.h"
#include "support/flat_map.h"
#include "support/number_set.h"
#include "support/shared_vector.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <malloc.h>

namespace sunder::container_bench {

namespace {

struct Cost {
    double seconds = 0;
    std::size_t bytes = 0;
    std::size_t result = 0; ///< result of the work, equal for both; using it keeps the work from being optimized away
};

/// Runs `work`, which returns the built object and a number. Memory is measured while that object is alive.
template <class Work>
Cost costOf(Work work)
{
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const std::clock_t start = std::clock();
    const auto [built, result] = work();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return {seconds, mallinfo2().uordblks + mallinfo2().hblkhd - before, result};
}

void print(const char* what, const Cost& ours, const Cost& standard)
{
    if (ours.result != standard.result) {
        std::fprintf(stderr, "%s: the containers disagree\n", what);
        std::exit(1);
    }
    const auto ratio = [](auto a, auto b) { return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 0.0; };
    std::printf("%-44s %8.3f s %8.3f s  %5.2f   %9.2f MB %9.2f MB  %5.2f\n", what, ours.seconds, standard.seconds,
                ratio(standard.seconds, ours.seconds), static_cast<double>(ours.bytes) / 1e6,
                static_cast<double>(standard.bytes) / 1e6, ratio(standard.bytes, ours.bytes));
}

std::vector<InternedString> namesOf(std::size_t count)
{
    std::vector<InternedString> names;
    for (std::size_t i = 0; i < count; ++i)
        names.push_back(intern("node_" + std::to_string(i)));
    return names;
}

void benchFlatMap(const std::vector<InternedString>& names)
{
    const auto ours = costOf([&] {
        FlatMap<std::uint32_t> map;
        std::size_t sum = 0;
        for (std::uint32_t i = 0; i < names.size(); ++i)
            map.emplace(names[i], i);
        for (const InternedString name : names)
            sum += *map.find(name);
        return std::pair(std::move(map), sum);
    });
    const auto standard = costOf([&] {
        std::unordered_map<std::uint32_t, std::uint32_t> map;
        std::size_t sum = 0;
        for (std::uint32_t i = 0; i < names.size(); ++i)
            map.emplace(names[i].id(), i);
        for (const InternedString name : names)
            sum += map.find(name.id())->second;
        return std::pair(std::move(map), sum);
    });
    print("FlatMap / unordered_map, names of a graph", ours, standard);
}

void benchInternedSet(const std::vector<InternedString>& names)
{
    const auto ours = costOf([&] {
        InternedSet set;
        std::size_t found = 0;
        for (const InternedString name : names)
            found += set.insert(name) ? 1 : 0;
        for (const InternedString name : names)
            found += set.contains(name) ? 1 : 0;
        return std::pair(std::move(set), found);
    });
    const auto standard = costOf([&] {
        std::unordered_set<std::uint32_t> set;
        std::size_t found = 0;
        for (const InternedString name : names)
            found += set.insert(name.id()).second ? 1 : 0;
        for (const InternedString name : names)
            found += set.contains(name.id()) ? 1 : 0;
        return std::pair(std::move(set), found);
    });
    print("InternedSet / unordered_set, names of a graph", ours, standard);
}

void benchNumberSet(std::size_t count)
{
    const auto pairOf = [](std::uint64_t i) { return i * 7919 % 1'000'003 << 32U | i; };
    const auto ours = costOf([&] {
        NumberSet set;
        std::size_t fresh = 0;
        for (std::uint64_t i = 0; i < 2 * count; ++i)
            fresh += set.insert(pairOf(i % count)) ? 1 : 0;
        return std::pair(std::move(set), fresh);
    });
    const auto standard = costOf([&] {
        std::unordered_set<std::uint64_t> set;
        std::size_t fresh = 0;
        for (std::uint64_t i = 0; i < 2 * count; ++i)
            fresh += set.insert(pairOf(i % count)).second ? 1 : 0;
        return std::pair(std::move(set), fresh);
    });
    print("NumberSet / unordered_set, pairs of nodes", ours, standard);
}

void benchNodeTable(std::size_t count)
{
    constexpr std::size_t kModule = 12; // nodes per module
    const auto ours = costOf([&] {
        NodeTable table;
        std::size_t sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i % kModule == 0)
                table.clear();
            table.set(NodeId(i), NodeId(i / 2));
            sum += table.find(NodeId(i - i % kModule)).index();
        }
        return std::pair(std::move(table), sum);
    });
    const auto standard = costOf([&] {
        std::unordered_map<std::uint32_t, NodeId> table;
        std::size_t sum = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i % kModule == 0)
                table.clear();
            table[i] = NodeId(i / 2);
            sum += table.find(static_cast<std::uint32_t>(i - i % kModule))->second.index();
        }
        return std::pair(std::move(table), sum);
    });
    print("NodeTable / unordered_map, module after module", ours, standard);
}

void benchStampSet(std::size_t bound)
{
    constexpr std::size_t kRounds = 2000;
    constexpr std::uint32_t kMembers = 50;
    const auto ours = costOf([&] {
        StampSet set(bound);
        std::size_t fresh = 0;
        for (std::size_t round = 0; round < kRounds; ++round, set.clear())
            for (std::uint32_t i = 0; i < kMembers; ++i)
                fresh += set.insert((i * 7919U + static_cast<std::uint32_t>(round)) % static_cast<std::uint32_t>(bound)) ? 1 : 0;
        return std::pair(std::move(set), fresh);
    });
    const auto standard = costOf([&] {
        std::unordered_set<std::uint32_t> set;
        std::size_t fresh = 0;
        for (std::size_t round = 0; round < kRounds; ++round, set.clear())
            for (std::uint32_t i = 0; i < kMembers; ++i)
                fresh += set.insert((i * 7919U + static_cast<std::uint32_t>(round)) % static_cast<std::uint32_t>(bound)).second
                    ? 1
                    : 0;
        return std::pair(std::move(set), fresh);
    });
    print("StampSet / unordered_set, small sets in turn", ours, standard);
}

void benchSharedVector(std::size_t count)
{
    const std::vector<SharedVector<std::uint64_t>> shared(count, SharedVector<std::uint64_t>{1, 2, 3});
    const std::vector<std::vector<std::uint64_t>> owned(count, std::vector<std::uint64_t>{1, 2, 3});
    const auto ours = costOf([&] {
        auto copy = shared;
        std::size_t sum = 0;
        for (std::size_t i = 0; i < copy.size(); i += 100) {
            copy[i][1] = i;
            sum += std::as_const(copy)[i][1];
        }
        return std::pair(std::move(copy), sum);
    });
    const auto standard = costOf([&] {
        auto copy = owned;
        std::size_t sum = 0;
        for (std::size_t i = 0; i < copy.size(); i += 100) {
            copy[i][1] = i;
            sum += copy[i][1];
        }
        return std::pair(std::move(copy), sum);
    });
    print("SharedVector / vector, a copy that changes by 1%", ours, standard);
}

} // namespace

int run(int count, char** words)
{
    const std::size_t size = count > 1 ? std::strtoul(words[1], nullptr, 10) : 1'000'000;
    if (size == 0) {
        std::fprintf(stderr, "usage: container_bench [NODES]\n");
        return 2;
    }
    const std::vector<InternedString> names = namesOf(size);
    std::printf("%-44s %10s %10s %6s   %12s %12s %6s\n", "work", "ours", "std", "times", "ours", "std", "times");
    benchFlatMap(names);
    benchInternedSet(names);
    benchNumberSet(size);
    benchNodeTable(size);
    benchStampSet(size);
    benchSharedVector(size);
    return 0;
}

const Benchmark kBenchmark{"container_bench", run};

} // namespace sunder::container_bench
