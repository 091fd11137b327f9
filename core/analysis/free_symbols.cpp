#include "analysis/free_symbols.h"

#include "ir/python_text.h"
#include "ir/tensor_meta.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace sunder {
namespace {

/// Constants as printed by sympy.
constexpr std::array<std::string_view, 6> kConstants = {"False", "True", "int_oo", "nan", "oo", "zoo"};

bool isConstant(std::string_view word)
{
    return std::ranges::binary_search(kConstants, word);
}

/// Visits the words of an expression, except numbers, constants and functions.
template <typename Visit>
void forEachSymbol(std::string_view text, const Visit& visit)
{
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        while (at < text.size() && isWord(text[at]))
            ++at;
        if (at == start) {
            ++at;
            continue;
        }
        const std::string_view word = text.substr(start, at - start);
        const bool isNumber = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
        const bool isFunction = at < text.size() && text[at] == '(';
        if (!isNumber && !isFunction && !isConstant(word))
            visit(word);
    }
}

void collect(const Argument& value, std::vector<InternedString>& symbols)
{
    if (value.is(ArgumentKind::symbolic)) {
        forEachSymbol(value.asSymbolic().expression.view(), [&](std::string_view word) { symbols.push_back(intern(word)); });
    } else if (value.is(ArgumentKind::tensor)) {
        const TensorMeta& tensor = value.asTensor();
        for (const Argument& size : tensor.shape)
            collect(size, symbols);
        if (tensor.stride)
            for (const Argument& stride : *tensor.stride)
                collect(stride, symbols);
        if (tensor.offset)
            collect(*tensor.offset, symbols);
    }
    for (const Argument& item : value.items())
        collect(item, symbols);
}

} // namespace

std::vector<InternedString> freeSymbols(const Argument& value)
{
    std::vector<InternedString> symbols;
    collect(value, symbols);
    std::ranges::sort(symbols, {}, [](InternedString symbol) { return symbol.view(); });
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    return symbols;
}

InternedString symbolOf(const Argument& value)
{
    if (!value.is(ArgumentKind::symbolic) || value.asSymbolic().kind == SymbolKind::boolean)
        return {};
    const InternedString expression = value.asSymbolic().expression;
    return isPythonIdentifier(expression.view()) && !isConstant(expression.view()) ? expression : InternedString();
}

} // namespace sunder
