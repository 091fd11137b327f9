#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Lists of 32-bit indices in one allocation. Filled row by row, or by counting.
class Rows {
public:
    [[nodiscard]] std::size_t size() const { return m_begin.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const
    {
        return std::span(m_items).subspan(m_begin[row], m_begin[row + 1] - m_begin[row]);
    }

    /// Adds to the row that the next endRow() closes.
    void add(std::uint32_t item) { m_items.push_back(item); }
    void endRow() { m_begin.push_back(static_cast<std::uint32_t>(m_items.size())); }
    /// Returns the current content of the open row.
    [[nodiscard]] std::span<const std::uint32_t> openRow() const { return std::span(m_items).subspan(m_begin.back()); }

    /// Returns the inverse: row i lists the rows that contain i, ascending. `rows`: 1 + largest item.
    [[nodiscard]] Rows inverted(std::size_t rows) const
    {
        Rows out;
        out.m_begin.assign(rows + 1, 0);
        for (const std::uint32_t item : m_items)
            ++out.m_begin[item + std::size_t{1}];
        for (std::size_t i = 1; i < out.m_begin.size(); ++i)
            out.m_begin[i] += out.m_begin[i - 1];
        std::vector<std::uint32_t> next(out.m_begin.begin(), out.m_begin.end() - 1);
        out.m_items.resize(m_items.size());
        for (std::size_t row = 0; row < size(); ++row)
            for (const std::uint32_t item : (*this)[row])
                out.m_items[next[item]++] = static_cast<std::uint32_t>(row);
        return out;
    }

private:
    std::vector<std::uint32_t> m_begin = {0};
    std::vector<std::uint32_t> m_items;
};

} // namespace sunder
