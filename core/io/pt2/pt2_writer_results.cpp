// Writes the results of nodes of a serialized graph: their names, and the tables that describe them.
#include "io/pt2/pt2_writer_graph.h"
#include "operators/operator_library.h"
#include "support/json_text.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// Operators that return a list of tensors; others with several results return a tuple. PyTorch reads both.
// clang-format off
constexpr std::array<std::string_view, 19> kListOperators = {
    "split",        "split_with_sizes", "chunk",        "unbind",     "tensor_split", "hsplit",       "vsplit",
    "dsplit",       "unsafe_split",     "unsafe_chunk", "meshgrid",   "broadcast_tensors", "split_copy", "unbind_copy",
    "align_tensors", "unsafe_split_with_sizes", "split_with_sizes_copy", "atleast_1d", "unflatten_dense_tensors"};
// clang-format on

bool returnsList(std::string_view target)
{
    constexpr std::string_view kAten = "torch.ops.aten.";
    if (!target.starts_with(kAten))
        return false;
    target.remove_prefix(kAten.size());
    const std::string_view base = target.substr(0, target.find('.'));
    return target.starts_with("_foreach_")
        || std::find(kListOperators.begin(), kListOperators.end(), base) != kListOperators.end();
}

} // namespace

/// Returns the getitem of each index, if any. Further getitems of an index count as copies of the first.
std::vector<NodeId> Pt2GraphWriter::getitemsOf(NodeId id, std::size_t count) const
{
    std::vector<NodeId> found(count);
    for (const NodeId user : m_graph.users(id)) {
        if (!isFolded(user))
            continue;
        const std::int64_t index = m_graph[user].args[1].asInteger();
        if (index >= 0 && static_cast<std::size_t>(index) < count && !found[static_cast<std::size_t>(index)])
            found[static_cast<std::size_t>(index)] = user;
    }
    return found;
}

void Pt2GraphWriter::writeResult(std::string& out, InternedString name, const Argument& val)
{
    const Pt2ValueKind kind = pt2KindOf(val);
    if (val.isNone()) {
        out += R"({"as_none":true})";
        return;
    }
    if (kind == Pt2ValueKind::none || kind == Pt2ValueKind::several || kind == Pt2ValueKind::object)
        return refuse(*m_at, "returns a result of a kind that a .pt2 file cannot hold");
    if (kind == Pt2ValueKind::symFloat && !m_values.schema().hasSymbolicFloats())
        return refuseForTarget("returns a symbolic float");
    m_results.push_back({name, val});
    appendPt2Name(out, kind, name.view());
}

void Pt2GraphWriter::writeTensorNames(std::string& out, const std::vector<InternedString>& names, std::span<const Argument> vals)
{
    out += R"({"as_tensors":[)";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!vals[i].is(ArgumentKind::tensor))
            return refuse(*m_at, "returns a list of something other than tensors");
        m_results.push_back({names[i], vals[i]});
        out += i == 0 ? R"({"name":)" : R"(,{"name":)";
        appendJsonString(out, names[i].view());
        out += '}';
    }
    out += "]}";
}

void Pt2GraphWriter::writeResults(std::string& out, NodeId id)
{
    const Node& node = m_graph[id];
    if (!node.meta.val || node.meta.val->isNone())
        return;
    if (kindOf(id) == Pt2ValueKind::several)
        return writeSeveral(out, id);
    writeResult(out, node.name, *node.meta.val);
}

void Pt2GraphWriter::writeSeveral(std::string& out, NodeId id)
{
    const Node& node = m_graph[id];
    const std::span<const Argument> vals = node.meta.val->items();
    const std::vector<NodeId> getitems = getitemsOf(id, vals.size());
    const auto nameAt = [&](const std::vector<NodeId>& nodes, std::size_t i, const std::string& unused) {
        return nodes[i] ? m_graph[nodes[i]].name : intern(unused);
    };
    std::vector<InternedString> names;
    for (std::size_t i = 0; i < vals.size(); ++i)
        names.push_back(nameAt(getitems, i, node.name.str() + "_unused_" + std::to_string(i)));
    const bool isHigherOrder = isHigherOrderTarget(node.target.view());
    const bool areTensors = std::all_of(vals.begin(), vals.end(), [](const Argument& v) { return v.is(ArgumentKind::tensor); });
    const bool isList = isHigherOrder ? vals.size() == 1 && !m_values.schema().hasSingleReturns()
                                      : vals.size() == 1 || returnsList(node.target.view());
    if (areTensors && isList && !vals.empty())
        return writeTensorNames(out, names, vals);
    for (std::size_t i = 0; i < vals.size(); ++i) {
        out += i == 0 ? "" : ",";
        if (!vals[i].is(ArgumentKind::list)) {
            writeResult(out, names[i], vals[i]);
            continue;
        }
        std::vector<InternedString> inner;
        const std::size_t count = vals[i].items().size();
        const std::vector<NodeId> items = getitems[i] ? getitemsOf(getitems[i], count) : std::vector<NodeId>(count);
        for (std::size_t j = 0; j < count; ++j)
            inner.push_back(nameAt(items, j, node.name.str() + "_unused_" + std::to_string(i) + "_" + std::to_string(j)));
        writeTensorNames(out, inner, vals[i].items());
    }
}

void Pt2GraphWriter::writeTable(std::string& out, std::string_view name, Pt2ValueKind kind)
{
    out += name;
    for (const Value& value : m_results) {
        if (m_fault.isReported())
            return;
        if (pt2KindOf(value.val) != kind)
            continue;
        out += out.back() == '{' ? "" : ",";
        appendJsonString(out, value.name.view());
        out += ':';
        if (kind == Pt2ValueKind::tensor) {
            m_values.writeTensor(out, value.val.asTensor());
        } else if (kind == Pt2ValueKind::object) {
            out += R"({"name":)";
            appendJsonString(out, value.val.text().view());
            out += R"(,"class_fqn":)";
            appendJsonString(out, value.val.className().view());
            out += '}';
        } else {
            m_values.writeSymbol(out, value.val, kind);
        }
        m_flush(out);
    }
    out += '}';
}

void Pt2GraphWriter::writeTables(std::string& out)
{
    writeTable(out, R"("tensor_values":{)", Pt2ValueKind::tensor);
    writeTable(out, R"(,"sym_int_values":{)", Pt2ValueKind::symInt);
    writeTable(out, R"(,"sym_bool_values":{)", Pt2ValueKind::symBool);
    if (m_values.schema().hasSymbolicFloats())
        writeTable(out, R"(,"sym_float_values":{)", Pt2ValueKind::symFloat);
    writeTable(out, R"(,"custom_obj_values":{)", Pt2ValueKind::object);
}

} // namespace sunder
