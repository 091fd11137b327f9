#include "analysis/cost/einsum_flops.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sunder {
namespace {

/// One operand: a size per axis; 1 where it lacks the axis.
using Sizes = std::vector<std::uint64_t>;

/// A label of the equation, or one of the dimensions of its ellipsis, by the position from the last one.
using Axis = int;
constexpr Axis kEllipsis = 1000;

bool isLabel(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns the labels of one term with the axes of an ellipsis that covers `covered` dimensions; nothing if it is malformed.
std::optional<std::vector<Axis>> axesOf(std::string_view term, std::size_t covered)
{
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (term.substr(i, 3) == "...") {
            for (std::size_t k = covered; k-- > 0;)
                axes.push_back(kEllipsis + static_cast<Axis>(k));
            i += 2;
        } else if (isLabel(term[i])) {
            axes.push_back(term[i]);
        } else {
            return std::nullopt;
        }
    }
    return axes;
}

std::size_t labelsIn(std::string_view term)
{
    return static_cast<std::size_t>(std::ranges::count_if(term, isLabel));
}

/// The axes of an equation: first those of the output, then those that are summed.
struct Equation {
    std::vector<std::vector<Axis>> operands;
    std::vector<Axis> axes;
    std::size_t outputs = 0;
};

std::optional<Equation> equationOf(std::string_view text, std::span<const Shape> operands)
{
    std::string plain(text);
    std::erase(plain, ' ');
    const std::size_t arrow = plain.find("->");
    std::string_view rest = std::string_view(plain).substr(0, arrow);
    Equation equation;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::size_t comma = rest.find(',');
        const std::string_view term = rest.substr(0, comma);
        if ((comma == rest.npos) != (i + 1 == operands.size()) || labelsIn(term) > operands[i].sizes.size())
            return std::nullopt;
        const std::size_t covered = operands[i].sizes.size() - labelsIn(term);
        widest = term.find('.') != term.npos ? std::max(widest, covered) : widest;
        std::optional<std::vector<Axis>> axes = axesOf(term, covered);
        if (!axes || axes->size() != operands[i].sizes.size())
            return std::nullopt;
        equation.operands.push_back(*std::move(axes));
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
    std::vector<Axis> all;
    for (const auto& axes : equation.operands)
        all.insert(all.end(), axes.begin(), axes.end());
    if (arrow != plain.npos) {
        std::optional<std::vector<Axis>> output = axesOf(std::string_view(plain).substr(arrow + 2), widest);
        if (!output)
            return std::nullopt;
        equation.axes = *std::move(output);
    } else { // the ellipsis, then the labels that occur once
        for (std::size_t k = widest; k-- > 0;)
            equation.axes.push_back(kEllipsis + static_cast<Axis>(k));
        std::vector<Axis> once;
        for (const Axis axis : all)
            if (axis < kEllipsis && std::ranges::count(all, axis) == 1)
                once.push_back(axis);
        std::ranges::sort(once);
        equation.axes.insert(equation.axes.end(), once.begin(), once.end());
    }
    equation.outputs = equation.axes.size();
    for (const Axis axis : all)
        if (std::ranges::find(equation.axes, axis) == equation.axes.end())
            equation.axes.push_back(axis);
    return equation;
}

/// Contracts pairs of operands and adds up their products.
class Contraction {
public:
    Contraction(const Equation& equation, std::span<const Shape> operands)
        : m_outputs(equation.outputs), m_left(equation.axes.size(), 0)
    {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            Sizes sizes(equation.axes.size(), 1);
            for (std::size_t dim = 0; dim < equation.operands[i].size(); ++dim) {
                const auto at = std::ranges::find(equation.axes, equation.operands[i][dim]) - equation.axes.begin();
                sizes[static_cast<std::size_t>(at)] = operands[i].sizes[dim]; // a repeated label: the diagonal
            }
            for (std::size_t axis = 0; axis < sizes.size(); ++axis)
                m_left[axis] += sizes[axis] != 1 ? 1 : 0;
            m_operands.push_back(std::move(sizes));
        }
    }

    std::optional<EinsumFlops> run(std::span<const std::int64_t> path)
    {
        for (std::size_t step = 0; m_operands.size() > 1; ++step) {
            std::size_t i = 0;
            std::size_t j = 1;
            if (!path.empty()) {
                if (path.size() < 2 * step + 2 || path[2 * step] < 0 || path[2 * step + 1] < 0)
                    return std::nullopt;
                i = static_cast<std::size_t>(std::min(path[2 * step], path[2 * step + 1]));
                j = static_cast<std::size_t>(std::max(path[2 * step], path[2 * step + 1]));
            }
            if (i == j || j >= m_operands.size())
                return std::nullopt;
            Sizes a = std::move(m_operands[i]);
            Sizes b = std::move(m_operands[j]);
            m_operands.erase(m_operands.begin() + static_cast<std::ptrdiff_t>(j));
            m_operands.erase(m_operands.begin() + static_cast<std::ptrdiff_t>(i));
            Sizes result = contract(std::move(a), std::move(b));
            m_operands.insert(path.empty() ? m_operands.begin() : m_operands.end(), std::move(result));
        }
        return m_flops;
    }

private:
    Sizes contract(Sizes a, Sizes b)
    {
        std::vector<char> isSummed(a.size(), 0);
        for (std::size_t axis = m_outputs; axis < a.size(); ++axis) {
            if (a[axis] != 1 && b[axis] != 1) {
                isSummed[axis] = --m_left[axis] == 1 ? 1 : 0;
                m_left[axis] -= isSummed[axis];
            } else if (m_left[axis] == 1 && (a[axis] != 1 || b[axis] != 1)) { // summed before the product
                a[axis] = b[axis] = 1;
                m_left[axis] = 0;
            }
        }
        if (std::ranges::find(isSummed, 1) != isSummed.end())
            multiply(a, b);
        for (std::size_t axis = 0; axis < a.size(); ++axis)
            a[axis] = isSummed[axis] != 0 ? 1 : a[axis] == 1 ? b[axis] : a[axis];
        return a;
    }

    /// Two operations for each combination of indices.
    void multiply(const Sizes& a, const Sizes& b)
    {
        std::uint64_t count = 2;
        std::uint64_t total = m_flops.count.value_or(0);
        bool isKnown = m_flops.count.has_value();
        for (std::size_t axis = 0; axis < a.size(); ++axis)
            isKnown = isKnown && !__builtin_mul_overflow(count, a[axis] == 1 ? b[axis] : a[axis], &count);
        isKnown = isKnown && !__builtin_add_overflow(total, count, &total);
        m_flops = {.count = isKnown ? std::optional(total) : std::nullopt, .multiplies = true};
    }

    std::size_t m_outputs;
    std::vector<int> m_left; ///< per axis: operands in which its size is not 1
    std::vector<Sizes> m_operands;
    EinsumFlops m_flops;
};

} // namespace

std::optional<EinsumFlops> einsumFlops(std::string_view equation, std::span<const Shape> operands,
                                       std::span<const std::int64_t> path)
{
    if (operands.empty() || (!path.empty() && path.size() < 2 * (operands.size() - 1)))
        return std::nullopt;
    const std::optional<Equation> parsed = equationOf(equation, operands);
    return parsed ? Contraction(*parsed, operands).run(path) : std::nullopt;
}

} // namespace sunder
