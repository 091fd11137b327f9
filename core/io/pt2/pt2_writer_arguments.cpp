// Writes the arguments of nodes of a serialized graph.
#include "io/pt2/pt2_writer_graph.h"
#include "support/json_text.h"

#include <algorithm>

namespace sunder {
namespace {

template <typename Holds>
bool allOf(const Argument& list, const Holds& holds)
{
    return std::all_of(list.items().begin(), list.items().end(), holds);
}

bool allAre(const Argument& list, ArgumentKind kind)
{
    return allOf(list, [kind](const Argument& item) { return item.is(kind); });
}

bool isSequence(const Argument& value)
{
    return value.is(ArgumentKind::list) || value.is(ArgumentKind::tuple);
}

/// Appends the items of a list of plain numbers, texts, or booleans.
void appendItems(std::string& out, const Argument& list, const Pt2ValueWriter& values)
{
    out += '[';
    for (const Argument& item : list.items()) {
        out += out.back() == '[' ? "" : ",";
        switch (item.kind()) {
        case ArgumentKind::boolean: out += item.asBoolean() ? "true" : "false"; break;
        case ArgumentKind::integer: appendJsonInteger(out, item.asInteger()); break;
        case ArgumentKind::floating: values.writeFloat(out, item.asFloating()); break;
        default: appendJsonString(out, item.text().view()); break;
        }
    }
    out += ']';
}

void appendLists(std::string& out, std::string_view tag, const Argument& lists, const Pt2ValueWriter& values)
{
    out += tag;
    for (const Argument& list : lists.items()) {
        out += out.back() == '[' ? "" : ",";
        appendItems(out, list, values);
    }
    out += "]}";
}

} // namespace

void Pt2GraphWriter::writeArgument(std::string& out, const Argument& value)
{
    switch (value.kind()) {
    case ArgumentKind::node: return writeNodeName(out, value.asNode());
    case ArgumentKind::list:
    case ArgumentKind::tuple: return writeList(out, value);
    case ArgumentKind::dict: return writeDictionary(out, value);
    case ArgumentKind::complex:
        if (!m_values.schema().hasComplexNumbers())
            return refuseForTarget("has a complex number");
        break;
    default: break;
    }
    if (!m_values.writeLiteral(out, value) && m_at != nullptr)
        refuse(*m_at, "has an argument of a kind that a .pt2 file cannot hold");
}

void Pt2GraphWriter::writeNodeName(std::string& out, NodeId id)
{
    const Node& node = m_graph[id];
    if (node.op == Op::getAttr)
        return writeNestedGraph(out, node);
    const Pt2ValueKind kind = kindOf(id);
    if (kind == Pt2ValueKind::several)
        refuse(node, "has several results, which a .pt2 file can only pass one by one");
    if (node.op == Op::placeholder && node.meta.val && kind != Pt2ValueKind::tensor && kind != Pt2ValueKind::object
        && !node.meta.val->is(ArgumentKind::symbolic))
        return static_cast<void>(m_values.writeLiteral(out, *node.meta.val));
    if (!node.meta.val && (node.isCall() || m_depth > 0))
        refuse(node, "has no value (val), but a .pt2 file describes each value");
    if (kind == Pt2ValueKind::none) {
        out += R"({"as_none":true})"; // an input or a result that is None
        return;
    }
    if (kind == Pt2ValueKind::object)
        return static_cast<void>(m_values.writeLiteral(out, Argument::object(node.name, node.meta.val->className())));
    appendPt2Name(out, kind, node.name.view());
}

void Pt2GraphWriter::writeNestedGraph(std::string& out, const Node& node)
{
    const ModuleTree& modules = m_program.modules;
    const std::string_view owner = m_owner ? modules[m_owner].path.view() : std::string_view();
    const ModuleId module = modules.resolve(joinPath(owner, node.target.view()));
    if (!module || !modules[module].graph)
        return refuse(node, "reads " + node.target.str() + ", which is not a graph; in a .pt2 file, all tensors are inputs");
    out += R"({"as_graph":{"name":)";
    appendJsonString(out, node.target.view());
    out += R"(,"graph":)";
    Pt2GraphWriter(m_program, modules[module].graph, m_values, m_fault, [](std::string&) {}, m_depth + 1).write(out);
    out += "}}";
}

void Pt2GraphWriter::writeList(std::string& out, const Argument& list)
{
    const auto plain = [&](std::string_view tag) {
        out += tag;
        appendItems(out, list, m_values);
        out += '}';
    };
    const auto isNamed = [this](const Argument& item, Pt2ValueKind kind) {
        return item.is(ArgumentKind::node) && kindOf(item.asNode()) == kind;
    };
    const auto areNamedOr = [&](Pt2ValueKind kind, ArgumentKind literal) {
        return allOf(list, [&](const Argument& item) { return item.is(literal) || isNamed(item, kind); });
    };
    if (list.items().empty()) {
        out += R"({"as_tensors":[]})"; // PyTorch reads an empty list of any type as []
        return;
    }
    if (allAre(list, ArgumentKind::boolean))
        return plain(R"({"as_bools":)");
    if (allAre(list, ArgumentKind::integer))
        return plain(R"({"as_ints":)");
    if (allAre(list, ArgumentKind::floating))
        return plain(R"({"as_floats":)");
    if (allAre(list, ArgumentKind::string))
        return plain(R"({"as_strings":)");
    if (areNamedOr(Pt2ValueKind::symInt, ArgumentKind::integer))
        return writeNamedItems(out, "as_sym_ints", "as_int", list);
    if (areNamedOr(Pt2ValueKind::symFloat, ArgumentKind::floating))
        return writeNamedItems(out, "as_sym_floats", "as_float", list);
    if (areNamedOr(Pt2ValueKind::symBool, ArgumentKind::boolean))
        return writeNamedItems(out, "as_sym_bools", "as_bool", list);
    if (allOf(list, [](const Argument& item) { return item.is(ArgumentKind::node) || item.isNone(); }))
        return writeOptionalTensors(out, list);
    if (allOf(list, isSequence)) {
        if (!m_values.schema().hasNestedLists())
            return refuseForTarget("has a list of lists");
        if (allOf(list, [](const Argument& item) { return allAre(item, ArgumentKind::integer); }))
            return appendLists(out, R"({"as_int_lists":[)", list, m_values);
        if (m_values.schema().hasNestedFloats()
            && allOf(list, [](const Argument& item) { return allAre(item, ArgumentKind::floating); }))
            return appendLists(out, R"({"as_float_lists":[)", list, m_values);
        if (allOf(list, [](const Argument& item) { return allAre(item, ArgumentKind::node); })) {
            out += R"({"as_nested_tensors":[)";
            for (const Argument& inner : list.items()) {
                out += out.back() == '[' ? "[" : ",[";
                for (const Argument& item : inner.items()) {
                    out += out.back() == '[' ? R"({"name":)" : R"(,{"name":)";
                    appendJsonString(out, m_graph[item.asNode()].name.view());
                    out += '}';
                }
                out += ']';
            }
            out += "]}";
            return;
        }
    }
    if (m_at != nullptr)
        refuse(*m_at, "has a list of mixed values, which a .pt2 file cannot hold");
}

void Pt2GraphWriter::writeNamedItems(std::string& out, std::string_view tag, std::string_view literal, const Argument& list)
{
    out += "{\"" + std::string(tag) + "\":[";
    for (const Argument& item : list.items()) {
        out += out.back() == '[' ? "{\"" : ",{\"";
        if (item.is(ArgumentKind::node)) {
            out += "as_name\":";
            appendJsonString(out, m_graph[item.asNode()].name.view());
        } else {
            out += std::string(literal) + "\":";
            std::string value;
            appendItems(value, Argument::list({item}), m_values);
            out += value.substr(1, value.size() - 2);
        }
        out += '}';
    }
    out += "]}";
}

void Pt2GraphWriter::writeOptionalTensors(std::string& out, const Argument& list)
{
    const bool hasNone = std::any_of(list.items().begin(), list.items().end(), [this](const Argument& item) {
        return item.isNone() || kindOf(item.asNode()) == Pt2ValueKind::none;
    });
    out += hasNone ? R"({"as_optional_tensors":[)" : R"({"as_tensors":[)";
    for (const Argument& item : list.items()) {
        out += out.back() == '[' ? "" : ",";
        if (item.isNone() || kindOf(item.asNode()) == Pt2ValueKind::none) {
            out += R"({"as_none":true})";
            continue;
        }
        out += hasNone ? R"({"as_tensor":{"name":)" : R"({"name":)";
        appendJsonString(out, m_graph[item.asNode()].name.view());
        out += hasNone ? "}}" : "}";
    }
    out += "]}";
}

void Pt2GraphWriter::writeDictionary(std::string& out, const Argument& value)
{
    if (!m_values.schema().hasNestedLists())
        return refuseForTarget("has a dictionary");
    out += R"({"as_string_to_argument":{)";
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (!value.keys()[i].is(ArgumentKind::string) && m_at != nullptr)
            return refuse(*m_at, "has a dictionary whose keys are not strings");
        out += i == 0 ? "" : ",";
        appendJsonString(out, value.keys()[i].text().view());
        out += ':';
        writeArgument(out, value.items()[i]);
    }
    out += "}}";
}

} // namespace sunder
