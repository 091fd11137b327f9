#include "passes/support/grow_groups.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace sunder;

namespace {

/// PyTorch's algorithm word for word: sets of ids, and a walk through the graph for every candidate.
class SlowGrower {
public:
    SlowGrower(const SupportGraph& graph, const std::vector<char>& isSupported, const GrowOptions& options)
        : m_graph(graph), m_isSupported(isSupported), m_options(options), m_owner(graph.size(), SupportParts::kNone)
    {
    }

    std::vector<std::uint32_t> run()
    {
        std::uint32_t created = 0;
        for (std::uint32_t at = m_graph.size(); at-- > 0;) {
            std::vector<std::uint32_t> candidates;
            const auto add = [&](std::uint32_t id) {
                if (std::ranges::find(candidates, id) == candidates.end())
                    candidates.push_back(id);
            };
            if (m_isSupported[at] != 0) {
                m_groups[created] = {.members = {at}, .rank = created, .known = {}};
                m_owner[at] = created;
                m_groups[created].known = down(m_graph.users[at]);
                m_groups[created].known.erase(created);
                add(created);
                if (!m_options.isHorizontal)
                    for (const std::uint32_t user : m_graph.users[at])
                        if (m_owner[user] != SupportParts::kNone)
                            add(m_owner[user]);
                ++created;
            }
            if (m_options.isHorizontal) {
                std::vector<std::uint32_t> ids;
                for (const auto& [id, group] : m_groups)
                    ids.push_back(id);
                std::ranges::sort(ids, {}, [this](std::uint32_t id) { return m_groups[id].rank; });
                std::ranges::for_each(ids, add);
            }
            for (std::size_t i = 1; i < candidates.size(); ++i)
                candidates[0] = merge(candidates[0], candidates[i]);
        }
        return m_owner;
    }

private:
    struct Group {
        std::vector<std::uint32_t> members;
        std::uint32_t rank;
        std::set<std::uint32_t> known;
    };

    template <typename Nodes>
    std::set<std::uint32_t> reach(const Nodes& nodes, bool throughGroups, std::uint32_t a, std::uint32_t b) const
    {
        std::vector<std::uint32_t> todo(nodes.begin(), nodes.end());
        std::set<std::uint32_t> seen;
        while (!todo.empty()) {
            const std::uint32_t at = todo.back();
            todo.pop_back();
            if (!seen.insert(at).second)
                continue;
            todo.insert(todo.end(), m_graph.users[at].begin(), m_graph.users[at].end());
            if (const std::uint32_t owner = m_owner[at];
                throughGroups && owner != SupportParts::kNone && owner != a && owner != b)
                todo.insert(todo.end(), m_groups.at(owner).members.begin(), m_groups.at(owner).members.end());
        }
        return seen;
    }

    template <typename Nodes>
    std::set<std::uint32_t> down(const Nodes& users) const
    {
        std::set<std::uint32_t> ids;
        for (const std::uint32_t at : reach(users, false, 0, 0))
            if (const std::uint32_t owner = m_owner[at]; owner != SupportParts::kNone) {
                ids.insert(owner);
                ids.insert(m_groups.at(owner).known.begin(), m_groups.at(owner).known.end());
            }
        return ids;
    }

    std::vector<std::uint32_t> usersOutside(std::uint32_t a, std::uint32_t b) const
    {
        std::vector<std::uint32_t> found;
        for (const std::uint32_t id : {a, b})
            for (const std::uint32_t member : m_groups.at(id).members)
                for (const std::uint32_t user : m_graph.users[member])
                    if (m_owner[user] != a && m_owner[user] != b)
                        found.push_back(user);
        return found;
    }

    bool makesCycle(std::uint32_t a, std::uint32_t b) const
    {
        return std::ranges::any_of(reach(usersOutside(a, b), m_options.isExact, a, b), [&](std::uint32_t at) {
            const std::uint32_t owner = m_owner[at];
            if (owner == SupportParts::kNone)
                return false;
            const std::set<std::uint32_t>& known = m_groups.at(owner).known;
            return owner == a || owner == b || (!m_options.isExact && (known.contains(a) || known.contains(b)));
        });
    }

    std::uint32_t merge(std::uint32_t a, std::uint32_t b)
    {
        if (makesCycle(a, b))
            return a;
        const bool isSmaller = m_groups[a].members.size() < m_groups[b].members.size();
        const std::uint32_t kept = isSmaller ? b : a;
        const Group gone = m_groups[isSmaller ? a : b];
        m_groups.erase(isSmaller ? a : b);
        Group& group = m_groups[kept];
        for (const std::uint32_t member : gone.members)
            m_owner[member] = kept;
        group.members.insert(group.members.end(), gone.members.begin(), gone.members.end());
        group.rank = std::min(group.rank, gone.rank);
        group.known.insert(gone.known.begin(), gone.known.end());
        group.known.merge(down(usersOutside(kept, kept)));
        group.known.erase(a);
        group.known.erase(b);
        return kept;
    }

    const SupportGraph& m_graph;
    const std::vector<char>& m_isSupported;
    GrowOptions m_options;
    std::vector<std::uint32_t> m_owner;
    std::map<std::uint32_t, Group> m_groups;
};

/// Renumbers groups by their first node, so that equal partitions are equal.
std::vector<std::uint32_t> inOrderOfFirst(std::vector<std::uint32_t> groupOf)
{
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t& group : groupOf)
        if (group != SupportParts::kNone)
            group = numbers.emplace(group, static_cast<std::uint32_t>(numbers.size())).first->second;
    return groupOf;
}

/// A graph in which each call uses up to three of the last values.
Program localProgram(std::mt19937& random, unsigned calls, unsigned near)
{
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    std::vector<NodeId> values;
    for (const char* name : {"x", "y"})
        values.push_back(graph.create({.op = Op::placeholder, .name = {}, .target = intern(name)}));
    for (unsigned i = 0; i < calls; ++i) {
        Arguments args;
        for (unsigned used = 0; used <= random() % 3; ++used)
            args.push_back(Argument::node(values[values.size() - 1 - random() % std::min<std::size_t>(near, values.size())]));
        values.push_back(
            graph.create({.op = Op::callFunction, .name = {}, .target = intern("torch.relu"), .args = std::move(args)}));
    }
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::node(values.back())}});
    return program;
}

/// Returns the first variant whose groups differ from PyTorch's; empty if there is none.
QString difference(const SupportGraph& graph, const std::vector<std::vector<char>>& variants, const GrowOptions& options)
{
    const Result<std::vector<std::vector<std::uint32_t>>> fast = growGroups(graph, variants, options);
    for (std::size_t at = 0; at < variants.size(); ++at)
        if (inOrderOfFirst((*fast)[at]) != inOrderOfFirst(SlowGrower(graph, variants[at], options).run()))
            return QString(", variant %1").arg(at);
    return {};
}

} // namespace

/// Groups of ops that an accelerator supports.
class GrowGroupsTest final : public QObject {
    Q_OBJECT

private slots:
    void equalsPyTorchsAlgorithm_data()
    {
        QTest::addColumn<bool>("isHorizontal");
        QTest::addColumn<bool>("isExact");
        QTest::newRow("as PyTorch") << true << false;
        QTest::newRow("as PyTorch, without horizontal fusion") << false << false;
        QTest::newRow("exact") << true << true;
        QTest::newRow("exact, without horizontal fusion") << false << true;
    }

    void equalsPyTorchsAlgorithm()
    {
        QFETCH(const bool, isHorizontal);
        QFETCH(const bool, isExact);
        const GrowOptions options{.isHorizontal = isHorizontal, .isExact = isExact};
        for (unsigned seed = 0; seed < 40; ++seed) {
            std::mt19937 random(seed);
            const Program program = localProgram(random, 5 + seed % 40 + (seed % 10 == 0 ? 60 : 0), seed % 2 == 0 ? 4 : 12);
            const SupportGraph graph(program);
            std::vector<char> isSupported;
            for (std::uint32_t at = 0; at < graph.size(); ++at)
                isSupported.push_back(graph.isCall[at] != 0 && random() % 10 < 4 + seed % 5 ? 1 : 0);
            const QString problem = difference(graph, {isSupported}, options);
            QVERIFY2(problem.isEmpty(), qPrintable(QString::number(seed) + problem));
        }
    }

    void variantsAreIndependent()
    {
        for (unsigned seed = 0; seed < 24; ++seed) {
            std::mt19937 random(seed);
            const Program program = localProgram(random, 5 + seed % 40 + (seed % 6 == 0 ? 80 : 0), seed % 2 == 0 ? 4 : 12);
            const SupportGraph graph(program);
            std::vector<char> isSupported;
            for (std::uint32_t at = 0; at < graph.size(); ++at)
                isSupported.push_back(graph.isCall[at] != 0 && random() % 10 < 5 ? 1 : 0);
            std::vector<std::vector<char>> variants(1 + seed % 7, isSupported);
            for (std::vector<char>& variant : variants)
                for (std::uint32_t at = 0; at < graph.size(); ++at)
                    if (graph.isCall[at] != 0 && random() % (3 + seed) == 0)
                        variant[at] = 1;
            const QString problem = difference(graph, variants, {.isHorizontal = seed % 3 != 0, .isExact = seed % 4 == 0});
            QVERIFY2(problem.isEmpty(), qPrintable(QString::number(seed) + problem));
        }
    }

    void growsAcrossWordsOfBits()
    {
        std::mt19937 random(7);
        const Program program = localProgram(random, 200, 3);
        const SupportGraph graph(program);
        std::vector<char> isSupported;
        for (std::uint32_t at = 0; at < graph.size(); ++at)
            isSupported.push_back(graph.isCall[at] != 0 && at % 5 != 0 ? 1 : 0);
        QCOMPARE(difference(graph, {isSupported}, {}), QString());
    }
};

const test::Registered<GrowGroupsTest> growGroupsTest("grow_groups_test");
#include "grow_groups_test.moc"
