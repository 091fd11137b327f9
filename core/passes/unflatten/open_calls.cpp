#include "passes/unflatten/open_calls.h"

#include "ir/getitem.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {
namespace {

// NodeMeta::json is the text of a JSON object; torch lifts its member `custom` from nodes to the call of their module. The text
// was validated when it was read; text other than an object is left unchanged. O(length) each.

/// Extent of the member `custom` in an object: from its key to the end of its value.
struct Place {
    std::size_t key = 0;
    std::size_t value = 0;
    std::size_t end = 0;
};

std::size_t endOfString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1 : 0;
    return at + 1;
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Returns the position of the comma or bracket after the value that starts at `at`.
std::size_t endOfValue(std::string_view text, std::size_t at)
{
    std::size_t open = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = endOfString(text, at);
            continue;
        }
        if (open == 0 && (c == ',' || c == '}'))
            break;
        open += c == '{' || c == '[' ? 1 : 0;
        open -= c == '}' || c == ']' ? 1 : 0;
        ++at;
    }
    return at;
}

std::optional<Place> find(std::string_view json)
{
    std::size_t at = json.find('{');
    while (at != std::string_view::npos && at < json.size() && json[at] != '}') {
        const std::size_t key = json.find('"', at);
        if (key == std::string_view::npos)
            break;
        const std::size_t keyEnd = endOfString(json, key);
        std::size_t value = json.find(':', std::min(keyEnd, json.size()));
        if (value == std::string_view::npos)
            break;
        for (++value; value < json.size() && isSpace(json[value]);)
            ++value;
        const std::size_t end = endOfValue(json, value);
        if (json.substr(key, keyEnd - key) == "\"custom\"")
            return Place{key, value, end};
        at = end;
    }
    return std::nullopt;
}

/// Returns the value of the member `custom` as text; empty if it is missing or `{}`.
std::string customOf(std::string_view json)
{
    constexpr std::string_view kKey = "custom\"";
    if (memmem(json.data(), json.size(), kKey.data(), kKey.size()) == nullptr) // fast path: most nodes have no such member
        return {};
    const std::optional<Place> place = find(json);
    if (!place)
        return {};
    std::string_view value = json.substr(place->value, place->end - place->value);
    while (!value.empty() && isSpace(value.back()))
        value.remove_suffix(1);
    return value == "{}" || value == "null" ? std::string() : std::string(value);
}

/// Returns the object without that member; empty if no member is left.
std::string withoutCustom(std::string_view json)
{
    const std::optional<Place> place = find(json);
    if (!place)
        return std::string(json);
    std::string_view before = json.substr(0, place->key);
    std::string_view after = json.substr(place->end);
    if (after.starts_with(',')) {
        after.remove_prefix(1);
    } else {
        while (!before.empty() && (isSpace(before.back()) || before.back() == ','))
            before.remove_suffix(1);
    }
    const std::string rest = std::string(before) + std::string(after);
    return rest.find('"') == std::string::npos ? std::string() : rest;
}

/// Returns the object with that member.
std::string withCustom(std::string_view json, std::string_view custom)
{
    std::string rest = withoutCustom(json);
    const std::string member = "\"custom\":" + std::string(custom);
    const std::size_t end = rest.rfind('}');
    if (rest.empty() || end == std::string::npos)
        return "{" + member + "}";
    rest.insert(end, "," + member);
    return rest;
}

constexpr std::size_t kUsualNodes = 8; ///< initial capacity of a graph that starts with a call

constexpr std::string_view kFlatten = "torch.fx._pytree.tree_flatten_spec";
constexpr std::string_view kUnflatten = "torch.utils._pytree.tree_unflatten";

Argument nodeOrNone(NodeId id)
{
    return id ? Argument::node(id) : Argument();
}

Argument index(std::size_t i)
{
    return Argument::integer(static_cast<std::int64_t>(i));
}

Argument textKey(InternedString key)
{
    return Argument::string(key);
}

} // namespace

void OpenCalls::open(const StackedCall& call, InternedString key)
{
    const std::size_t parent = m_draft.frames.size() - 1;
    const InternedString parentPath = m_draft.frames[parent].path;
    const InternedString called = callName(call.path, call.call);
    if (!accessor(parentPath.view(), called.view()) || withoutCall(called.view()).empty())
        return m_draft.stop("module " + call.path.str() + " is not inside " + parentPath.str()
                                + ", its caller according to nn_module_stack",
                            m_draft.flat.first(), call.path.str());
    const InternedString target = intern(*accessor(parentPath.view(), called.view()));
    const ObjectId object = m_places.place(call.path, target);
    if (m_draft.graphOf(parent).empty())
        m_draft.graphOf(parent).reserve(kUsualNodes);
    const NodeId node = m_draft.create(parent, {.op = Op::callModule, .target = target});
    const auto number = static_cast<std::uint32_t>(m_draft.outline.calls.size());
    const std::uint32_t first = m_places.join(object, key, number);
    m_draft.outline.calls.push_back(
        {m_draft.frames[parent].object, node, parentPath, call.path, call.call, called, object, first});
    push(call.path, object, node);
    if (m_signatures.empty())
        return;
    m_draft.frames.back().signature = m_signatures.find(called);
    m_draft.frames.back().closed = m_signatures.find(call.path) != nullptr;
    if (m_draft.frames.back().signature != nullptr) {
        m_preserved.adaptInputs();
        m_preserved.passInputs();
    }
}

void OpenCalls::push(InternedString path, ObjectId object, NodeId callNode)
{
    if (m_spare.empty()) {
        m_draft.frames.emplace_back();
    } else {
        m_draft.frames.push_back(std::move(m_spare.back()));
        m_spare.pop_back();
    }
    OutlineFrame& frame = m_draft.frames.back();
    frame.path = path;
    frame.object = object;
    frame.graph = m_draft.outline.objects[object].graph;
    frame.callNode = callNode;
    frame.signature = nullptr;
    frame.closed = false;
    frame.hasCustom = false;
    frame.late.clear();
    frame.nodes.clear();
    frame.order.clear();
    frame.inputs.clear();
}

void OpenCalls::close()
{
    const std::size_t parent = m_draft.frames.size() - 2;
    OutlineFrame& frame = m_draft.frames.back();
    m_places.leave(frame.path);
    passLateArguments();
    NodeId given = frame.callNode;
    const std::vector<NodeId> results = frame.signature != nullptr ? m_preserved.giveOutputs(given) : giveOutputs();
    if (m_draft.failed())
        return;
    if (frame.hasCustom)
        liftCustom();
    const bool whole = results.size() == 1 && frame.signature == nullptr;
    OutlineFrame& above = m_draft.frames[parent];
    Graph& graph = m_draft.graphOf(parent);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            continue;
        NodeId node = given;
        if (!whole) {
            node = m_draft.create(parent, getitemSpec(given, i));
            graph.meta(node).val = m_draft.flat.node(results[i]).meta.val;
        }
        m_draft.noteValue(parent, results[i], node, true);
    }
    above.hasCustom = above.hasCustom || frame.hasCustom;
    m_spare.push_back(std::move(m_draft.frames.back()));
    m_draft.frames.pop_back();
}

/// Adds the values that were requested while nodes were copied to the arguments of the call.
void OpenCalls::passLateArguments()
{
    const OutlineFrame& frame = m_draft.frames.back();
    if (frame.late.empty())
        return;
    Graph& above = m_draft.graphOf(m_draft.top() - 1);
    Arguments args(frame.late.rbegin(), frame.late.rend());
    const Arguments& known = above.node(frame.callNode).args;
    args.insert(args.end(), known.begin(), known.end());
    Keywords kwargs = above.node(frame.callNode).kwargs;
    above.setArguments(frame.callNode, std::move(args), std::move(kwargs));
}

/// Returns the values used outside: a single value as such, several as a list.
std::vector<NodeId> OpenCalls::giveOutputs()
{
    OutlineFrame& frame = m_draft.frames.back();
    Graph& graph = m_draft.graphOf(m_draft.frames.size() - 1);
    std::vector<NodeId> results;
    for (const NodeId flat : frame.order)
        if (m_draft.isStillUsed(flat))
            results.push_back(flat);
    std::optional<Argument>& val = m_draft.graphOf(m_draft.frames.size() - 2).meta(frame.callNode).val;
    Argument output;
    if (results.size() == 1) {
        const NodeId node = frame.nodes.find(results.front());
        output = Argument::node(node);
        val = graph.node(node).meta.val;
        if (val && val->isNone())
            val.reset();
    } else {
        Arguments items;
        Arguments vals;
        for (const NodeId flat : results) {
            const NodeId node = frame.nodes.find(flat);
            items.push_back(Argument::node(node));
            vals.push_back(graph.node(node).meta.val.value_or(Argument()));
        }
        output = Argument::list(std::move(items));
        val = Argument::list(std::move(vals));
    }
    m_draft.create(m_draft.frames.size() - 1, {.op = Op::output, .target = intern("output"), .args = {output}});
    return results;
}

/// Moves custom metadata to the call if all its nodes have the same.
void OpenCalls::liftCustom()
{
    OutlineFrame& frame = m_draft.frames.back();
    Graph& graph = m_draft.graphOf(m_draft.frames.size() - 1);
    std::optional<std::string> common;
    for (const NodeId flat : frame.order) {
        const std::string custom = customOf(graph.node(frame.nodes.find(flat)).meta.json.view());
        if (custom.empty() || (common && *common != custom))
            return;
        common = custom;
    }
    if (!common)
        return;
    for (const NodeId flat : frame.order) {
        InternedString& json = graph.meta(frame.nodes.find(flat)).json;
        json = intern(withoutCustom(json.view()));
    }
    InternedString& json = m_draft.graphOf(m_draft.frames.size() - 2).meta(frame.callNode).json;
    json = intern(withCustom(json.view(), *common));
}

NodeId PreservedCalls::call(std::size_t frame, std::string_view target, Arguments args)
{
    return m_draft.create(frame, {.op = Op::callFunction, .target = intern(target), .args = std::move(args)});
}

NodeId PreservedCalls::item(std::size_t frame, NodeId of, Argument key, InternedString name)
{
    NodeSpec spec = getitemSpec(of, std::move(key));
    spec.name = name;
    return m_draft.create(frame, std::move(spec));
}

NodeId PreservedCalls::addSpec(std::size_t frame, const Argument& spec)
{
    ModuleObject& object = m_draft.outline.objects[m_draft.frames[frame].object];
    const InternedString name = intern("_spec_" + std::to_string(object.specs++));
    const NodeId node = m_draft.create(frame, {.op = Op::getAttr, .target = name});
    m_draft.graphOf(frame).meta(node).val = spec;
    return node;
}

void PreservedCalls::adaptInputs()
{
    const std::size_t top = m_draft.frames.size() - 1;
    const CallSignature& signature = *m_draft.frames[top].signature;
    Graph& graph = m_draft.graphOf(top);
    Arguments positionals;
    Arguments keys;
    Arguments values;
    for (std::size_t i = 0; i < signature.positionals; ++i)
        positionals.push_back(Argument::node(
            m_draft.create(top, {.op = Op::placeholder, .target = intern("_positional_arg_" + std::to_string(i))})));
    for (const InternedString key : signature.keywords) {
        keys.push_back(textKey(key));
        values.push_back(Argument::node(m_draft.create(top, {.op = Op::placeholder, .target = key})));
    }
    m_draft.outline.objects[m_draft.frames[top].object].ownInputs = static_cast<std::uint32_t>(signature.positionals
                                                                                               + signature.keywords.size());
    const NodeId spec = addSpec(top, signature.inSpec);
    const Argument whole = Argument::tuple(
        {Argument::tuple(std::move(positionals)), Argument::dict(std::move(keys), std::move(values))});
    const NodeId flattened = call(top, kFlatten, {whole, Argument::node(spec)});
    for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
        const CallValue& input = signature.inputs[i];
        const InternedString name = input.name.empty() ? intern("_constant_" + std::to_string(i)) : input.name;
        const NodeId node = item(top, flattened, index(i), name);
        if (!input.node || !m_draft.isSeen(input.node))
            continue;
        graph.meta(node) = m_draft.flat.node(input.node).meta;
        m_draft.frames[top].inputs.set(input.node, node);
        m_draft.note(top, input.node, node, true);
    }
}

void PreservedCalls::passInputs()
{
    const std::size_t parent = m_draft.frames.size() - 2;
    const CallSignature& signature = *m_draft.frames.back().signature;
    const NodeId callNode = m_draft.frames.back().callNode;
    Graph& graph = m_draft.graphOf(parent);
    const InsertScope scope(graph, Graph::InsertPoint::before(callNode));
    Arguments leaves;
    for (const CallValue& input : signature.inputs) {
        if (input.name.empty())
            leaves.push_back(input.constant);
        else
            leaves.push_back(input.node && m_draft.isSeen(input.node) ? nodeOrNone(m_values.of(parent, input.node)) : Argument());
    }
    if (m_draft.failed())
        return;
    const NodeId spec = addSpec(parent, signature.inSpec);
    const NodeId packed = call(parent, kUnflatten, {Argument::list(std::move(leaves)), Argument::node(spec)});
    const NodeId positionals = item(parent, packed, index(0));
    const NodeId keywords = item(parent, packed, index(1));
    Arguments args;
    Keywords kwargs;
    for (std::size_t i = 0; i < signature.positionals; ++i)
        args.push_back(Argument::node(item(parent, positionals, index(i))));
    for (const InternedString key : signature.keywords)
        kwargs.push_back({key, Argument::node(item(parent, keywords, textKey(key)))});
    graph.setArguments(callNode, std::move(args), std::move(kwargs));
}

std::vector<NodeId> PreservedCalls::giveOutputs(NodeId& given)
{
    const std::size_t top = m_draft.frames.size() - 1;
    OutlineFrame& frame = m_draft.frames[top];
    const CallSignature& signature = *frame.signature;
    std::vector<NodeId> results;
    Arguments leaves;
    for (const CallValue& output : signature.outputs) {
        const NodeId flat = output.node && m_draft.isSeen(output.node) ? output.node : NodeId();
        results.push_back(flat);
        NodeId node;
        if (flat) {
            node = frame.nodes.find(flat);
            if (!node)
                node = frame.inputs.find(flat);
            if (!node) {
                m_draft.stop("module " + frame.path.str() + " with a preserved signature returns " + output.name.str()
                                 + ", which it neither computes nor takes as an argument",
                             flat, frame.path.str());
                return results;
            }
        }
        leaves.push_back(nodeOrNone(node));
    }
    const NodeId spec = addSpec(top, signature.outSpec);
    const NodeId packed = call(top, kUnflatten, {Argument::tuple(std::move(leaves)), Argument::node(spec)});
    const NodeId outSpec = addSpec(top - 1, signature.outSpec);
    given = call(top - 1, kFlatten, {Argument::node(frame.callNode), Argument::node(outSpec)});
    m_draft.create(top, {.op = Op::output, .target = intern("output"), .args = {Argument::node(packed)}});
    return results;
}

} // namespace sunder
