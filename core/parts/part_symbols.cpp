#include "parts/part_symbols.h"

#include <cctype>
#include <unordered_set>

namespace sunder {
namespace {

class SymbolCollector {
public:
    void addValue(const Argument& value)
    {
        if (value.is(ArgumentKind::symbolic))
            addExpression(value.asSymbolic().expression);
        else if (value.is(ArgumentKind::tensor))
            addTensor(value.asTensor());
        for (const Argument& item : value.items())
            addValue(item);
    }

    [[nodiscard]] bool contains(InternedString symbol) const { return m_symbols.contains(symbol.view()); }

private:
    void addTensor(const TensorMeta& tensor)
    {
        for (const Argument& size : tensor.shape)
            addValue(size);
        if (tensor.stride)
            for (const Argument& stride : *tensor.stride)
                addValue(stride);
        if (tensor.offset)
            addValue(*tensor.offset);
    }

    /// Adds every identifier. This includes sympy functions, which are not symbols of any program.
    void addExpression(InternedString expression)
    {
        if (!m_expressions.insert(expression).second)
            return;
        const std::string_view text = expression.view();
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t start = at;
            while (at < text.size() && isWord(text[at]))
                ++at;
            if (at > start)
                m_symbols.insert(text.substr(start, at - start));
            else
                ++at;
        }
    }

    std::unordered_set<InternedString> m_expressions;
    std::unordered_set<std::string_view> m_symbols;
};

} // namespace

std::vector<SymbolRange> rangesInUse(const Program& program, const std::vector<SymbolRange>& ranges)
{
    std::vector<SymbolRange> used;
    if (ranges.empty())
        return used;
    SymbolCollector symbols;
    for (const Graph& graph : program.graphs)
        for (const NodeId id : graph.nodes())
            if (graph.node(id).meta.val)
                symbols.addValue(*graph.node(id).meta.val);
    for (const SymbolRange& range : ranges)
        if (symbols.contains(range.symbol))
            used.push_back(range);
    return used;
}

} // namespace sunder
