#include "parts/boundary_symbols.h"

#include "io/sympy/sympy_infix.h"
#include "io/sympy/sympy_printer.h"
#include "io/sympy/sympy_range.h"
#include "io/sympy/sympy_rewriter.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

class BoundarySymbols {
public:
    BoundarySymbols(Program& part, const std::vector<SymbolRange>& ranges) : m_part(part), m_ranges(ranges)
    {
        for (const SymbolRange& range : ranges) {
            m_rangeOf.emplace(range.symbol.str(), SympyRange{range.min, range.max});
            m_names.insert(range.symbol.str());
        }
    }

    std::vector<SymbolRange> run()
    {
        const std::vector<NodeId> inputs = userInputs();
        for (const NodeId id : inputs)
            forEachSize(id, [this](const SymbolicValue& size) { notePlain(size); });
        if (!m_hasSymbols)
            return m_ranges;
        noteNames();
        for (const NodeId id : inputs)
            forEachSize(id, [this](const SymbolicValue& size) { bind(size, true); });
        for (const NodeId id : inputs)
            forEachStride(id, [this](const SymbolicValue& stride) { bind(stride, false); });
        rewriteValues();
        return m_ranges;
    }

private:
    [[nodiscard]] std::vector<NodeId> userInputs() const
    {
        std::vector<NodeId> found;
        std::size_t next = 0;
        const Graph& graph = m_part.rootGraph();
        for (const NodeId id : graph.nodes()) {
            if (graph.node(id).op != Op::placeholder || !m_part.signature || next == m_part.signature->inputs.size())
                break;
            if (m_part.signature->inputs[next++].kind == InputKind::user && graph.node(id).meta.val)
                found.push_back(id);
        }
        return found;
    }

    template <typename Visit>
    static void visit(const Argument& value, const Visit& visit)
    {
        if (value.is(ArgumentKind::symbolic) && value.asSymbolic().kind == SymbolKind::integer)
            visit(value.asSymbolic());
    }

    template <typename Visit>
    void forEachSize(NodeId input, const Visit& each) const
    {
        const Argument value = *m_part.rootGraph().node(input).meta.val;
        visit(value, each);
        if (value.is(ArgumentKind::tensor))
            for (const Argument& size : value.asTensor().shape)
                visit(size, each);
    }

    template <typename Visit>
    void forEachStride(NodeId input, const Visit& each) const
    {
        const Argument value = *m_part.rootGraph().node(input).meta.val;
        if (value.is(ArgumentKind::tensor) && value.asTensor().stride)
            for (const Argument& stride : *value.asTensor().stride)
                visit(stride, each);
    }

    void notePlain(const SymbolicValue& size)
    {
        m_hasSymbols = true;
        const std::optional<SympyExpression> expression = parseInfix(size.expression.view());
        if (expression && expression->is(SympyExpression::Kind::symbol))
            m_plain.insert(m_rewriter.symbol(expression->text));
    }

    /// Collects all names in the part, so that new symbols are unique.
    void noteNames()
    {
        for (const Graph& graph : m_part.graphs)
            for (const NodeId id : graph.nodes())
                if (graph.node(id).meta.val)
                    noteNamesIn(*graph.node(id).meta.val);
    }

    void noteNamesIn(const Argument& value)
    {
        if (value.is(ArgumentKind::symbolic))
            noteWords(value.asSymbolic().expression);
        if (value.is(ArgumentKind::tensor)) {
            for (const Argument& size : value.asTensor().shape)
                noteNamesIn(size);
            if (value.asTensor().stride)
                for (const Argument& stride : *value.asTensor().stride)
                    noteNamesIn(stride);
        }
        for (const Argument& item : value.items())
            noteNamesIn(item);
    }

    void noteWords(InternedString expression)
    {
        if (!m_read.insert(expression).second)
            return;
        const std::string_view text = expression.view();
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t start = at;
            while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_'))
                ++at;
            if (at > start)
                m_names.insert(std::string(text.substr(start, at - start)));
        }
    }

    /// Makes PyTorch able to infer the symbols of an input's size or stride. `isChecked`: PyTorch compares it with the actual
    /// input, as it does for sizes but not for strides.
    void bind(const SymbolicValue& size, bool isChecked)
    {
        const std::optional<SympyExpression> expression = parseInfix(size.expression.view());
        if (!expression)
            return;
        const SympyPolynomial polynomial = m_rewriter.read(*expression);
        std::vector<SympyMonomial> unbound;
        for (const auto& [monomial, coefficient] : polynomial.terms)
            if (!isBound(monomial))
                unbound.push_back(monomial);
        if (unbound.empty())
            return;
        const bool isOneTerm = polynomial.terms.size() - polynomial.terms.count({}) == 1;
        const bool isOneSymbol = isOneTerm && unbound.front().size() == 1
            && !m_rewriter.symbolName(unbound.front().front()).empty();
        if (isOneSymbol) {
            const std::uint32_t symbol = unbound.front().front();
            const std::int64_t factor = polynomial.terms.at(unbound.front());
            if (polynomial.asAtom() || (factor != 1 && factor != -1) || (isChecked && m_plain.contains(symbol))) {
                m_bound.insert(symbol);
                return;
            }
        }
        if (!comesAnyway(polynomial))
            define(size, *expression, polynomial, unbound, isOneTerm, isChecked);
    }

    /// Whether a size of several symbols needs no new symbol: it is not compared, and each of its symbols is the size of some
    /// input.
    [[nodiscard]] bool comesAnyway(const SympyPolynomial& polynomial) const
    {
        std::unordered_set<std::uint32_t> symbols;
        for (const auto& [monomial, coefficient] : polynomial.terms)
            for (const std::uint32_t atom : monomial)
                for (const std::uint32_t symbol : m_rewriter.symbolsIn(atom))
                    symbols.insert(symbol);
        return symbols.size() > 1 && std::all_of(symbols.begin(), symbols.end(), [this](std::uint32_t symbol) {
                   return m_plain.contains(symbol) || m_bound.contains(symbol);
               });
    }

    [[nodiscard]] bool isBound(const SympyMonomial& monomial) const
    {
        return std::all_of(monomial.begin(), monomial.end(), [this](std::uint32_t atom) {
            const std::vector<std::uint32_t>& symbols = m_rewriter.symbolsIn(atom);
            return std::all_of(symbols.begin(), symbols.end(), [this](std::uint32_t s) { return m_bound.contains(s); });
        });
    }

    /// Defines a new symbol for `inner`, where polynomial = rest + factor × (inner). The factor is 1 unless all terms but the
    /// constant have a common divisor.
    void define(const SymbolicValue& size, const SympyExpression& expression, const SympyPolynomial& polynomial,
                std::vector<SympyMonomial> unbound, bool isOneTerm, bool isSize)
    {
        std::int64_t factor = 0;
        for (const auto& [monomial, coefficient] : polynomial.terms)
            factor = monomial.empty() ? factor : std::gcd(factor, coefficient);
        if (isOneTerm)
            factor = polynomial.terms.at(unbound.front());
        const bool isWhole = factor == 1 || factor == -1;
        const std::int64_t constant = isWhole ? 0 : polynomial.constant();
        const auto shifted = plus(polynomial, SympyPolynomial::number(-constant));
        const auto inner = isWhole ? shifted : shifted ? shifted->dividedBy(factor) : std::nullopt;
        if (!inner)
            return;
        const std::optional<SympyMonomial> product = productToReplace(*inner, std::move(unbound));
        if (!product)
            return;
        const std::optional<std::int64_t> hint = size.integerHint();
        const std::string name = newName(hint ? 's' : 'u');
        SympyRange range = bounds(expression);
        if (isSize)
            range.min = std::max<std::int64_t>(range.min.value_or(0), 0);
        addRange(name, intersected(isWhole ? range : rangeOfOperand(range, constant, factor), bounds(m_rewriter.write(*inner))));
        const std::uint32_t symbol = m_rewriter.symbol(name);
        m_bound.insert(symbol);
        // inner = sign × product + others, so product = sign × (symbol − others)
        SympyPolynomial others = *inner;
        const std::int64_t sign = others.terms.at(*product);
        others.terms.erase(*product);
        const auto minus = times(others, SympyPolynomial::number(-1));
        const auto difference = minus ? plus(SympyPolynomial::atom(symbol), *minus) : std::nullopt;
        const auto value = difference ? times(*difference, SympyPolynomial::number(sign)) : std::nullopt;
        if (!value)
            return;
        m_rewriter.addEquation(*product, *value);
    }

    /// Returns the product that a new symbol replaces. Its coefficient must be 1 or -1. Prefers products other than a single
    /// symbol that is itself an input size, then the highest degree, then the longest text.
    [[nodiscard]] std::optional<SympyMonomial> productToReplace(const SympyPolynomial& inner,
                                                                std::vector<SympyMonomial> unbound) const
    {
        std::erase_if(unbound, [&](const SympyMonomial& monomial) {
            const std::int64_t coefficient = inner.terms.at(monomial);
            return coefficient != 1 && coefficient != -1;
        });
        const auto rank = [this](const SympyMonomial& monomial) {
            const bool comesByItself = monomial.size() == 1 && m_plain.contains(monomial.front());
            return std::tuple(!comesByItself, monomial.size(),
                              printSympy(m_rewriter.write(SympyPolynomial{.terms = {{monomial, 1}}})).size());
        };
        const auto best = std::max_element(unbound.begin(), unbound.end(),
                                           [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
        return best == unbound.end() ? std::nullopt : std::optional(*best);
    }

    [[nodiscard]] std::string newName(char kind)
    {
        constexpr int kFirst = 100;
        for (int number = kFirst;; ++number)
            if (std::string name = kind + std::to_string(number); m_names.insert(name).second)
                return name;
    }

    [[nodiscard]] SympyRange bounds(const SympyExpression& expression) const
    {
        return rangeOf(expression, [this](std::string_view symbol) { return rangeOfSymbol(symbol); });
    }

    void addRange(const std::string& name, const SympyRange& range)
    {
        m_rangeOf[name] = range;
        m_ranges.push_back({.symbol = intern(name), .min = range.min, .max = range.max});
    }

    /// PyTorch assumes symbols of sizes to be positive unless a range is stated.
    [[nodiscard]] SympyRange rangeOfSymbol(std::string_view symbol) const
    {
        const auto found = m_rangeOf.find(std::string(symbol));
        if (found != m_rangeOf.end())
            return found->second;
        return symbol.starts_with('s') ? SympyRange{.min = 1} : SympyRange{};
    }

    void rewriteValues()
    {
        for (Graph& graph : m_part.graphs)
            for (const NodeId id : graph.nodes())
                if (graph.node(id).meta.val)
                    if (std::optional<Argument> value = rewritten(*graph.node(id).meta.val))
                        graph.meta(id).val = *std::move(value);
    }

    /// Returns nothing if the value does not change.
    std::optional<Argument> rewritten(const Argument& value)
    {
        if (value.is(ArgumentKind::symbolic))
            return rewrittenSymbol(value);
        if (value.is(ArgumentKind::tensor))
            return rewrittenTensor(value.asTensor());
        std::optional<Arguments> items = rewritten(value.items());
        return items ? std::optional(value.withItems(*std::move(items)).withExtra(value.extra())) : std::nullopt;
    }

    std::optional<Arguments> rewritten(std::span<const Argument> values)
    {
        Arguments made;
        bool isChanged = false;
        for (const Argument& value : values) {
            const std::optional<Argument> one = rewritten(value);
            isChanged |= one.has_value();
            made.push_back(one ? *one : value);
        }
        return isChanged ? std::optional(std::move(made)) : std::nullopt;
    }

    std::optional<Argument> rewrittenTensor(const TensorMeta& tensor)
    {
        std::optional<Arguments> shape = rewritten(tensor.shape);
        std::optional<Arguments> stride = tensor.stride ? rewritten(*tensor.stride) : std::nullopt;
        const std::optional<Argument> offset = tensor.offset ? rewritten(*tensor.offset) : std::nullopt;
        if (!shape && !stride && !offset)
            return std::nullopt;
        TensorMeta made = tensor;
        if (shape)
            made.shape = *std::move(shape);
        if (stride)
            made.stride = *std::move(stride);
        if (offset)
            made.offset = offset;
        return Argument::tensor(std::move(made));
    }

    std::optional<Argument> rewrittenSymbol(const Argument& value)
    {
        SymbolicValue symbolic = value.asSymbolic();
        const auto [at, isNew] = m_textOf.try_emplace(symbolic.expression, symbolic.expression);
        if (isNew)
            at->second = rewrittenText(symbolic);
        if (at->second == symbolic.expression)
            return std::nullopt;
        symbolic.expression = at->second;
        return Argument::symbolic(std::move(symbolic)).withExtra(value.extra());
    }

    /// Returns the rewritten expression; the original text if no equation applies. An expression of symbols that no input of the
    /// part has gets a symbol of its own, because PyTorch has no value for them when it loads the part and may need one.
    InternedString rewrittenText(const SymbolicValue& value)
    {
        const std::optional<SympyExpression> expression = parseInfix(value.expression.view());
        if (!expression)
            return value.expression;
        const SympyPolynomial now = m_rewriter.read(*expression);
        if (value.kind == SymbolKind::integer && value.integerHint() && !isKnown(now)) {
            const auto [name, isNew] = m_inner.try_emplace(printSympy(m_rewriter.write(now)));
            if (isNew) {
                name->second = newName('s');
                addRange(name->second, bounds(*expression));
            }
            return intern(name->second);
        }
        const std::string printed = printSympy(m_rewriter.write(now));
        const std::string before = printSympy(m_unchanged.write(m_unchanged.read(*expression)));
        return printed == before ? value.expression : intern(printed);
    }

    /// Whether PyTorch can infer the symbols. Data-dependent symbols (u0) are defined by the node that creates them.
    [[nodiscard]] bool isKnown(const SympyPolynomial& polynomial) const
    {
        for (const auto& [monomial, coefficient] : polynomial.terms)
            for (const std::uint32_t atom : monomial)
                for (const std::uint32_t symbol : m_rewriter.symbolsIn(atom))
                    if (!m_bound.contains(symbol) && m_rewriter.symbolName(symbol).starts_with('s'))
                        return false;
        return true;
    }

    Program& m_part;
    std::vector<SymbolRange> m_ranges;
    SympyRewriter m_rewriter;
    SympyRewriter m_unchanged; ///< without equations
    std::unordered_map<std::string, SympyRange> m_rangeOf;
    std::unordered_set<std::string> m_names;
    std::unordered_set<InternedString> m_read;
    std::unordered_set<std::uint32_t> m_plain; ///< symbols that are exactly the size of an input
    std::unordered_set<std::uint32_t> m_bound; ///< symbols that PyTorch can infer so far
    std::unordered_map<InternedString, InternedString> m_textOf;
    std::unordered_map<std::string, std::string> m_inner; ///< expression of unknown symbols → its symbol
    bool m_hasSymbols = false;
};

} // namespace

std::vector<SymbolRange> giveInputsTheirSymbols(Program& part, const std::vector<SymbolRange>& ranges)
{
    return BoundarySymbols(part, ranges).run();
}

} // namespace sunder
