#include "verify/call_forms.h"

#include "operators/call_facts.h"
#include "operators/number_functions.h"
#include "operators/operator_library.h"
#include "verify/traced_call.h"

#include <algorithm>

namespace sunder {
namespace {

/// Index of the global state among the children of a call.
constexpr std::size_t kState = 1;
constexpr std::size_t kFirstArgument = 4;
/// Index of the first size in a description; the rank precedes it.
constexpr std::size_t kSizes = 4;
/// `detail` of form terms: descriptions of tensors, other terms with forms as children, and in-place shape changes.
constexpr std::uint8_t kDescription = 1;
constexpr std::uint8_t kWhole = 2;
constexpr std::uint8_t kReshaped = 3;

/// Whether a step only computes a result and its form alone decides whether it fails.
bool failsByForm(const Step& step)
{
    return step.failsByForm && step.written.count == 0 && step.marked.count == 0 && step.bodies.count == 0 && !step.random;
}

} // namespace

CallForms::CallForms(const ExplainedSide& first, const ExplainedSide& second, Side firstSide, const SymbolMapping& mapping,
                     TermTable& terms)
    : m_first(first), m_second(second), m_terms(terms), m_operators(first.program, second.program), m_forms(terms.size()),
      m_known(terms.size(), false)
{
    describeInputs(firstSide, mapping);
    m_leavesOut.resize(m_forms.size());
    const std::vector<TermId> described = m_forms;
    for (int pass = 0; pass < 2; ++pass) // calls of the second program may precede equal ones of the first
        for (std::size_t i = 0; i < m_forms.size(); ++i) { // children come before their parents
            m_forms[i] = described[i].isValid() ? described[i] : formOf(TermId(i));
            m_leavesOut[i] = leavesOut(TermId(i));
        }
}

bool CallForms::succeeds(TermId call)
{
    const ExplainedSide* side = nullptr;
    const Step* const step = stepOf(call, side);
    if (step == nullptr || !failsByForm(*step) || side->trace.unusualTensors)
        return false;
    const Node& node = side->program.node(step->node);
    const std::span<const TermId> given = m_terms.children(call);
    const bool isOfOne = given.size() == kFirstArgument + 1 && m_terms[given[kFirstArgument]].kind != TermKind::constant
        && node.op != Op::callModule;
    const NumberFunction* const function = isOfOne ? numberFunctionOf(node.target.view()) : nullptr;
    const bool isTotal = function != nullptr && function->isTotal;
    const bool isDescribed = step->described && node.meta.val && !failsByStrides(operatorName(node.target.view()).name);
    if (!isTotal && !isDescribed)
        return false;
    const std::vector<Takes> places = taken(call);
    if (isTotal && places.front() == Takes::tensors)
        return true; // its single operand is a tensor
    if (!isDescribed)
        return false;
    for (std::size_t i = kFirstArgument; i < given.size(); ++i)
        if (places[i - kFirstArgument] != Takes::tensors && !holdsConstants(given[i])) // values that a tensor may hold
            return false;
    return true;
}

bool CallForms::holdsConstants(TermId term) const
{
    const auto holds = [this](TermId child) { return holdsConstants(child); };
    return m_terms[term].kind == TermKind::constant || m_terms[term].kind == TermKind::shape
        || (m_terms[term].kind == TermKind::group && std::ranges::all_of(m_terms.children(term), holds));
}

void CallForms::describeInputs(Side firstSide, const SymbolMapping& mapping)
{
    std::size_t position = 0;
    for (const NodeId id : m_first.program.rootGraph().nodes()) {
        const Node& node = m_first.program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        const InputSlot& slot = mapping.inputs(firstSide)[position++];
        if (slot.kind != InputSlot::Kind::user)
            continue;
        const TermId input = m_terms.make({.kind = TermKind::input, .bits = slot.index});
        if (input.index() < m_forms.size())
            m_forms[input.index()] = description(node.meta.val, input);
    }
}

TermId CallForms::description(const std::optional<Argument>& val, TermId otherwise)
{
    static const InternedString kCpu = intern("cpu");
    static const InternedString kStrided = intern("strided");
    if (!val || !val->is(ArgumentKind::tensor) || !val->asTensor().stride)
        return otherwise;
    const TensorMeta& meta = val->asTensor();
    // Without a derivative for complex dtypes, success depends on grad mode.
    if (meta.dtype.view().starts_with("complex"))
        return otherwise;
    std::vector<TermId> parts{m_terms.text(meta.dtype), m_terms.text(meta.device.empty() ? kCpu : meta.device),
                              m_terms.text(meta.layout.empty() ? kStrided : meta.layout),
                              m_terms.integer(static_cast<std::int64_t>(meta.shape.size()))};
    for (const Arguments& sizes : {meta.shape, *meta.stride})
        for (const Argument& size : sizes)
            parts.push_back(m_terms.literal(size));
    return m_terms.make({.kind = TermKind::form, .detail = kDescription}, parts);
}

TermId CallForms::formOfTensor(TermId tensor)
{
    const std::span<const TermId> given = m_terms.children(tensor);
    const std::int64_t rank = static_cast<std::int64_t>(m_terms[given[kTensorOffset - 1]].bits);
    std::vector<TermId> parts(given.begin(), given.end());
    if (static_cast<std::int64_t>(parts.size()) != static_cast<std::int64_t>(kTensorOffset) + 1 + 2 * rank)
        return tensor;
    if (m_terms.textOf(given[0]).view().starts_with("complex"))
        return tensor;
    parts.erase(parts.begin() + kTensorOffset);
    return m_terms.make({.kind = TermKind::form, .detail = kDescription}, parts);
}

TermId CallForms::formOf(TermId term)
{
    switch (m_terms[term].kind) {
    case TermKind::read: // omits memory contents, but keeps shape changes
        return reshaped(m_forms[m_terms.children(term)[0].index()], m_forms[m_terms.children(term)[1].index()]);
    case TermKind::write: return formOfVersion(term);
    case TermKind::overwritten:
    case TermKind::again: return m_forms[m_terms.children(term)[0].index()];
    case TermKind::tensor: return formOfTensor(term);
    case TermKind::group: return withForms(term);
    case TermKind::call: return formOfCall(term);
    default: return term;
    }
}

TermId CallForms::reshaped(TermId place, TermId shapes)
{
    return shapes == TermTable::nothing() ? place : m_terms.make({.kind = TermKind::form, .detail = kReshaped}, {place, shapes});
}

/// Returns the in-place shape changes up to a version of memory.
TermId CallForms::formOfVersion(TermId version)
{
    const std::span<const TermId> written = m_terms.children(version);
    const TermId before = m_forms[written[0].index()];
    if ((m_terms[version].detail & Evaluator::kReshapes) == 0)
        return before;
    const TermId call = written[1];
    const TermId place = m_forms[written[2].index()];
    return m_terms.make({.kind = TermKind::form, .detail = kReshaped}, {before, call, place});
}

bool CallForms::leavesOut(TermId term) const
{
    const auto does = [&](TermId child) { return m_leavesOut[child.index()]; };
    const ExplainedSide* side = nullptr;
    switch (m_terms[term].kind) {
    case TermKind::read:
    case TermKind::tensor: return true;
    case TermKind::input: return m_forms[term.index()] != term;
    case TermKind::overwritten:
    case TermKind::again: return does(m_terms.children(term)[0]);
    case TermKind::group: return std::ranges::any_of(m_terms.children(term), does);
    case TermKind::call:
        if (const Step* step = stepOf(term, side);
            m_forms[term.index()] == term || (step != nullptr && step->role == CallRole::query))
            return false; // a query of a form returns a number that the form determines
        return m_terms[m_forms[term.index()]].detail == kDescription || std::ranges::any_of(m_terms.children(term), does);
    default: return false;
    }
}

/// Returns the step that made a call, and sets the program that contains it.
const Step* CallForms::stepOf(TermId call, const ExplainedSide*& side) const
{
    for (const ExplainedSide* one : {&m_first, &m_second})
        if (const std::uint32_t index = one->evaluator.stepOf(call); index != Evaluator::kNoStep) {
            side = one;
            return &one->trace.steps[index];
        }
    return nullptr;
}

/// Returns what each argument accepts, in the order of the step's canonical call.
std::vector<CallForms::Takes> CallForms::taken(TermId call)
{
    const ExplainedSide* side = nullptr;
    const Step* const step = stepOf(call, side);
    std::vector<Takes> found(m_terms.children(call).size() - kFirstArgument, Takes::unknown);
    const Term& target = m_terms[step->target];
    if (step->role == CallRole::getItem)
        found.front() = Takes::tensors; // or a container of tensors
    if (target.kind != TermKind::constant || step->role == CallRole::getItem)
        return found;
    const TracedCall given = callOf(side->trace, m_terms, *step);
    const std::optional<CallBinding> binding = bindCall(
        m_operators.of(static_cast<Op>(target.bits), m_terms.textOf(step->target)), BoundArguments(side->trace, m_terms, given));
    if (!binding || binding->argumentOf.size() != found.size())
        return found;
    for (std::size_t slot = 0; slot < found.size(); ++slot) {
        const std::uint16_t argument = binding->argumentOf[slot];
        const std::string_view type = argument < OperatorFact::kNowhere
            ? binding->overload->schema.arguments[argument].type.view()
            : "";
        if (!type.empty())
            found[slot] = type.starts_with("Tensor") ? Takes::tensors : Takes::numbers;
    }
    return found;
}

/// Whether a description is of a tensor with one element, which PyTorch accepts as a number.
bool CallForms::isOfOneElement(TermId description) const
{
    const std::span<const TermId> parts = m_terms.children(description);
    const auto sizes = parts.subspan(kSizes, m_terms[parts[kSizes - 1]].bits);
    return std::ranges::all_of(sizes,
                               [&](TermId size) { return m_terms[size].kind == TermKind::constant && m_terms[size].bits == 1; });
}

/// Returns the contribution of an argument to the form of its call: the whole term if it may be used as a number.
TermId CallForms::operand(TermId term, Takes takes)
{
    const TermId form = m_forms[term.index()];
    if (takes == Takes::tensors || !m_leavesOut[term.index()])
        return form;
    if (m_terms[term].kind == TermKind::group) {
        std::vector<TermId> items(m_terms.children(term).begin(), m_terms.children(term).end());
        for (TermId& item : items)
            item = operand(item, takes);
        return whole(term, items);
    }
    const bool isDescribed = m_terms[form].kind == TermKind::form && m_terms[form].detail == kDescription;
    return takes == Takes::unknown && isDescribed && !isOfOneElement(form) ? form : term;
}

TermId CallForms::whole(TermId term, std::span<const TermId> parts)
{
    return m_terms.make({.kind = TermKind::form,
                         .detail = kWhole,
                         .head = static_cast<std::uint32_t>(m_terms[term].kind),
                         .bits = m_terms[term].bits},
                        parts);
}

TermId CallForms::withForms(TermId term)
{
    std::vector<TermId> parts(m_terms.children(term).begin(), m_terms.children(term).end());
    if (m_terms[term].kind != TermKind::call) {
        for (TermId& part : parts)
            part = m_forms[part.index()];
        return whole(term, parts);
    }
    const std::vector<Takes> places = taken(term);
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i] = i < kFirstArgument ? m_forms[parts[i].index()] : operand(parts[i], places[i - kFirstArgument]);
    const TermId state = m_terms.children(term)[kState];
    if (m_terms[state].kind == TermKind::group) // grad mode is irrelevant here
        parts[kState] = m_forms[m_terms.children(state)[0].index()];
    return whole(term, parts);
}

TermId CallForms::formOfCall(TermId call)
{
    const ExplainedSide* side = nullptr;
    const Step* const step = stepOf(call, side);
    if (step == nullptr)
        return call;
    const bool isFirst = side == &m_first;
    const bool byForm = failsByForm(*step);
    const TermId form = byForm ? withForms(call) : call;
    if (isFirst) {
        const TermId result = step->described ? description(side->program.node(step->node).meta.val, form) : form;
        return byForm ? m_results.emplace(form, result).first->second : result;
    }
    if (!byForm)
        return call;
    const auto found = m_results.find(form);
    m_known[call.index()] = found != m_results.end();
    return m_known[call.index()] ? found->second : form;
}

} // namespace sunder
