#include "verify/value_facts.h"

#include "ir/value_kind.h"
#include "verify/divergence.h"
#include "verify/tensor_descriptions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

bool isOneOf(std::string_view name, std::span<const std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

/// Whether a view may have no elements although its tensor has some.
bool mayBeEmpty(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> kNames{"slice", "narrow", "split", "chunk", "expand", "broadcast_to"};
    return isOneOf(name, kNames);
}

/// Whether this is a Python operator, which also accepts lists.
bool takesLists(std::string_view target)
{
    return target.starts_with("_operator.") || target.starts_with("operator.") || target.find('.') == std::string_view::npos;
}

Numbers numbersOfDtype(const TensorMeta& meta)
{
    static constexpr std::array<std::string_view, 3> kFloats{"float32", "float64", "bfloat16"};
    static constexpr std::array<std::string_view, 3> kIntegers{"int16", "int32", "int64"};
    const std::string_view dtype = meta.dtype.view();
    if (!isStrided(meta) || meta.device.view().starts_with("meta"))
        return Numbers::others;
    return isOneOf(dtype, kFloats)                      ? Numbers::floats
        : dtype == "float16"                            ? Numbers::halves
        : dtype == "complex64" || dtype == "complex128" ? Numbers::complexes
        : isOneOf(dtype, kIntegers)                     ? Numbers::integers
        : dtype == "int8" || dtype == "uint8"           ? Numbers::bytes
                                                        : Numbers::others;
}

Numbers numbersOfDescription(const Argument& val)
{
    if (val.is(ArgumentKind::tensor))
        return numbersOfDtype(val.asTensor());
    const std::string_view kind = numberKind(val);
    return kind == "float" ? Numbers::floats : kind == "int" || kind == "symbolic int" ? Numbers::integers : Numbers::others;
}

Numbers either(Numbers a, Numbers b)
{
    return a == Numbers::free || a == b ? b : b == Numbers::free ? a : Numbers::unknown;
}

/// Whether the file allows nonzero sizes.
bool canHaveElements(const TensorMeta& meta)
{
    return std::ranges::all_of(meta.shape, [](const Argument& size) {
        const std::optional<std::uint64_t> hint = sizeHint(size);
        const bool isSymbol = size.is(ArgumentKind::symbolic)
            && size.asSymbolic().expression.view().find_first_of("-(") == std::string_view::npos;
        return hint ? *hint != 0 : isSymbol;
    });
}

} // namespace

bool dependsOnFirstOnly(std::string_view name)
{
    static constexpr std::array<std::string_view, 29> kNames{
        "contiguous", "clone",   "alias",     "detach",  "expand",    "broadcast_to", "flatten", "unflatten",
        "Flatten",    "view",    "reshape",   "getitem", "mean",      "sum",          "permute", "transpose",
        "t",          "select",  "slice",     "narrow",  "split",     "chunk",        "unbind",  "squeeze",
        "unsqueeze",  "view_as", "expand_as", "movedim", "reshape_as"};
    return isOneOf(name, kNames);
}

std::string_view nameOfCall(const TermTable& terms, TermId call)
{
    const TermId target = terms.children(call)[0];
    const bool isNamed = terms[target].kind == TermKind::constant || terms[target].kind == TermKind::module;
    return isNamed ? nameOfTorch(terms.textOf(target).view()) : std::string_view();
}

ValueFacts::ValueFacts(const ExplainedSide& first, const ExplainedSide& second, const TermTable& terms,
                       const SymbolMapping& mapping)
    : m_first(first), m_second(second), m_terms(terms),
      m_takesLeaves(first.program.signature.has_value() || second.program.signature.has_value())
{
    for (const Side which : {Side::a, Side::b}) {
        const Program& program = which == Side::a ? first.program : second.program;
        std::size_t position = 0;
        for (const NodeId id : program.rootGraph().nodes()) {
            const Node& node = program.rootGraph().node(id);
            if (node.op != Op::placeholder || position >= mapping.inputs(which).size())
                continue;
            const InputSlot& slot = mapping.inputs(which)[position++];
            if (slot.kind == InputSlot::Kind::user && node.meta.val)
                m_inputs[slot.index].push_back(&*node.meta.val);
        }
        for (std::size_t i = 0; i < program.tensors.size(); ++i) {
            const TensorId object = program.tensors.object(TensorId(i));
            m_tensors.emplace(mapping.tensor(which, object), &program.tensors[object].meta);
        }
    }
}

/// Returns the descriptions in both files of an input or of the result of a call.
std::vector<const Argument*> ValueFacts::descriptions(TermId term) const
{
    if (m_terms[term].kind == TermKind::input) {
        const auto found = m_inputs.find(m_terms[term].bits);
        return found != m_inputs.end() ? found->second : std::vector<const Argument*>();
    }
    std::vector<const Argument*> found;
    for (const ExplainedSide* const side : {&m_first, &m_second}) {
        const std::uint32_t index = m_terms[term].kind == TermKind::call ? side->evaluator.stepOf(term) : Evaluator::kNoStep;
        if (index == Evaluator::kNoStep || !side->trace.steps[index].described)
            continue;
        if (const Node& node = side->program.node(side->trace.steps[index].node); node.meta.val)
            found.push_back(&*node.meta.val);
    }
    return found;
}

/// Returns the described tensors that a value is, or contains.
std::vector<const TensorMeta*> ValueFacts::tensors(TermId term) const
{
    std::vector<const TensorMeta*> found;
    if (const auto tensor = m_tensors.find(term); tensor != m_tensors.end())
        found.push_back(tensor->second);
    for (const Argument* const val : descriptions(term))
        forEachTensor(*val, [&](const TensorMeta& meta) { found.push_back(&meta); });
    return found;
}

bool ValueFacts::hasElementsByParts(TermId term) const
{
    const std::span<const TermId> children = m_terms.children(term);
    const auto all = [&](std::span<const TermId> parts) {
        return std::ranges::all_of(parts, [&](TermId part) { return m_elements[part.index()]; });
    };
    switch (m_terms[term].kind) {
    case TermKind::again:
    case TermKind::read:
    case TermKind::overwritten: return m_elements[children[0].index()];
    case TermKind::group: return all(children);
    case TermKind::call: break;
    default: return true;
    }
    const std::size_t first = firstArgument(m_terms, term);
    const std::string_view name = nameOfCall(m_terms, term);
    if (isOpaqueCall(m_terms, term))
        return true;
    if (numberFunctionOf(m_terms.textOf(children[0]).view()) == nullptr || first >= children.size() || mayBeEmpty(name))
        return false;
    if (name == "getitem")
        return children.size() > first + 1 && m_terms.integerOf(children[first + 1]) && m_elements[children[first].index()];
    return dependsOnFirstOnly(name) ? m_elements[children[first].index()] : all(children.subspan(first));
}

bool ValueFacts::hasElements(TermId term)
{
    for (std::size_t i = m_elements.size(); i <= term.index(); ++i) { // children precede their parents
        const std::vector<const TensorMeta*> known = tensors(TermId(i));
        const auto has = [](const TensorMeta* meta) { return canHaveElements(*meta); };
        m_elements.push_back(known.empty() ? hasElementsByParts(TermId(i)) : std::ranges::all_of(known, has));
    }
    return m_elements[term.index()];
}

bool ValueFacts::isNotEmpty(TermId call)
{
    if (m_terms[call].kind != TermKind::call || !tensors(call).empty())
        return hasElements(call);
    const auto isZero = [&](TermId size) { return writtenNumber(m_terms, size) == 0.0; };
    return std::ranges::none_of(m_terms.children(call).subspan(firstArgument(m_terms, call)), [&](TermId argument) {
        const bool isGroup = m_terms[argument].kind == TermKind::group;
        return isGroup ? std::ranges::any_of(m_terms.children(argument), isZero) : isZero(argument);
    });
}

Numbers ValueFacts::numbersByParts(TermId term) const
{
    const std::span<const TermId> children = m_terms.children(term);
    const auto ofAll = [&](std::span<const TermId> parts) {
        Numbers numbers = Numbers::free;
        for (const TermId part : parts)
            numbers = either(numbers, m_numbers[part.index()]);
        return numbers;
    };
    switch (m_terms[term].kind) {
    case TermKind::again:
    case TermKind::read:
    case TermKind::overwritten: return m_numbers[children[0].index()];
    case TermKind::group: return ofAll(children);
    case TermKind::constant:
    case TermKind::shape:
    case TermKind::input:
    case TermKind::parameter: return Numbers::free;
    case TermKind::call: break;
    default: return Numbers::unknown;
    }
    if (isOpaqueCall(m_terms, term))
        return Numbers::free;
    const std::size_t first = firstArgument(m_terms, term);
    if (numberFunctionOf(m_terms.textOf(children[0]).view()) == nullptr || first >= children.size())
        return Numbers::unknown;
    return dependsOnFirstOnly(nameOfCall(m_terms, term)) ? m_numbers[children[first].index()] : ofAll(children.subspan(first));
}

Numbers ValueFacts::numbersOf(TermId term)
{
    for (std::size_t i = m_numbers.size(); i <= term.index(); ++i) { // children precede their parents
        const auto tensor = m_tensors.find(TermId(i));
        Numbers numbers = tensor != m_tensors.end() ? numbersOfDtype(*tensor->second) : Numbers::free;
        const std::vector<const Argument*> known = descriptions(TermId(i));
        for (const Argument* const val : known)
            numbers = either(numbers, numbersOfDescription(*val));
        m_numbers.push_back(known.empty() && tensor == m_tensors.end() ? numbersByParts(TermId(i)) : numbers);
    }
    return m_numbers[term.index()];
}

bool ValueFacts::isPlainNumber(TermId number, Numbers numbers) const
{
    const std::optional<double> written = writtenNumber(m_terms, number);
    if (!written || !std::isfinite(*written))
        return false;
    const double size = std::abs(*written);
    const bool isInteger = m_terms[number].detail == static_cast<std::uint8_t>(ArgumentKind::integer);
    const auto isWithin = [&](double least, double most) { return size == 0.0 || (size >= least && size <= most); };
    switch (numbers) {
    case Numbers::free:
    case Numbers::floats:
    case Numbers::complexes: return isWithin(1e-30, 1e30);
    case Numbers::halves: return isWithin(1e-6, 3e4);
    case Numbers::integers: return isInteger && isWithin(1, 3e4);
    case Numbers::bytes:
    case Numbers::unknown: return isInteger && isWithin(1, 127);
    case Numbers::others: break;
    }
    return false;
}

std::optional<std::vector<std::int64_t>> ValueFacts::sizesOf(TermId term) const
{
    const std::vector<const TensorMeta*> known = tensors(term);
    if (known.empty())
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const Argument& size : known.front()->shape) {
        if (!size.is(ArgumentKind::integer))
            return std::nullopt;
        sizes.push_back(size.asInteger());
    }
    return sizes;
}

bool ValueFacts::isNoContainer(TermId term) const
{
    const std::span<const TermId> children = m_terms.children(term);
    switch (m_terms[term].kind) {
    case TermKind::symbol:
    case TermKind::tensor: return true;
    case TermKind::constant: {
        const auto kind = static_cast<ArgumentKind>(m_terms[term].detail);
        return kind != ArgumentKind::opaque && kind != ArgumentKind::unknown && kind != ArgumentKind::object;
    }
    case TermKind::again:
    case TermKind::read:
    case TermKind::overwritten: return isNoContainer(children[0]);
    case TermKind::input:
        if (m_takesLeaves)
            return true;
        break;
    case TermKind::call: break;
    default: return false;
    }
    const std::vector<const Argument*> known = descriptions(term);
    if (!known.empty())
        return std::ranges::all_of(known, [](const Argument* val) { return val->is(ArgumentKind::tensor); });
    if (m_terms[term].kind == TermKind::input || isOpaqueCall(m_terms, term))
        return false;
    const std::string_view target = m_terms.textOf(children[0]).view();
    const NumberFunction* const function = numberFunctionOf(target);
    const std::size_t first = firstArgument(m_terms, term);
    if (function == nullptr || first >= children.size())
        return false;
    if (function->operands == 0)
        return target.starts_with("torch.ops.aten.")
            && !isOneOf(nameOfCall(m_terms, term), std::array<std::string_view, 4>{"split", "chunk", "unbind", "getitem"});
    return !takesLists(target)
        || std::ranges::all_of(children.subspan(first), [&](TermId operand) { return isNoContainer(operand); });
}

} // namespace sunder
