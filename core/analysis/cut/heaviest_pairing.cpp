#include "analysis/cut/heaviest_pairing.h"

#include <limits>

namespace sunder {
namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int32_t kUnpaired = -1;

PairWeights transposed(const PairWeights& weights)
{
    PairWeights result(weights.front().size(), std::vector<std::int64_t>(weights.size()));
    for (std::size_t row = 0; row < weights.size(); ++row)
        for (std::size_t column = 0; column < weights[row].size(); ++column)
            result[column][row] = weights[row][column];
    return result;
}

/// Adds one row after the other to a cheapest pairing. Costs are negative weights; potentials keep all reduced costs at 0 or above.
/// Index 0 stands for no row and no column. Needs at least as many columns as rows.
class Pairing {
public:
    explicit Pairing(const PairWeights& weights)
        : m_weights(weights), m_columns(weights.front().size()), m_rowPotential(weights.size() + 1, 0),
          m_columnPotential(m_columns + 1, 0), m_rowOf(m_columns + 1, 0)
    {
        for (std::size_t row = 1; row <= weights.size(); ++row)
            add(row);
    }

    [[nodiscard]] std::vector<std::int32_t> columns() const
    {
        std::vector<std::int32_t> result(m_weights.size(), kUnpaired);
        for (std::size_t column = 1; column <= m_columns; ++column)
            if (m_rowOf[column] != 0 && m_weights[m_rowOf[column] - 1][column - 1] > 0)
                result[m_rowOf[column] - 1] = static_cast<std::int32_t>(column - 1);
        return result;
    }

private:
    void add(std::size_t row)
    {
        std::vector<std::int64_t> least(m_columns + 1, kInfinite); // reduced cost to reach a column
        std::vector<std::size_t> from(m_columns + 1, 0); // column before it on the path
        std::vector<char> isReached(m_columns + 1, 0);
        std::size_t at = 0;
        m_rowOf[0] = row;
        while (m_rowOf[at] != 0) {
            isReached[at] = 1;
            const std::size_t next = relax(at, least, from, isReached);
            const std::int64_t step = least[next];
            for (std::size_t column = 0; column <= m_columns; ++column) {
                if (isReached[column] != 0) {
                    m_rowPotential[m_rowOf[column]] += step;
                    m_columnPotential[column] -= step;
                } else {
                    least[column] -= step;
                }
            }
            at = next;
        }
        for (; at != 0; at = from[at]) // shifts the pairs along the path
            m_rowOf[at] = m_rowOf[from[at]];
    }

    /// Follows the row of a reached column to all others. Returns the nearest column that is not reached yet.
    std::size_t relax(std::size_t at, std::vector<std::int64_t>& least, std::vector<std::size_t>& from,
                      const std::vector<char>& isReached) const
    {
        const std::size_t row = m_rowOf[at];
        std::size_t nearest = 0;
        for (std::size_t column = 1; column <= m_columns; ++column) {
            if (isReached[column] != 0)
                continue;
            const std::int64_t cost = -m_weights[row - 1][column - 1] - m_rowPotential[row] - m_columnPotential[column];
            if (cost < least[column]) {
                least[column] = cost;
                from[column] = at;
            }
            if (nearest == 0 || least[column] < least[nearest])
                nearest = column;
        }
        return nearest;
    }

    const PairWeights& m_weights;
    std::size_t m_columns;
    std::vector<std::int64_t> m_rowPotential;
    std::vector<std::int64_t> m_columnPotential;
    std::vector<std::size_t> m_rowOf; ///< per column
};

} // namespace

std::vector<std::int32_t> heaviestPairing(const PairWeights& weights)
{
    if (weights.empty() || weights.front().empty())
        return std::vector<std::int32_t>(weights.size(), kUnpaired);
    if (weights.size() <= weights.front().size())
        return Pairing(weights).columns();
    std::vector<std::int32_t> columnOf(weights.size(), kUnpaired);
    const PairWeights turned = transposed(weights);
    const std::vector<std::int32_t> rowOf = Pairing(turned).columns();
    for (std::size_t column = 0; column < rowOf.size(); ++column)
        if (rowOf[column] >= 0)
            columnOf[static_cast<std::size_t>(rowOf[column])] = static_cast<std::int32_t>(column);
    return columnOf;
}

} // namespace sunder
