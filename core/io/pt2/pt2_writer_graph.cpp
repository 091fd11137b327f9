#include "io/pt2/pt2_writer_graph.h"

#include "io/exported_program/exported_program_enums.h"
#include "io/pt2/pt2_writer_weights.h"
#include "ir/getitem.h"
#include "operators/operator_library.h"
#include "support/json_text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr unsigned kDeepestGraph = 60;
void appendKey(std::string& out, std::string_view key)
{
    out += out.back() == '{' ? "\"" : ",\"";
    out += key;
    out += "\":";
}

} // namespace

Pt2GraphWriter::Pt2GraphWriter(const Program& program, GraphId graph, Pt2ValueWriter& values, ReadFault& fault,
                               std::function<void(std::string&)> flush, unsigned depth)
    : m_program(program), m_graph(program.graph(graph)), m_owner(program.owners[graph.index()]), m_values(values), m_fault(fault),
      m_flush(std::move(flush)), m_depth(depth)
{
    findKinds();
}

void Pt2GraphWriter::findKinds()
{
    m_kinds.assign(m_graph.idBound(), Pt2ValueKind::none);
    for (const NodeId id : m_graph.nodes())
        m_kinds[id.index()] = pt2KindOf(m_graph[id].meta.val);
}

void Pt2GraphWriter::refuse(const Node& node, const std::string& why)
{
    m_fault.report("node " + node.name.str() + " " + why, ErrorCode::refused);
}

void Pt2GraphWriter::refuseForTarget(const std::string& what)
{
    if (m_at != nullptr)
        refuse(*m_at, what + ", which " + m_values.schema().torch() + " does not read from a .pt2 file");
}

/// True for a getitem of a call with several results. The file has only a name among the outputs of the call.
bool Pt2GraphWriter::isFolded(NodeId id) const
{
    const Node& node = m_graph[id];
    if (!itemNumber(node))
        return false;
    const NodeId of = node.args[0].asNode();
    return m_graph[of].op == Op::callFunction && kindOf(of) == Pt2ValueKind::several && (!isGetitem(m_graph[of]) || isFolded(of));
}

void Pt2GraphWriter::write(std::string& out)
{
    if (m_depth > kDeepestGraph) {
        m_fault.report("graphs are nested too deeply", ErrorCode::refused);
        return;
    }
    out += R"({"inputs":[)";
    for (const NodeId id : m_graph.nodes())
        if (m_graph[id].op == Op::placeholder)
            writeInput(out, m_graph[id]);
    out += R"(],"nodes":[)";
    bool isFirst = true;
    for (const NodeId id : m_graph.nodes()) {
        const Node& node = m_graph[id];
        m_at = &node;
        if (m_fault.isReported())
            return;
        if (node.op == Op::callModule || node.op == Op::callMethod)
            refuse(node, "is a " + std::string(name(node.op)) + ", which a .pt2 file cannot hold");
        if (node.op != Op::callFunction || isFolded(id))
            continue;
        out += isFirst ? "" : ",";
        isFirst = false;
        writeNode(out, id);
        m_flush(out);
    }
    out += "],";
    writeOutputs(out);
    writeTables(out);
    out += '}';
}

void Pt2GraphWriter::writeInput(std::string& out, const Node& node)
{
    m_at = &node;
    out += out.back() == '[' ? "" : ",";
    const std::optional<Argument>& val = node.meta.val;
    const Pt2ValueKind kind = pt2KindOf(val);
    const bool isLiteral = !val
        || (kind != Pt2ValueKind::tensor && kind != Pt2ValueKind::object && !val->is(ArgumentKind::symbolic));
    if (isLiteral) {
        if (!m_values.writeLiteral(out, val.value_or(Argument())))
            refuse(node, "is an input of a kind that a .pt2 file cannot hold");
        return;
    }
    if (kind == Pt2ValueKind::symFloat || kind == Pt2ValueKind::symBool)
        refuse(node, "is an input that is a symbolic float or bool, which torch.export does not load");
    m_results.push_back({node.name, *val});
    if (kind != Pt2ValueKind::object)
        return appendPt2Name(out, kind, node.name.view());
    m_values.writeLiteral(out, Argument::object(node.name, val->className()));
}

void Pt2GraphWriter::writeOutputs(std::string& out)
{
    const NodeId output = m_graph.output();
    out += R"("outputs":[)";
    const Argument result = output && !m_graph[output].args.empty() ? m_graph[output].args[0] : Argument::tuple({});
    if (output)
        m_at = &m_graph[output];
    const bool isSingle = result.is(ArgumentKind::node);
    const bool isList = result.is(ArgumentKind::tuple) || result.is(ArgumentKind::list);
    if (!isSingle && !isList && m_at != nullptr)
        refuse(*m_at, "returns something other than a node or a tuple of nodes");
    if (isSingle)
        writeArgument(out, result);
    for (const Argument& item : result.items()) {
        out += out.back() == '[' ? "" : ",";
        writeArgument(out, item);
    }
    out += isSingle ? R"(],"is_single_tensor_return":true,)" : R"(],"is_single_tensor_return":false,)";
}

void Pt2GraphWriter::writeNode(std::string& out, NodeId id)
{
    const Node& node = m_graph[id];
    JsonValue json;
    if (!node.meta.json.empty() && m_meta.parse(node.meta.json.view(), 128))
        json = m_meta.root();
    const JsonValue kept = json.member("pt2");
    const std::string extra = kept.member("extra") ? kept.member("extra").raw() : std::string();
    out += R"({"target":)";
    appendJsonString(out, node.target.view());
    writeInputs(out, node, kept.member("inputs"));
    writeMetadata(out, node, json);
    out += R"(,"outputs":[)";
    writeResults(out, id);
    out += ']';
    if (m_values.schema().hasSingleReturns()) {
        out += R"(,"is_hop_single_tensor_return":)";
        out += !isHigherOrderTarget(node.target.view()) ? "null" : kindOf(id) == Pt2ValueKind::tensor ? "true" : "false";
    }
    if (m_values.schema().hasNodeNames()) {
        out += R"(,"name":)";
        appendJsonString(out, node.name.view());
    }
    appendJsonMembers(out, extra);
    out += '}';
}

void Pt2GraphWriter::writeInputs(std::string& out, const Node& node, JsonValue names)
{
    std::vector<std::string> known;
    if (names && names.is(JsonType::array))
        for (JsonValue item = names.firstItem(); item; item = item.nextItem())
            known.emplace_back(item.is(JsonType::string) ? item.text() : std::string_view());
    if (isPt2SchemaOperator(node.target.view()) && std::ranges::find(known, std::string()) != known.end())
        known.clear(); // cached by a higher-order operator that called this operator
    if (node.args.size() > known.size() && isPt2SchemaOperator(node.target.view()))
        known = m_values.argumentNames(node.target);
    if (node.args.size() > known.size() && isPt2SchemaOperator(node.target.view()))
        refuse(node,
               "calls " + node.target.str()
                   + " with positional arguments, but a .pt2 file needs their names and there is no schema for it; "
                     "add its schema with --operators");
    known.resize(std::max(known.size(), node.args.size()));
    out += R"(,"inputs":[)";
    const bool marks = m_values.marksArguments();
    const auto write = [&](std::string_view name, const Argument& value, char kind) {
        out += out.back() == '[' ? R"({"name":)" : R"(,{"name":)";
        appendJsonString(out, name);
        out += R"(,"arg":)";
        writeArgument(out, value);
        if (marks)
            out += std::string(R"(,"kind":)") + kind;
        out += '}';
    };
    for (std::size_t i = 0; i < node.args.size(); ++i)
        write(known[i], node.args[i], '1');
    for (const Keyword& keyword : node.kwargs)
        write(keyword.key.view(), keyword.value, '2');
    out += ']';
}

void Pt2GraphWriter::writeMetadata(std::string& out, const Node& node, JsonValue json)
{
    out += R"(,"metadata":{)";
    const auto text = [&](std::string_view key, std::string_view value) {
        appendKey(out, key);
        appendJsonString(out, value);
    };
    if (!node.meta.trace.empty())
        text("stack_trace", node.meta.trace.view());
    std::string stack;
    if (const StackId stated = m_program.statedStack(node); stated)
        for (const ModuleFrame& frame : m_program.stacks[stated.index()])
            stack += (stack.empty() ? "" : ";") + frame.key.str() + "," + frame.path.str() + "," + frame.cls.str();
    if (!stack.empty())
        text("nn_module_stack", stack);
    std::string custom;
    if (json && json.is(JsonType::object)) {
        for (JsonValue key = json.firstItem(); key; key = key.nextMember()) {
            if (key.text() == "custom")
                custom = key.memberValue().raw();
            else if (key.memberValue().is(JsonType::string))
                text(key.text(), key.memberValue().text());
        }
    }
    custom = pt2CustomWithTag(custom, node.tag.view());
    if (!custom.empty())
        text("custom", custom);
    out += '}';
}

} // namespace sunder
