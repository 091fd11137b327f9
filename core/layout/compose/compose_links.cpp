#include "layout/compose/compose_links.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sunder::compose {
namespace {

auto orderOf(const Link& link)
{
    return std::tuple(link.body, link.producer, link.from, link.to);
}

class LinkMaker {
public:
    explicit LinkMaker(const collapse::Collapsed& collapsed) : m_entries(collapsed.entries) {}

    Links run(const std::vector<collapse::Dependency>& dependencies)
    {
        Links result;
        for (const collapse::Dependency& dependency : dependencies) {
            result.pathStart.push_back(static_cast<Index>(m_all.size()));
            addPath(dependency.from, dependency.to);
        }
        result.pathStart.push_back(static_cast<Index>(m_all.size()));
        number(result);
        return result;
    }

private:
    [[nodiscard]] Index bodyOf(Index entry) const { return m_entries[entry].parent == kNone ? 0 : m_entries[entry].parent + 1; }

    /// Walks up from both ends until they are in the same body.
    void addPath(Index producer, Index reader)
    {
        Index from = producer;
        Index to = reader;
        std::vector<Link> inwards;
        while (bodyOf(from) != bodyOf(to)) {
            if (m_entries[from].depth >= m_entries[to].depth) {
                m_all.push_back({bodyOf(from), producer, from, kNone});
                from = m_entries[from].parent;
            } else {
                inwards.push_back({bodyOf(to), producer, kNone, to});
                to = m_entries[to].parent;
            }
        }
        m_all.push_back({bodyOf(from), producer, from, to});
        m_all.insert(m_all.end(), inwards.rbegin(), inwards.rend());
    }

    void number(Links& result) const
    {
        std::vector<Index> order(m_all.size());
        std::iota(order.begin(), order.end(), Index{0});
        std::sort(order.begin(), order.end(), [&](Index a, Index b) { return orderOf(m_all[a]) < orderOf(m_all[b]); });
        result.path.resize(m_all.size());
        for (const Index i : order) {
            if (result.links.empty() || orderOf(result.links.back()) != orderOf(m_all[i]))
                result.links.push_back(m_all[i]);
            result.path[i] = static_cast<Index>(result.links.size() - 1);
        }
        result.bodyStart.assign(m_entries.size() + 2, 0);
        for (const Link& link : result.links)
            ++result.bodyStart[link.body + 1];
        std::partial_sum(result.bodyStart.begin(), result.bodyStart.end(), result.bodyStart.begin());
    }

    const std::vector<collapse::Entry>& m_entries;
    std::vector<Link> m_all;
};

} // namespace

Links linksOf(const collapse::Collapsed& collapsed, const std::vector<collapse::Dependency>& dependencies)
{
    return LinkMaker(collapsed).run(dependencies);
}

} // namespace sunder::compose
