#include "passes/support/grow_groups.h"

#include "passes/support/group_grower.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace sunder {
namespace {

/// Grows groups for several sets of supported ops. While they agree on the nodes visited, one grower stands for them.
class VariantGrower final {
public:
    VariantGrower(const SupportGraph& graph, std::span<const std::vector<char>> variants, const GrowOptions& options,
                  ProgressMonitor& monitor)
        : m_graph(graph), m_variants(variants), m_options(options),
          m_steps(monitor, graph.size() * variants.size(), "Grouping ops by support"), m_groupOf(variants.size())
    {
    }

    Result<std::vector<std::vector<std::uint32_t>>> run()
    {
        std::vector<std::size_t> all(m_variants.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const std::unique_ptr<GroupGrower> grower = std::make_unique<GroupGrower>(m_graph, m_options);
        SUNDER_PROPAGATE(grow(*grower, 0, std::move(all)));
        return std::move(m_groupOf);
    }

private:
    /// Visits the nodes from `bit` on for these variants. The fewer of those that disagree go first, with a copy, so that there are
    /// few copies at a time.
    Result<void> grow(GroupGrower& grower, std::uint32_t bit, std::vector<std::size_t> variants)
    {
        for (; bit < m_graph.size() && !variants.empty(); ++bit) {
            SUNDER_PROPAGATE(m_steps.step());
            const std::uint32_t position = m_graph.size() - 1 - bit;
            const auto isIn = [&](std::size_t variant) { return m_variants[variant][position] != 0; };
            std::vector<std::size_t> others;
            if (const auto with = static_cast<std::size_t>(std::ranges::count_if(variants, isIn));
                with > 0 && with < variants.size()) {
                const bool isOther = 2 * with <= variants.size();
                std::ranges::copy_if(variants, std::back_inserter(others), [&](std::size_t one) { return isIn(one) == isOther; });
                std::erase_if(variants, [&](std::size_t one) { return isIn(one) == isOther; });
                std::unique_ptr<GroupGrower> copy = spare();
                copy->follow(grower);
                SUNDER_PROPAGATE(grow(*copy, bit, std::move(others)));
                m_spares.push_back(std::move(copy));
            }
            grower.visit(bit, isIn(variants.front()));
        }
        for (const std::size_t variant : variants)
            m_groupOf[variant] = grower.groups();
        return {};
    }

    std::unique_ptr<GroupGrower> spare()
    {
        if (m_spares.empty())
            return std::make_unique<GroupGrower>(m_graph, m_options);
        std::unique_ptr<GroupGrower> last = std::move(m_spares.back());
        m_spares.pop_back();
        return last;
    }

    const SupportGraph& m_graph;
    std::span<const std::vector<char>> m_variants; ///< per position
    GrowOptions m_options;
    StepMonitor m_steps;
    std::vector<std::vector<std::uint32_t>> m_groupOf; ///< per variant
    std::vector<std::unique_ptr<GroupGrower>> m_spares;
};

} // namespace

Result<std::vector<std::vector<std::uint32_t>>> growGroups(const SupportGraph& graph, std::span<const std::vector<char>> variants,
                                                           const GrowOptions& options, ProgressMonitor& monitor)
{
    return VariantGrower(graph, variants, options, monitor).run();
}

} // namespace sunder
