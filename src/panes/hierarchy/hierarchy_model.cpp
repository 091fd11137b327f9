#include "panes/hierarchy/hierarchy_model.h"

#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>

namespace sunder {

void HierarchyModel::setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program)
{
    beginResetModel();
    m_tree = std::move(tree);
    m_program = std::move(program);
    filter();
    endResetModel();
}

void HierarchyModel::setFilter(const QString& text)
{
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    filter();
    endResetModel();
}

void HierarchyModel::filter()
{
    m_shown = {};
    if (!m_tree || m_filter.isEmpty())
        return;
    m_shown = filteredTree(m_tree->entries, WithinMatches::hidden, [this](std::int32_t entry) {
        return pathOf(entry).contains(m_filter, Qt::CaseInsensitive)
            || text(at(entry).cls).contains(m_filter, Qt::CaseInsensitive);
    });
}

const std::vector<std::int32_t>& HierarchyModel::childrenOf(std::int32_t entry) const
{
    return m_shown.isOn() ? m_shown.children[static_cast<std::size_t>(entry)] : at(entry).children;
}

std::int32_t HierarchyModel::entryOf(const QModelIndex& index) const
{
    return m_tree && index.isValid() && index.internalId() < m_tree->entries.size()
        ? static_cast<std::int32_t>(index.internalId())
        : -1;
}

QModelIndex HierarchyModel::indexOf(std::int32_t entry) const
{
    if (!m_tree || entry < 0 || !m_shown.isShown(entry))
        return {};
    const std::int32_t row = m_shown.isOn() ? m_shown.rows[static_cast<std::size_t>(entry)] : at(entry).row;
    return createIndex(row, 0, static_cast<quintptr>(entry));
}

QModelIndex HierarchyModel::firstMatch() const
{
    const auto found = std::ranges::find_if(m_shown.isMatch, [](auto isMatch) { return isMatch != 0; });
    return found == m_shown.isMatch.end() ? QModelIndex() : indexOf(static_cast<std::int32_t>(found - m_shown.isMatch.begin()));
}

QModelIndex HierarchyModel::index(int row, int column, const QModelIndex& parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent))
        return {};
    return parent.isValid() ? indexOf(childrenOf(entryOf(parent))[static_cast<std::size_t>(row)]) : indexOf(0);
}

QModelIndex HierarchyModel::parent(const QModelIndex& index) const
{
    const std::int32_t entry = entryOf(index);
    return entry < 0 ? QModelIndex() : indexOf(at(entry).parent);
}

int HierarchyModel::rowCount(const QModelIndex& parent) const
{
    if (!m_tree || m_tree->entries.empty())
        return 0;
    if (!parent.isValid())
        return 1;
    const std::int32_t entry = entryOf(parent);
    return entry < 0 || parent.column() != 0 ? 0 : static_cast<int>(childrenOf(entry).size());
}

int HierarchyModel::columnCount(const QModelIndex&) const
{
    return 1;
}

QString HierarchyModel::pathOf(std::int32_t entry) const
{
    return text(HierarchyTree::pathOf(*m_program, at(entry)));
}

QString HierarchyModel::remarkOf(std::int32_t entry) const
{
    const HierarchyTree::Entry& module = at(entry);
    QStringList remarks;
    if (module.isDispatcher)
        remarks
            << tr("Dispatcher: its calls differ and its signature is preserved, so it has %1 graphs.").arg(module.graphs.size());
    else if (module.isPreserved)
        remarks << tr("Signature preserved: same inputs and outputs as in the model.");
    if (module.isShared && module.object != module.module)
        remarks << tr("Shared: the same module as %1.").arg(text(m_program->modules[module.object].path));
    else if (module.isShared)
        remarks << tr("Shared: the module also has other paths.");
    if (module.graphs.empty())
        remarks << tr("Contains only modules and has no ops of its own.");
    return remarks.join(QLatin1Char('\n'));
}

QVariant HierarchyModel::data(const QModelIndex& index, int role) const
{
    const std::int32_t entry = entryOf(index);
    if (entry < 0)
        return {};
    const HierarchyTree::Entry& module = at(entry);
    switch (role) {
    case Qt::DisplayRole: return text(module.name);
    case ClassRole: {
        QString cls = text(module.cls);
        if (module.isDispatcher)
            cls += cls.isEmpty() ? tr("dispatcher") : tr(" · dispatcher");
        if (module.isShared)
            cls += cls.isEmpty() ? tr("shared") : tr(" · shared");
        if (module.isPreserved && !module.isDispatcher)
            cls += cls.isEmpty() ? tr("preserved") : tr(" · preserved");
        return cls;
    }
    case CallsRole: return module.calls;
    case OpsRole: return QVariant::fromValue(module.ops);
    case MatchRole: return m_shown.isOn() && m_shown.isMatch[static_cast<std::size_t>(entry)] != 0;
    case Qt::ToolTipRole: {
        QStringList lines{module.module == ModuleTree::root() ? text(module.name) : pathOf(entry)};
        if (!module.cls.empty())
            lines << text(module.cls);
        lines << (module.module == ModuleTree::root()
                      ? countText(module.ops, "op")
                      : tr("%1, called %2").arg(countText(module.ops, "op"), countText(module.calls, "time")));
        if (const QString remark = remarkOf(entry); !remark.isEmpty())
            lines << remark;
        return folded(lines.join(QLatin1Char('\n')));
    }
    case Qt::AccessibleTextRole: {
        QStringList parts{text(module.name)};
        if (const QString cls = index.data(ClassRole).toString(); !cls.isEmpty())
            parts << cls;
        if (module.calls > 1)
            parts << tr("called %1").arg(countText(module.calls, "time"));
        parts << countText(module.ops, "op");
        return parts.join(QStringLiteral(", "));
    }
    default: return {};
    }
}

} // namespace sunder

#include "moc_hierarchy_model.cpp"
