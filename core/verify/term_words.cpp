#include "verify/term_words.h"

#include "ir/python_text.h"
#include "verify/divergence.h"

#include <algorithm>
#include <bit>

namespace sunder {
namespace {

constexpr std::size_t kMaxItems = 6;

/// Returns the brackets of a list, tuple, dict, …, given the shape of a group.
std::pair<std::string, std::string> brackets(const TermTable& terms, TermId shape)
{
    const Term& term = terms[shape];
    if (term.kind != TermKind::shape)
        return {"(", ")"};
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::list: return {"[", "]"};
    case ArgumentKind::dict: return {"{", "}"};
    case ArgumentKind::slice: return {"slice(", ")"};
    case ArgumentKind::range: return {"range(", ")"};
    default: return {"(", ")"};
    }
}

} // namespace

NodeRef TermWords::nodeOf(TermId term) const
{
    const std::uint32_t step = term.isValid() ? m_side.evaluator.stepOf(term) : Evaluator::kNoStep;
    return step == Evaluator::kNoStep ? NodeRef{} : m_side.trace.steps[step].node;
}

NodeRef TermWords::writerOf(TermId version) const
{
    const NodeRef node = nodeOf(m_terms.children(version)[1]);
    return node.node.isValid() ? node : nodeOf(version);
}

std::string TermWords::node(NodeRef node) const
{
    if (!node.graph.isValid() || !node.node.isValid())
        return "an unknown node";
    const ModuleId owner = m_side.program.owners[node.graph.index()];
    const std::string module = owner.isValid() ? m_side.program.modules[owner].path.str() : std::string();
    return m_side.program.node(node).name.str() + (module.empty() ? "" : " (in " + module + ")");
}

std::string TermWords::of(TermId id, int depth) const
{
    if (!id.isValid() || id == TermTable::nothing())
        return "nothing";
    if (depth == 0)
        return "…";
    const Term& term = m_terms[id];
    if (const NodeRef made = nodeOf(id); made.node.isValid())
        return node(made);
    switch (term.kind) {
    case TermKind::constant: return literal(id);
    case TermKind::group:
    case TermKind::shape: return group(id, depth);
    case TermKind::overwritten:
        return of(m_terms.children(id)[0], depth - 1) + " copied into " + of(m_terms.children(id)[1], depth - 1)
            + " (which may require gradients)";
    case TermKind::read: return of(m_terms.children(id)[0], depth - 1);
    case TermKind::again:
        return "result " + std::to_string(term.bits + 1) + " of calls like " + of(m_terms.children(id)[0], depth - 1);
    case TermKind::input:
    case TermKind::tensor: return placeName(id, m_side, m_which, m_mapping, m_terms);
    case TermKind::symbol: return sizeOfInput(term.bits);
    case TermKind::attribute: return "attribute " + m_terms.textOf(id).str();
    case TermKind::module: return "a module of class " + m_terms.textOf(id).str();
    case TermKind::parameter: return "argument " + std::to_string(term.bits) + " of the graph";
    case TermKind::closure: return "a graph with " + std::to_string(term.bits) + " arguments";
    case TermKind::unmatched: return "a value without a counterpart";
    case TermKind::call: return "a call to " + of(m_terms.children(id)[0], depth - 1);
    default: return "another value";
    }
}

std::string TermWords::group(TermId id, int depth) const
{
    const bool isShape = m_terms[id].kind == TermKind::shape;
    const std::span<const TermId> children = m_terms.children(id);
    if (!isShape && children.empty())
        return "()";
    const TermId shape = isShape ? id : children[0];
    const auto [open, close] = brackets(m_terms, shape);
    const bool isDict = open == "{";
    const std::span<const TermId> keys = m_terms[shape].kind == TermKind::shape ? m_terms.children(shape)
                                                                                : std::span<const TermId>();
    const std::span<const TermId> items = isShape ? children : children.subspan(m_terms[shape].kind == TermKind::shape ? 1 : 0);
    std::string text = open;
    for (std::size_t i = 0; i < items.size(); ++i) {
        text += i == 0 ? "" : ", ";
        if (i == kMaxItems && items.size() > kMaxItems + 1) {
            text += "… (" + std::to_string(items.size()) + " items)";
            break;
        }
        if (!isShape && isDict && i < keys.size())
            text += of(keys[i], depth - 1) + ": ";
        text += of(items[i], depth - 1);
    }
    return text + (open == "(" && items.size() == 1 ? "," : "") + close;
}

std::string TermWords::sizeOfInput(std::uint64_t bits) const
{
    const std::uint64_t dimension = bits & 0xffffU;
    std::uint64_t wanted = bits >> 16U;
    const std::vector<InputSlot>& slots = m_mapping.inputs(m_which);
    std::size_t position = 0;
    for (const NodeId id : m_side.program.rootGraph().nodes()) {
        const Node& node = m_side.program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        const InputSlot& slot = slots[position++];
        if (slot.kind == InputSlot::Kind::user && slot.index == wanted)
            return dimension == 0 ? "input " + node.name.str()
                                  : "size " + std::to_string(dimension - 1) + " of input " + node.name.str();
    }
    return "a size of an input";
}

std::string TermWords::literal(TermId id) const
{
    const Term& term = m_terms[id];
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::none: return "None";
    case ArgumentKind::ellipsis: return "...";
    case ArgumentKind::boolean: return term.bits != 0 ? "True" : "False";
    case ArgumentKind::integer: return std::to_string(static_cast<std::int64_t>(term.bits));
    case ArgumentKind::floating: return pythonFloat(std::bit_cast<double>(term.bits));
    case ArgumentKind::string: return '"' + m_terms.textOf(id).str() + '"';
    case ArgumentKind::complex: return "complex(" + of(m_terms.children(id)[0], 1) + ", " + of(m_terms.children(id)[1], 1) + ")";
    default: return m_terms.textOf(id).empty() ? "a constant" : m_terms.textOf(id).str();
    }
}

/// Returns "float32 [2, 3] at offset 0 of storage 1, strides [3, 1]".
std::string TermWords::tensor(TermId id) const
{
    const std::span<const TermId> parts = m_terms.children(id);
    const auto list = [&](std::span<const TermId> numbers) {
        std::string text;
        for (const TermId number : numbers)
            text += (text.empty() ? "" : ", ") + of(number, 1);
        return '[' + text + ']';
    };
    const std::span<const TermId> numbers = parts.subspan(kTensorOffset + 1);
    const std::size_t rank = std::min<std::size_t>(m_terms[parts[kTensorOffset - 1]].bits, numbers.size());
    const std::string strides = numbers.size() == rank ? "" : ", strides " + list(numbers.subspan(rank));
    std::string text = m_terms.textOf(parts[0]).str() + ' ' + list(numbers.first(rank));
    for (const TermId where : {parts[1], parts[2]})
        if (const std::string_view word = m_terms.textOf(where).view(); word != "cpu" && word != "strided")
            text += ' ' + std::string(word);
    return text + " at offset " + of(parts[kTensorOffset], 1) + " of storage " + std::to_string(m_terms[id].head) + strides
        + (m_terms[id].detail != 0 ? ", requires gradients" : "");
}

std::string TermWords::details(TermId id) const
{
    if (!id.isValid())
        return {};
    const Term& term = m_terms[id];
    const std::span<const TermId> children = m_terms.children(id);
    std::string text;
    if (term.kind == TermKind::call) {
        const TermId keywords = children[2];
        const std::span<const TermId> names = keywords == TermTable::nothing() ? std::span<const TermId>()
                                                                               : m_terms.children(keywords);
        const std::size_t firstNamed = children.size() - names.size();
        for (std::size_t i = firstArgument(m_terms, id); i < children.size(); ++i) {
            text += text.empty() ? "" : ", ";
            text += i < firstNamed ? "" : m_terms.textOf(names[i - firstNamed]).str() + '=';
            text += of(children[i], 2);
        }
        return of(children[0], 2) + "(" + text + ")";
    }
    if (term.kind == TermKind::tensor)
        return tensor(id);
    if (term.kind == TermKind::read)
        return "as written by " + node(writerOf(children[1])) + ", write "
            + std::to_string(versionsUpTo(m_terms, children[1]).size());
    return {};
}

} // namespace sunder
