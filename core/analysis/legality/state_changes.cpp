#include "analysis/legality/state_changes.h"

#include "ir/python_text.h"

namespace sunder {
namespace {

constexpr std::size_t kMaxFields = 16;
const char* const kGradMode = "grad mode";
const char* const kInferenceMode = "inference mode";

PythonSpelling spelling()
{
    return {.node = [](NodeId id) { return "%" + std::to_string(id.index()); },
            .callable = [](InternedString name) { return name.str(); }};
}

std::string textOfArguments(const Node& node)
{
    std::string text;
    for (const Argument& argument : node.args)
        text += pythonRepr(argument, spelling()) + ",";
    for (const Keyword& keyword : node.kwargs)
        text += keyword.key.str() + "=" + pythonRepr(keyword.value, spelling()) + ",";
    return text;
}

} // namespace

std::uint32_t StateChanges::behind(const Node& node, NodeId id, OperatorCatalog& operators)
{
    const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
    const OperatorFacts* facts = isFunction ? &operators.of(node) : nullptr;
    const CallRole role = facts != nullptr ? facts->role : CallRole::stir;
    if (m_fields.size() > kMaxFields)
        stir(id);
    else if (role == CallRole::enter)
        enter(node, id, facts->field.str());
    else if (role == CallRole::leave)
        leave(node, id);
    else if (role == CallRole::setState)
        set(facts->field.str(),
            intern((facts->field.view() == kGradMode ? std::string() : node.target.str()) + textOfArguments(node)).id());
    else
        stir(id);
    m_now = m_numbers.try_emplace(m_fields, static_cast<std::uint32_t>(m_numbers.size())).first->second;
    return m_now;
}

void StateChanges::enter(const Node& node, NodeId id, const std::string& field)
{
    Entered entered{.field = field, .setsGradients = field == kInferenceMode};
    if (!entered.setsGradients && !node.args.empty()) // autocast has a separate setting per device type
        entered.field += " on " + pythonRepr(node.args[0], spelling());
    entered.before = value(entered.field);
    entered.gradModeBefore = value(kGradMode);
    // Without an explicit dtype, autocast inherits the current setting.
    set(entered.field, intern(textOfArguments(node) + " over " + std::to_string(m_now)).id());
    if (entered.setsGradients)
        set(kGradMode, intern(textOfArguments(node) + kInferenceMode).id());
    m_entered.insert_or_assign(id, std::move(entered));
}

void StateChanges::leave(const Node& node, NodeId id)
{
    const bool saysWhich = !node.args.empty() && node.args[0].is(ArgumentKind::node);
    const auto found = saysWhich ? m_entered.find(node.args[0].asNode()) : m_entered.end();
    if (found == m_entered.end()) {
        stir(id);
        return;
    }
    set(found->second.field, found->second.before);
    if (found->second.setsGradients)
        set(kGradMode, found->second.gradModeBefore);
}

std::uint32_t StateChanges::value(const std::string& field) const
{
    const auto found = m_fields.find(field);
    return found != m_fields.end() ? found->second : 0;
}

void StateChanges::set(const std::string& field, std::uint32_t value)
{
    if (value == 0)
        m_fields.erase(field);
    else
        m_fields[field] = value;
}

void StateChanges::stir(NodeId id)
{
    m_fields["other"] = intern(std::to_string(id.index())).id();
}

} // namespace sunder
