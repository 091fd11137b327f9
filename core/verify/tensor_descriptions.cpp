#include "verify/tensor_descriptions.h"

#include "ir/value_kind.h"
#include "support/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sunder {
namespace {

std::string_view deviceOf(const TensorMeta& meta)
{
    return meta.device.empty() ? std::string_view("cpu") : meta.device.view();
}

bool isSameTensor(const TensorMeta& a, const TensorMeta& b)
{
    return a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride && deviceOf(a) == deviceOf(b)
        && isStrided(a) == isStrided(b);
}

bool isSame(const Argument& a, const Argument& b, int depth)
{
    if (a.is(ArgumentKind::tensor) && b.is(ArgumentKind::tensor))
        return isSameTensor(a.asTensor(), b.asTensor());
    if (!a.isCompound() || !b.isCompound())
        return a == b;
    const auto& first = a.items();
    const auto& second = b.items();
    return depth < kMaxDescriptionDepth && a.kind() == b.kind() && first.size() == second.size()
        && std::ranges::equal(first, second, [&](const Argument& x, const Argument& y) { return isSame(x, y, depth + 1); });
}

/// A product of integers and symbols: "4*s0*s1".
struct Product {
    std::uint64_t factor = 1;
    std::vector<std::string_view> symbols = {};

    /// Multiplies by a size. Returns false if `size` is not such a product, or if the result is too large.
    bool multiplyBy(const Argument& size)
    {
        if (size.is(ArgumentKind::integer))
            return size.asInteger() >= 0
                && !__builtin_mul_overflow(factor, static_cast<std::uint64_t>(size.asInteger()), &factor);
        if (!size.is(ArgumentKind::symbolic))
            return false;
        for (std::string_view rest = size.asSymbolic().expression.view(); !rest.empty();) {
            const std::string_view word = rest.substr(0, rest.find('*'));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            const bool isNumber = isAsciiNumber(word);
            const bool isName = !word.empty() && word.find_first_of(" +-/(),^") == std::string_view::npos;
            std::uint64_t number = 0;
            if (isNumber
                && (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc()
                    || __builtin_mul_overflow(factor, number, &factor)))
                return false;
            if (!isName)
                return false;
            if (!isNumber)
                symbols.push_back(word);
        }
        std::ranges::sort(symbols);
        return true;
    }
    bool operator==(const Product&) const = default;
};

} // namespace

bool isSameDescription(const Argument& a, const Argument& b)
{
    return isSame(a, b, 0);
}

bool isStrided(const TensorMeta& meta)
{
    return meta.layout.empty() || meta.layout.view() == "strided";
}

bool isContiguous(const TensorMeta& meta, OnesCount ones)
{
    if (!meta.stride || meta.stride->size() != meta.shape.size())
        return false;
    Product expected;
    for (std::size_t i = meta.shape.size(); i-- > 0;) {
        Product stride;
        const bool counts = ones == OnesCount::yes || meta.shape[i] != Argument::integer(1);
        if (counts && (!stride.multiplyBy((*meta.stride)[i]) || stride != expected))
            return false;
        if (!expected.multiplyBy(meta.shape[i]))
            return false;
    }
    return true;
}

bool isFloating(const TensorMeta& meta)
{
    return meta.dtype.view().starts_with("float") || meta.dtype.view() == "bfloat16";
}

bool hasDistinctElements(const TensorMeta& meta)
{
    if (!meta.stride || meta.stride->size() != meta.shape.size() || !isStrided(meta))
        return false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps; // pairs of stride and size
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
        const Argument& size = meta.shape[i];
        const Argument& stride = (*meta.stride)[i];
        if (!size.is(ArgumentKind::integer) || !stride.is(ArgumentKind::integer))
            return isContiguous(meta);
        if (size.asInteger() == 1)
            continue;
        if (size.asInteger() < 1 || stride.asInteger() < 1)
            return size.asInteger() == 0;
        steps.emplace_back(static_cast<std::uint64_t>(stride.asInteger()), static_cast<std::uint64_t>(size.asInteger()));
    }
    std::ranges::sort(steps);
    std::uint64_t reached = 0; // the largest offset reached by smaller strides
    for (const auto& [stride, size] : steps) {
        std::uint64_t span = 0;
        if (stride <= reached || __builtin_mul_overflow(stride, size - 1, &span)
            || __builtin_add_overflow(reached, span, &reached))
            return false;
    }
    return true;
}

const TensorMeta* describedTensor(const Graph& graph, const Argument& argument)
{
    if (!argument.is(ArgumentKind::node))
        return nullptr;
    return tensorOf(graph.node(argument.asNode()).meta.val);
}

const TensorMeta* describedTensor(const Graph& graph, const Node& call, const OperatorFacts& facts, std::size_t place)
{
    if (place < call.args.size())
        return describedTensor(graph, call.args[place]);
    const OperatorSchema* const schema = facts.schema();
    if (schema == nullptr || place >= schema->arguments.size())
        return nullptr;
    const auto given = std::ranges::find(call.kwargs, schema->arguments[place].name, &Keyword::key);
    return given != call.kwargs.end() ? describedTensor(graph, given->value) : nullptr;
}

bool fillsExactly(const TensorMeta* target, const TensorMeta* source)
{
    return target != nullptr && source != nullptr && target->dtype == source->dtype && deviceOf(*target) == deviceOf(*source)
        && target->shape == source->shape && isStrided(*target) && isStrided(*source);
}

bool statesDescription(const Node& assertion, const TensorMeta& meta)
{
    static constexpr std::array<std::string_view, 6> kArguments{"a", "size", "stride", "dtype", "device", "layout"};
    const auto states = [&](const Argument& stated, std::string_view name) {
        if (stated.isNone())
            return true;
        if (name == "size")
            return stated.is(ArgumentKind::list)
                && std::ranges::all_of(stated.items(), [](const Argument& size) { return size.is(ArgumentKind::integer); })
                && std::ranges::equal(stated.items(), meta.shape);
        if (name == "dtype")
            return stated.is(ArgumentKind::dtype) && stated.text() == meta.dtype;
        if (name == "device")
            return stated.is(ArgumentKind::device) && stated.text().view() == deviceOf(meta);
        return name == "layout" && stated.is(ArgumentKind::layout)
            && stated.text().view() == (meta.layout.empty() ? std::string_view("strided") : meta.layout.view());
    };
    if (assertion.target.view() != "torch.ops.aten._assert_tensor_metadata.default" || assertion.args.size() > kArguments.size())
        return false;
    for (std::size_t i = 1; i < assertion.args.size(); ++i)
        if (!states(assertion.args[i], kArguments[i]))
            return false;
    return std::ranges::all_of(assertion.kwargs,
                               [&](const Keyword& keyword) { return states(keyword.value, keyword.key.view()); });
}

} // namespace sunder
