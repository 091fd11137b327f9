#include "verify/call_forms.h"

#include "analysis/operator_names.h"

#include <algorithm>

namespace sunder {
namespace {

/// Place of the global state among the children of a call.
constexpr std::size_t kState = 1;
/// `detail` of the terms that are forms: descriptions of tensors, other terms with forms for children, and what changed
/// shapes in place.
constexpr std::uint8_t kDescription = 1;
constexpr std::uint8_t kWhole = 2;
constexpr std::uint8_t kReshaped = 3;

/// Leaf modules of torch.nn whose tensors stand among the arguments.
bool moduleFailsByForm(const TermTable& terms, TermId module)
{
    constexpr std::string_view kTorch = "torch.nn.modules.";
    const std::string_view cls = terms.textOf(module).view();
    if (!cls.starts_with(kTorch))
        return false;
    const std::string_view file = cls.substr(kTorch.size(), cls.find('.', kTorch.size()) - kTorch.size());
    for (const std::string_view known : {"activation", "conv", "linear", "normalization", "pooling"})
        if (file == known)
            return true;
    return false;
}

bool failsByForm(const Step& step, const Program& program, const TermTable& terms)
{
    const bool plain = step.written.count == 0 && step.marked.count == 0 && step.bodies.count == 0 && !step.random;
    if (!plain)
        return false;
    const Node& node = program.node(step.node);
    switch (step.role) {
    case CallRole::query:
        return true;
    case CallRole::getItem:
        return step.reading == Reading::firstByLocation;
    case CallRole::function:
        if (node.op == Op::callModule)
            return moduleFailsByForm(terms, step.target);
        if (node.op == Op::callMethod)
            return failsByFormOnly(node.target.view());
        if (operatorName(node.target.view()).name == "where") // of one argument it gives as much as there is
            return node.args.size() == 3;
        return node.op == Op::callFunction && isTensorLibrary(operatorName(node.target.view()).library)
            && failsByFormOnly(operatorName(node.target.view()).name);
    default:
        return false;
    }
}

} // namespace

CallForms::CallForms(const ExplainedSide& first, const ExplainedSide& second, const Correspondence& correspondence,
                     TermTable& terms)
    : m_first(first), m_second(second), m_terms(terms), m_forms(terms.size()), m_known(terms.size(), false)
{
    describeInputs(correspondence);
    for (std::size_t i = 0; i < m_forms.size(); ++i) // children come before their parents
        if (!m_forms[i].isValid())
            m_forms[i] = formOf(TermId(i));
}

void CallForms::describeInputs(const Correspondence& correspondence)
{
    std::size_t position = 0;
    for (const NodeId id : m_first.program.rootGraph().nodes()) {
        const Node& node = m_first.program.rootGraph().node(id);
        if (node.op != Op::placeholder)
            continue;
        const InputSlot& slot = correspondence.inputs(Side::a)[position++];
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
    constexpr std::size_t kOffset = 4;
    const std::span<const TermId> given = m_terms.children(tensor);
    const std::int64_t rank = static_cast<std::int64_t>(m_terms[given[kOffset - 1]].bits);
    std::vector<TermId> parts(given.begin(), given.end());
    if (static_cast<std::int64_t>(parts.size()) != static_cast<std::int64_t>(kOffset) + 1 + 2 * rank)
        return tensor;
    parts.erase(parts.begin() + kOffset);
    return m_terms.make({.kind = TermKind::form, .detail = kDescription}, parts);
}

TermId CallForms::formOf(TermId term)
{
    switch (m_terms[term].kind) {
    case TermKind::read: // what memory holds is left out, but not that a tensor has another shape by then
        return reshaped(m_forms[m_terms.children(term)[0].index()], m_forms[m_terms.children(term)[1].index()]);
    case TermKind::write:
        return formOfVersion(term);
    case TermKind::overwritten:
    case TermKind::again:
        return m_forms[m_terms.children(term)[0].index()];
    case TermKind::tensor:
        return formOfTensor(term);
    case TermKind::group:
        return withForms(term);
    case TermKind::call:
        return formOfCall(term);
    default:
        return term;
    }
}

TermId CallForms::reshaped(TermId place, TermId shapes)
{
    return shapes == TermTable::nothing() ? place : m_terms.make({.kind = TermKind::form, .detail = kReshaped}, {place, shapes});
}

/// Of a version of memory what changed shapes in it.
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

TermId CallForms::withForms(TermId term)
{
    const std::span<const TermId> given = m_terms.children(term);
    std::vector<TermId> parts;
    for (const TermId child : given)
        parts.push_back(m_forms[child.index()]);
    const Term& whole = m_terms[term];
    if (whole.kind == TermKind::call && m_terms[given[kState]].kind == TermKind::group) // whether gradients are recorded
        parts[kState] = m_forms[m_terms.children(given[kState])[0].index()];          // decides nothing here
    return m_terms.make({.kind = TermKind::form, .detail = kWhole, .head = static_cast<std::uint32_t>(whole.kind),
                         .bits = whole.bits}, parts);
}

TermId CallForms::formOfCall(TermId call)
{
    const std::uint32_t made = m_first.evaluator.stepOf(call);
    const bool isFirst = made != Evaluator::kNoStep;
    const ExplainedSide& side = isFirst ? m_first : m_second;
    const std::uint32_t index = isFirst ? made : m_second.evaluator.stepOf(call);
    if (index == Evaluator::kNoStep)
        return call;
    const Step& step = side.trace.steps[index];
    const bool byForm = failsByForm(step, side.program, m_terms);
    const TermId form = byForm ? withForms(call) : call;
    if (isFirst) {
        const TermId result = step.described ? description(side.program.node(step.node).meta.val, form) : form;
        return byForm ? m_results.emplace(form, result).first->second : result;
    }
    if (!byForm)
        return call;
    const auto found = m_results.find(form);
    m_known[call.index()] = found != m_results.end();
    return m_known[call.index()] ? found->second : form;
}

} // namespace sunder
