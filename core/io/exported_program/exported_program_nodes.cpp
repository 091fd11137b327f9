#include "io/exported_program/exported_program_nodes.h"

#include "io/exported_program/exported_program_enums.h"
#include "io/json/json_members.h"
#include "ir/graph_values.h"
#include "operators/operator_library.h"
#include "support/json_text.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr unsigned kDeepestCustom = 64;
constexpr std::int64_t kPositional = 1;
constexpr std::int64_t kKeyword = 2;

/// Splits at commas outside brackets.
std::vector<std::string_view> splitFrame(std::string_view text)
{
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        open += c == '[' || c == '(' ? 1 : 0;
        open -= c == ']' || c == ')' ? 1 : 0;
        if (c == ',' && open == 0) {
            parts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    parts.push_back(text.substr(start));
    return parts;
}

/// Parses the frames of an nn_module_stack text, or returns nothing if it is not one. A later frame with the same key replaces an
/// earlier one.
std::optional<ModuleStack> parseStack(std::string_view text)
{
    ModuleStack stack;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(';', start), text.size());
        const std::vector<std::string_view> parts = splitFrame(text.substr(start, end - start));
        if (parts.size() != 3)
            return std::nullopt;
        const ModuleFrame frame{intern(parts[0]), intern(parts[1]), intern(parts[2])};
        const auto same = std::find_if(stack.begin(), stack.end(), [&frame](const ModuleFrame& f) { return f.key == frame.key; });
        if (same == stack.end())
            stack.push_back(frame);
        else
            *same = frame;
        start = end + 1;
    }
    return stack;
}

} // namespace

StackId ExportedProgramNodes::stackOf(std::string_view text)
{
    if (text != m_lastStackText) {
        m_lastStack = lookUpStack(text);
        m_lastStackText = text;
    }
    return m_lastStack;
}

InternedString ExportedProgramNodes::traceOf(std::string_view text)
{
    if (text != m_lastTrace.view())
        m_lastTrace = intern(text);
    return m_lastTrace;
}

/// Most nodes have the same name as their value, which is already interned.
void ExportedProgramNodes::readName(JsonValue value, NodeRecord& node, const GraphRecord& graph)
{
    if (!value || value.is(JsonType::null))
        return;
    const std::string_view text = m_values.textView(value, "name");
    if (!node.outputs.empty() && node.outputs.front().kind == OutputRecord::Kind::named
        && graph.names[node.outputs.front().slot].view() == text)
        node.name = graph.names[node.outputs.front().slot];
    else
        node.name = intern(text);
}

StackId ExportedProgramNodes::lookUpStack(std::string_view text)
{
    const InternedString key = intern(text);
    if (const auto found = m_stacks.find(key); found != m_stacks.end())
        return found->second;
    StackId id;
    if (std::optional<ModuleStack> stack = parseStack(text)) {
        id = StackId(m_program.stacks.size());
        m_program.stacks.push_back(std::move(*stack));
    }
    m_stacks.emplace(key, id);
    return id;
}

/// Custom metadata is JSON inside a text. It includes tags.
void ExportedProgramNodes::readCustom(JsonValue value, NodeRecord& node, std::string& json)
{
    startJsonMember(json, "custom");
    if (!m_custom.parse(value.text(), kDeepestCustom)) {
        appendJsonString(json, value.text());
        return;
    }
    const JsonValue custom = m_custom.root();
    custom.appendRaw(json);
    if (!custom.is(JsonType::object))
        return;
    for (JsonValue key = custom.firstItem(); key; key = key.nextMember())
        if (key.text() == "tag" && key.memberValue().is(JsonType::string))
            node.tag = intern(key.memberValue().text());
}

void ExportedProgramNodes::readMetadata(JsonValue value, NodeRecord& node, std::string& json)
{
    if (!value || value.is(JsonType::null))
        return;
    if (!value.is(JsonType::object))
        return m_fault.report("metadata must be an object");
    for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
        const JsonValue member = key.memberValue();
        const bool isText = member.is(JsonType::string);
        if (isText && member.text().empty())
            continue;
        if (isText && key.text() == "stack_trace") {
            node.meta.trace = traceOf(member.text());
        } else if (isText && key.text() == "custom") {
            readCustom(member, node, json);
        } else if (const StackId stack = isText && key.text() == "nn_module_stack" ? stackOf(member.text()) : StackId(); stack) {
            node.meta.modules = stack;
        } else {
            startJsonMember(json, key.text());
            member.appendRaw(json);
        }
    }
}

/// For files without argument kinds: decides as PyTorch does. Arguments without a default in the operator's schema are
/// positional. For an operator without a known schema, only "self" and "input" are positional, because keywords are valid with
/// any schema.
bool ExportedProgramNodes::isPositional(InternedString target, std::string_view name)
{
    const OperatorSchema* schema = m_operators.of(Op::callFunction, target).schema();
    const std::optional<std::size_t> place = schema != nullptr ? schema->find(intern(name)) : std::nullopt;
    if (!place)
        return name == "self" || name == "input";
    return !schema->arguments[*place].hasDefault && !schema->arguments[*place].keywordOnly;
}

void ExportedProgramNodes::readInput(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names)
{
    static constexpr std::array<std::string_view, 3> kNames = {"name", "arg", "kind"};
    if (!value.is(JsonType::object))
        return m_fault.report("inputs must hold objects");
    const JsonMembers members(value, kNames);
    m_program.noteUnknown("NamedArgument", members.extra());
    if (!members[1])
        return m_fault.report("an input lacks its arg");
    const std::string_view name = members[0] && members[0].is(JsonType::string) ? members[0].text() : std::string_view();
    const std::int64_t kind = members[2] && members[2].is(JsonType::integer) ? members[2].asInteger() : 0;
    Argument argument = m_values.argument(members[1], graph);
    node.holdsGraphs = node.holdsGraphs || holdsGraph(argument);
    const bool byPosition = kind == kPositional || name.empty() || isPythonKeyword(name) || isSymbolicTarget(node.target.view())
        || (kind != kKeyword && node.kwargs.empty() && isPositional(node.target, name));
    if (!byPosition) {
        node.kwargs.push_back({intern(name), std::move(argument)});
        return;
    }
    node.args.push_back(std::move(argument));
    names += names.empty() ? '[' : ',';
    appendJsonString(names, name);
}

void ExportedProgramNodes::readInputs(JsonValue value, NodeRecord& node, GraphRecord& graph, std::string& names)
{
    if (!value || !value.is(JsonType::array))
        return m_fault.report(value ? "inputs must be a list" : "inputs are missing");
    node.args.reserve(4);
    for (JsonValue input = value.firstItem(); input && !m_fault.isReported(); input = input.nextItem())
        readInput(input, node, graph, names);
}

void ExportedProgramNodes::read(JsonValue value, GraphRecord& graph)
{
    static constexpr std::array<std::string_view, 6> kNames = {
        "target", "inputs", "outputs", "metadata", "is_hop_single_tensor_return", "name"};
    if (!value.is(JsonType::object))
        return m_fault.report("must be an object");
    const JsonMembers members(value, kNames);
    if (!members.duplicate().empty())
        return m_fault.report("holds the key \"" + std::string(members.duplicate()) + "\" twice");
    m_program.noteUnknown("Node", members.extra());
    NodeRecord& node = graph.nodes.emplace_back();
    node.target = m_values.text(members[0], "target");
    if (members[4] && members[4].is(JsonType::boolean))
        node.singleResult = members[4].asBoolean();
    std::string names;
    readInputs(members[1], node, graph, names);
    if (!members[2] || !members[2].is(JsonType::array))
        return m_fault.report(members[2] ? "outputs must be a list" : "outputs are missing");
    for (JsonValue output = members[2].firstItem(); output; output = output.nextItem())
        node.outputs.push_back(m_values.output(output, graph));
    readName(members[5], node, graph);
    std::string json;
    readMetadata(members[3], node, json);
    if (!json.empty()
        && (node.holdsGraphs || node.outputs.size() != 1 || !node.outputs.front().items.empty() || node.singleResult))
        node.sharedJson = intern(json + "}");
    if (!names.empty() || !members.extra().empty()) {
        startJsonMember(json, "pt2");
        json += "{\"inputs\":" + (names.empty() ? "[" : names) + "]";
        if (!members.extra().empty())
            json += ",\"extra\":" + members.extra();
        json += '}';
    }
    if (!json.empty())
        node.meta.json = intern(json + "}");
}

} // namespace sunder
