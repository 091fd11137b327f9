// What the file says of the values of a trace: whether it holds for this call of a graph, and what follows for copies
// and for shapes that change in place.
#include "ir/value_kind.h"
#include "verify/trace_builder.h"

#include <algorithm>
#include <charconv>

namespace sunder {
namespace {

constexpr int kMaxValDepth = 100;

bool isStrided(const TensorMeta& meta)
{
    return meta.layout.empty() || meta.layout.view() == "strided";
}

std::string_view deviceOf(const TensorMeta& meta)
{
    return meta.device.empty() ? std::string_view("cpu") : meta.device.view();
}

bool isSameTensor(const TensorMeta& a, const TensorMeta& b)
{
    return a.dtype == b.dtype && a.shape == b.shape && a.stride == b.stride && deviceOf(a) == deviceOf(b)
        && isStrided(a) == isStrided(b);
}

bool isSameDescription(const Argument& a, const Argument& b, int depth)
{
    if (a.is(ArgumentKind::tensor) && b.is(ArgumentKind::tensor))
        return isSameTensor(a.asTensor(), b.asTensor());
    if (!a.isCompound() || !b.isCompound())
        return a == b;
    const auto& first = a.items();
    const auto& second = b.items();
    return depth < kMaxValDepth && a.kind() == b.kind() && first.size() == second.size()
        && std::ranges::equal(
               first, second, [&](const Argument& x, const Argument& y) { return isSameDescription(x, y, depth + 1); });
}

/// A product of whole numbers and symbols: "4*s0*s1".
struct Product {
    std::uint64_t factor = 1;
    std::vector<std::string_view> symbols = {};

    /// False where `size` is no such product, or too large.
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
            const bool isNumber = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
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

/// Whether a tensor lies as torch.empty lays tensors out, the last dimension innermost.
bool isContiguous(const TensorMeta& meta)
{
    Product expected;
    for (std::size_t i = meta.shape.size(); i-- > 0;) {
        Product stride;
        if (meta.shape[i] != Argument::integer(1) && (!stride.multiplyBy((*meta.stride)[i]) || stride != expected))
            return false;
        if (!expected.multiplyBy(meta.shape[i]))
            return false;
    }
    return true;
}

/// Whether no two elements of a tensor lie in one place, by its sizes and strides: each stride steps over all that the
/// smaller ones reach. False where that cannot be told.
bool elementsLieApart(const TensorMeta& meta)
{
    if (!meta.stride || meta.stride->size() != meta.shape.size() || !isStrided(meta))
        return false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps; // stride, size
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
    std::uint64_t reached = 0; // the last element that smaller strides reach
    for (const auto& [stride, size] : steps) {
        std::uint64_t span = 0;
        if (stride <= reached || __builtin_mul_overflow(stride, size - 1, &span)
            || __builtin_add_overflow(reached, span, &reached))
            return false;
    }
    return true;
}

const TensorMeta* tensorOf(const Graph& graph, const Argument& argument)
{
    if (!argument.is(ArgumentKind::node))
        return nullptr;
    return tensorOf(graph.node(argument.asNode()).meta.val);
}

/// Whether the first two arguments of a call are tensors of one dtype, device and shape.
bool fillsExactly(const Graph& graph, const Node& node)
{
    if (node.args.size() != 2)
        return false;
    const TensorMeta* target = tensorOf(graph, node.args[0]);
    const TensorMeta* source = tensorOf(graph, node.args[1]);
    return target != nullptr && source != nullptr && target->dtype == source->dtype && deviceOf(*target) == deviceOf(*source)
        && target->shape == source->shape && isStrided(*target) && isStrided(*source);
}

} // namespace

void TraceBuilder::describe(ValueId value, const Argument& val)
{
    if (value.index() >= m_descriptions.size())
        m_descriptions.resize(m_trace.values.size() + m_trace.values.size() / 2 + 1);
    const Argument*& known = m_descriptions[value.index()];
    if (known == nullptr && at(value).kind == ValueKind::leaf)
        known = &val;
}

bool TraceBuilder::isDescribedAs(ValueId id, const Argument& val, int depth) const
{
    const Value& value = at(id);
    if (value.kind == ValueKind::container) {
        const std::span<const ValueId> items = m_trace.items(value);
        return depth < kMaxValDepth && val.items().size() == items.size()
            && std::ranges::equal(
                   items, val.items(), [&](ValueId item, const Argument& of) { return isDescribedAs(item, of, depth + 1); });
    }
    if (value.kind != ValueKind::leaf)
        return !val.is(ArgumentKind::tensor);
    const Argument* known = id.index() < m_descriptions.size() ? m_descriptions[id.index()] : nullptr;
    return known != nullptr && isSameDescription(*known, val, 0);
}

/// A graph's `val`s may be those of another call of it. They are taken for those of this one where they describe what it
/// is given as what that is: its placeholders, or the parts of what placeholders without a `val` hold.
void TraceBuilder::checkDescription(Frame& frame, const Node& node, ValueId value)
{
    if (!frame.described)
        return;
    if (node.op == Op::placeholder && frame.depth > 0) {
        std::vector<ValueId> leaves;
        if (node.meta.val)
            frame.described = isDescribedAs(value, *node.meta.val);
        else
            collectLeaves(value, leaves);
        frame.undescribed.insert(leaves.begin(), leaves.end());
    } else if (node.meta.val && frame.undescribed.erase(value) != 0) {
        frame.described = isDescribedAs(value, *node.meta.val);
    }
    if (node.meta.val && frame.described)
        describe(value, *node.meta.val);
}

/// What a call computes of something that the graph does not describe may be described as what another call computes.
void TraceBuilder::checkArguments(Frame& frame, const Call& call) const
{
    if (!frame.described || frame.undescribed.empty())
        return;
    std::vector<ValueId> leaves;
    collectAll(call, leaves);
    frame.described = std::ranges::none_of(leaves, [&](ValueId leaf) { return frame.undescribed.contains(leaf); });
}

void TraceBuilder::describeCopies(const Frame& frame, const Node& node, const OperatorFacts& facts, Step& step) const
{
    static const InternedString kClone = intern("torch.ops.aten.clone.default");
    static const InternedString kCopy = intern("torch.ops.aten.copy.default");
    const Graph& graph = m_program.graph(frame.graph);
    step.described = frame.described;
    if (!frame.described)
        return;
    step.clones = node.target == kClone && node.args.size() == 1 && node.kwargs.empty()
        && tensorOf(graph, node.args[0]) != nullptr;
    const bool copies = facts.overwrites || (node.target == kCopy && node.kwargs.empty());
    if (!copies || !fillsExactly(graph, node))
        return;
    const TensorMeta& target = *tensorOf(graph, node.args[0]);
    if (facts.overwrites) {
        step.overwrites = elementsLieApart(target);
        step.otherStrides = target.stride != tensorOf(graph, node.args[1])->stride;
    } else if (target.stride) { // of what it gives a copy in the place of, a functional copy looks at the layout
        std::vector<TermId> parts;
        for (const Argument& stride : *target.stride)
            parts.push_back(m_terms.literal(stride));
        step.firstLayout = m_terms.make({.kind = TermKind::shape}, parts);
    }
}

/// Where the result of a call that converts lies, as far as what the file says of both values holds here.
void TraceBuilder::settle(Frame& frame, const Node& node, const Call& call, CallFacts& does)
{
    checkArguments(frame, call);
    if (!frame.described || !m_context.believesTypes
        || m_context.reshapes) // then a tensor may have got another's storage, of any dtype
        return;
    const ValueId given = call.slot(does.shared.front());
    const Argument* known = given.index() < m_descriptions.size() ? m_descriptions[given.index()] : nullptr;
    if (known != nullptr && known->is(ArgumentKind::tensor))
        settleConversion(does, &known->asTensor(), tensorOf(node.meta.val));
    m_trace.believesTypes = m_trace.believesTypes || !does.converts;
}

/// Whether a call gives a tensor that it writes its result to another shape: `out=`, unless the file says that it fits.
bool TraceBuilder::mayResize(const Frame& frame, const Node& node, const CallFacts& does, const Call& call) const
{
    const TensorMeta* result = node.meta.val && node.meta.val->is(ArgumentKind::tensor) ? &node.meta.val->asTensor() : nullptr;
    return std::ranges::any_of(does.resized, [&](std::uint32_t slot) {
        const ValueId out = call.slot(slot);
        const Argument* known = out.index() < m_descriptions.size() ? m_descriptions[out.index()] : nullptr;
        return at(out).kind != ValueKind::constant
            && (!frame.described || result == nullptr || known == nullptr || !known->is(ArgumentKind::tensor)
                || known->asTensor().shape != result->shape);
    });
}

/// Shapes, strides or storages of what is written change, and of two tensors one may take over the other's storage.
void TraceBuilder::markReshaped(const Call& call, std::span<const ValueId> written)
{
    if (!m_context.followMemory || written.empty())
        return;
    std::vector<ValueId> leaves;
    collectAll(call, leaves);
    for (const ValueId value : leaves)
        m_trace.regions.merge(at(value).region, at(written.front()).region);
    for (const ValueId value : written)
        m_trace.regions.markReshaped(at(value).region);
}

} // namespace sunder
