#include "panes/hierarchy/module_facts_panel.h"

#include "analysis/cut/graph_interface.h"
#include "analysis/sizes.h"
#include "document/text.h"
#include "ir/value_kind.h"
#include "models/inspection.h"
#include "models/name_delegate.h"
#include "panes/hierarchy/ui_module_facts_panel.h"
#include "passes/unflatten/hierarchy_tree.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QTabBar>
#include <unordered_set>

namespace sunder {

FactTable::FactTable(QStringList headings, QObject* parent) : QAbstractTableModel(parent), m_headings(std::move(headings)) {}

void FactTable::setRows(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int FactTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FactTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant FactTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString cell = row.cells.value(index.column());
    switch (role) {
    case Qt::DisplayRole: return cell;
    case Qt::ToolTipRole: return folded(row.tip.isEmpty() ? cell : row.tip);
    default: return {};
    }
}

QVariant FactTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(m_headings.value(section)) : QVariant();
}

namespace {

constexpr int kOtherNames = 3;

QString typeOf(const Node& node)
{
    return node.meta.val ? text(describeValue(*node.meta.val)) : QObject::tr("unknown");
}

QString bytesIfAny(std::optional<std::uint64_t> bytes)
{
    return bytes && *bytes > 0 ? bytesText(*bytes) : QString();
}

/// `value` supplies the type: the node itself, or one of the values that it is flattened into.
FactTable::Row valueRow(const QString& direction, const Node& node, const Node& value)
{
    const QString bytes = value.meta.val ? bytesIfAny(byteSize(*value.meta.val)) : QString();
    return {{direction, text(node.name), typeOf(value), bytes}};
}

/// Returns whether the node assembles results, as modules with a preserved signature do.
bool unflattens(const Node& node)
{
    return node.op == Op::callFunction && node.target.view() == "torch.utils._pytree.tree_unflatten" && !node.args.empty();
}

void addOutputs(const Graph& graph, const std::vector<Port>& ports, int depth, std::vector<FactTable::Row>& rows)
{
    constexpr int kDepth = 16; // only malicious files nest results deeper
    for (const Port& port : ports) {
        if (port.literal)
            rows.push_back({{QObject::tr("out"), argumentText(*port.literal, graph), QObject::tr("literal"), QString()}});
        else if (const Node& node = graph[port.node]; unflattens(node) && depth < kDepth)
            addOutputs(graph, outputPorts(node.args[0]), depth + 1, rows);
        else
            rows.push_back(valueRow(QObject::tr("out"), node, node));
    }
}

/// Returns the other names of each tensor: aliases of the object, and tensors that share its storage.
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
            names << (isSame ? text(tensors[other].fqn) : QObject::tr("%1 (same memory)").arg(text(tensors[other].fqn)));
    }
    return names;
}

/// Calls visit(get_attr node, full name, tensor) for each own tensor of the graph, once per name.
template <typename Visit>
void forEachTensor(const Program& program, ModuleId module, const Graph& graph, const Visit& visit)
{
    std::unordered_set<InternedString> seen;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op != Op::getAttr || !seen.insert(node.target).second)
            continue;
        const std::string fqn = joinPath(program.modules[module].path.view(), node.target.view());
        // otherwise a graph or a spec that is an argument of an operator
        if (const TensorId tensor = program.tensorAt(intern(fqn)))
            visit(node, fqn, tensor);
    }
}

} // namespace

std::vector<FactTable::Row> signatureRows(const Graph& graph)
{
    std::vector<FactTable::Row> rows;
    const std::vector<NodeId> flattened = flattenedInputs(graph);
    std::size_t place = 0;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].op != Op::placeholder)
            continue;
        const NodeId value = place < flattened.size() ? flattened[place] : NodeId();
        rows.push_back(valueRow(QObject::tr("in"), graph[id], value && !graph[id].meta.val ? graph[value] : graph[id]));
        ++place;
    }
    addOutputs(graph, outputPorts(graph), 0, rows);
    return rows;
}

std::vector<FactTable::Row> tensorRows(const Program& program, ModuleId module, const Graph& graph)
{
    std::vector<FactTable::Row> rows;
    forEachTensor(program, module, graph, [&](const Node& node, const std::string& fqn, TensorId tensor) {
        const TensorEntry& entry = program.tensors[program.tensors.object(tensor)];
        const QStringList others = otherNames(program.tensors, tensor);
        QString shared = others.mid(0, kOtherNames).join(QStringLiteral(", "));
        if (others.size() > kOtherNames)
            shared += QObject::tr(" and %1 more").arg(others.size() - kOtherNames);
        QString tip = text(fqn);
        if (!others.isEmpty())
            tip += QObject::tr("\nShared with %1").arg(others.mid(0, 20).join(QStringLiteral(", ")));
        rows.push_back(
            {{text(node.target), text(name(entry.role)), text(describe(entry.meta)), bytesIfAny(byteSize(entry.meta)), shared},
             tip});
    });
    return rows;
}

std::uint64_t tensorBytes(const Program& program, ModuleId module, const Graph& graph)
{
    const MemoryTable memory = memoryTable(program.tensors);
    MemorySum memories(memory.bytes);
    std::uint64_t sum = 0;
    forEachTensor(program, module, graph, [&](const Node&, const std::string&, TensorId tensor) {
        sum += memories.add(memory.memoryOf[tensor.index()]);
    });
    return sum;
}

ModuleFactsPanel::ModuleFactsPanel(QWidget* parent)
    : QTabWidget(parent), m_signature(new FactTable({QString(), tr("Name"), tr("Type"), tr("Bytes")}, this)),
      m_tensors(new FactTable({tr("Name"), tr("Kind"), tr("Type"), tr("Bytes"), tr("Shared with")}, this)),
      m_notes(new FactTable({tr("Notes about the result")}, this)), m_ui(std::make_unique<Ui::ModuleFactsPanel>())
{
    m_ui->setupUi(this);
    tabBar()->setAccessibleName(accessibleName());
    m_ui->signature->setModel(m_signature);
    m_ui->tensors->setModel(m_tensors);
    m_ui->notes->setModel(m_notes);
    for (QTreeView* view : {m_ui->signature, m_ui->tensors, m_ui->notes})
        view->setItemDelegate(new NameDelegate(view));
    setTabVisible(noteTab, false);
}

ModuleFactsPanel::~ModuleFactsPanel() = default;

void ModuleFactsPanel::showModule(const Program& program, ModuleId module, const Graph& graph)
{
    m_signature->setRows(signatureRows(graph));
    m_tensors->setRows(tensorRows(program, module, graph));
    setTabText(signatureTab, tr("Signature %1").arg(m_signature->rowCount()));
    const std::uint64_t bytes = tensorBytes(program, module, graph);
    setTabText(tensorTab,
               bytes == 0 ? tr("Parameters %1").arg(m_tensors->rowCount())
                          : tr("Parameters %1 · %2").arg(m_tensors->rowCount()).arg(bytesText(bytes)));
    fitColumns();
}

void ModuleFactsPanel::showNoModule()
{
    m_signature->setRows({});
    m_tensors->setRows({});
    setTabText(signatureTab, tr("Signature"));
    setTabText(tensorTab, tr("Parameters"));
}

void ModuleFactsPanel::fitColumns()
{
    for (QTreeView* table : {m_ui->signature, m_ui->tensors})
        for (int column = 0; column < table->model()->columnCount(); ++column)
            table->resizeColumnToContents(column);
}

void ModuleFactsPanel::setNotes(const Diagnostics& notes)
{
    std::vector<FactTable::Row> rows;
    for (const Diagnostic& note : notes)
        rows.push_back({{sentence(note.message)}, sentence(note.message)});
    m_notes->setRows(std::move(rows));
    setTabText(noteTab, tr("Notes %1").arg(notes.size()));
    setTabVisible(noteTab, !notes.empty());
}

} // namespace sunder

#include "moc_module_facts_panel.cpp"
