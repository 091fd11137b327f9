#include "panes/hierarchy/module_facts.h"

#include "document/text.h"
#include "models/inspection.h"
#include "support/format.h"

#include <unordered_set>

namespace sunder {

namespace {

constexpr int kOtherNames = 3;

QString typeOf(const Node& node)
{
    if (!node.meta.val)
        return QObject::tr("not known");
    return node.meta.val->is(ArgumentKind::tensor) ? text(describe(node.meta.val->asTensor())) : text(describeShape(*node.meta.val));
}

QString bytesText(std::optional<std::uint64_t> bytes)
{
    return bytes && *bytes > 0 ? text(formatBytes(*bytes)) : QString();
}

FactTable::Row valueRow(const QString& direction, const Node& node)
{
    const QString bytes = node.meta.val ? bytesText(byteSize(*node.meta.val)) : QString();
    return {{direction, text(node.name), typeOf(node), bytes}};
}

void addOutputs(const Graph& graph, const Argument& value, int depth, std::vector<FactTable::Row>& rows)
{
    constexpr int kDepth = 16; // deeper results come from hostile files only
    if (value.is(ArgumentKind::node)) {
        rows.push_back(valueRow(QObject::tr("out"), graph[value.asNode()]));
        return;
    }
    if (value.isCompound() && depth < kDepth) {
        for (const Argument& item : value.items())
            addOutputs(graph, item, depth + 1, rows);
        return;
    }
    rows.push_back({{QObject::tr("out"), argumentText(value, graph), QObject::tr("a literal"), QString()}});
}

/// Under which other names each of these tensors stands: as the same object, or sharing its memory.
QStringList otherNames(const TensorTable& tensors, TensorId id)
{
    QStringList names;
    const TensorId object = tensors.object(id);
    const StorageId storage = tensors[object].storage;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorId other(static_cast<std::uint32_t>(i));
        if (other == id)
            continue;
        const bool isSame = tensors.object(other) == object;
        if (isSame || (storage && tensors[tensors.object(other)].storage == storage))
            names << (isSame ? text(tensors[other].fqn) : QObject::tr("%1 (memory)").arg(text(tensors[other].fqn)));
    }
    return names;
}

} // namespace

std::vector<FactTable::Row> signatureRows(const Graph& graph)
{
    std::vector<FactTable::Row> rows;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op == Op::placeholder)
            rows.push_back(valueRow(QObject::tr("in"), graph[id]));
        else if (graph[id].op == Op::output)
            for (const Argument& value : graph[id].args)
                addOutputs(graph, value, 0, rows);
    }
    return rows;
}

std::vector<FactTable::Row> tensorRows(const Program& program, ModuleId module, const Graph& graph)
{
    std::vector<FactTable::Row> rows;
    std::unordered_set<InternedString> seen;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op != Op::getAttr || !seen.insert(node.target).second)
            continue;
        const std::string fqn = joinPath(program.modules[module].path.view(), node.target.view());
        const TensorId tensor = program.tensorAt(intern(fqn));
        if (!tensor)
            continue; // a graph that an operator holds
        const TensorEntry& entry = program.tensors[program.tensors.object(tensor)];
        const QStringList others = otherNames(program.tensors, tensor);
        QString shared = others.mid(0, kOtherNames).join(QStringLiteral(", "));
        if (others.size() > kOtherNames)
            shared += QObject::tr(" and %1 more").arg(others.size() - kOtherNames);
        QString tip = text(fqn);
        if (!others.isEmpty())
            tip += QObject::tr("\nShared with %1").arg(others.mid(0, 20).join(QStringLiteral(", ")));
        rows.push_back({{text(node.target), text(name(entry.role)), text(describe(entry.meta)), bytesText(byteSize(entry.meta)), shared}, tip});
    }
    return rows;
}

} // namespace sunder
