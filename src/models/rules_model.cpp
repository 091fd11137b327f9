#include "models/rules_model.h"

#include "analysis/rules/module_pattern.h"
#include "analysis/search/node_matcher.h"
#include "document/text.h"
#include "text/amounts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

namespace sunder {
namespace {

std::string& fieldOf(TagRule& rule, int column)
{
    switch (column) {
    case RulesModel::ModuleColumn: return rule.module;
    case RulesModel::ClassColumn: return rule.cls;
    case RulesModel::OpColumn: return rule.op;
    case RulesModel::ReadsColumn: return rule.reads;
    default: return rule.tag;
    }
}

QString hintOf(int column)
{
    switch (column) {
    case RulesModel::ModuleColumn:
        return RulesModel::tr(
            "Module paths, including inner modules: layers.0-7, layers.*.mlp, **.attn, embed|head. Empty: anywhere.");
    case RulesModel::ClassColumn: return RulesModel::tr("Class of an enclosing module: Linear, *Norm. Empty: any.");
    case RulesModel::OpColumn: return RulesModel::tr("The operator: linear, aten.mul, *norm*. Empty: any.");
    case RulesModel::ReadsColumn: return RulesModel::tr("Tag of an op whose result it uses. Empty: any.");
    case RulesModel::UntaggedColumn: return RulesModel::tr("Only ops that no rule above has tagged.");
    case RulesModel::TagColumn: return RulesModel::tr("Tag to assign. Empty: the latest tag among the op's inputs.");
    default: return RulesModel::tr("Ops that have their tag from this rule. Later rules win over earlier ones.");
    }
}

using Paths = std::unordered_set<std::string_view>;

/// Returns the module paths of all calls. O(nodes).
Paths modulePathsOf(const Snapshot& snapshot)
{
    Paths paths;
    for (const NodeId id : snapshot.graph().nodes())
        if (snapshot.graph()[id].isCall())
            paths.insert(modulePathOf(snapshot.program, snapshot.graph()[id]));
    return paths;
}

bool isAnyModule(const Paths& paths, const std::string& pattern)
{
    const Result<ModulePattern> parsed = ModulePattern::parse(pattern);
    return parsed && std::ranges::any_of(paths, [&](std::string_view path) { return parsed->matches(path); });
}

/// Returns the reason if no module matches the pattern. Paths are complete, which is easily missed: suggests the one that ends in
/// the pattern.
QString whyNoModule(const Paths& paths, const std::string& pattern)
{
    if (pattern.empty() || isAnyModule(paths, pattern))
        return {};
    const std::string within = "**." + pattern;
    return isAnyModule(paths, within)
        ? RulesModel::tr("no module has the path %1, but %2 matches").arg(text(pattern), text(within))
        : RulesModel::tr("no module has the path %1").arg(text(pattern));
}

} // namespace

RulesModel::RulesModel(Document& document, QObject* parent) : QAbstractTableModel(parent), m_document(document)
{
    const auto take = [this] {
        m_ofDocument = m_document.basis().rules;
        setRules(m_ofDocument);
    };
    connect(&document, &Document::changed, this, [this, take](Changes what) {
        if (what.testFlag(Change::program) || (what.testFlag(Change::basis) && m_document.basis().rules != m_ofDocument))
            take();
    });
    take();
}

bool RulesModel::isEdited() const
{
    return m_rules != m_document.basis().rules;
}

void RulesModel::setRules(TagRules rules)
{
    beginResetModel();
    m_rules = std::move(rules);
    m_effects.clear();
    endResetModel();
    emit edited();
}

void RulesModel::setEffects(std::vector<RuleEffect> effects)
{
    m_effects = std::move(effects);
    m_whyNone.assign(m_effects.size(), {});
    std::optional<Paths> paths;
    for (std::size_t i = 0; i < m_effects.size() && i < m_rules.rules.size(); ++i) {
        if (m_effects[i].matched != 0 || !m_document.isOpen())
            continue;
        if (!paths)
            paths = modulePathsOf(*m_document.snapshot());
        m_whyNone[i] = whyNoModule(*paths, m_rules.rules[i].module);
    }
    if (!m_rules.empty())
        emit dataChanged(index(0, TakesColumn), index(rowCount() - 1, TakesColumn));
}

void RulesModel::changed()
{
    m_effects.clear();
    emit edited();
}

int RulesModel::add(int behind)
{
    const int row = std::clamp(behind + 1, 0, rowCount());
    beginInsertRows({}, row, row);
    const int active = m_document.activeTag();
    m_rules.rules.insert(m_rules.rules.begin() + row,
                         {.tag = active < 0 ? std::string() : m_document.tags().order[static_cast<std::size_t>(active)].str()});
    endInsertRows();
    changed();
    return row;
}

void RulesModel::remove(int row)
{
    if (row < 0 || row >= rowCount())
        return;
    beginRemoveRows({}, row, row);
    m_rules.rules.erase(m_rules.rules.begin() + row);
    endRemoveRows();
    changed();
}

void RulesModel::move(int from, int to)
{
    if (from == to || from < 0 || to < 0 || from >= rowCount() || to >= rowCount())
        return;
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
    TagRule rule = std::move(m_rules.rules[static_cast<std::size_t>(from)]);
    m_rules.rules.erase(m_rules.rules.begin() + from);
    m_rules.rules.insert(m_rules.rules.begin() + to, std::move(rule));
    endMoveRows();
    changed();
}

int RulesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rules.rules.size());
}

int RulesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const std::array titles = {tr("Module"),        tr("Class"), tr("Op"),     tr("Input tag"),
                               tr("Untagged only"), tr("Tag"),   tr("Matches")};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole)
        return folded(hintOf(section));
    return role == Qt::DisplayRole ? QVariant(titles[static_cast<std::size_t>(section)]) : QVariant();
}

QString RulesModel::takesText(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    if (const Result<void> checked = checkTypedRule(m_rules.rules[at]); !checked)
        return tr("%1 %2").arg(text(checked.error().where.member), text(checked.error().message));
    if (at >= m_effects.size())
        return m_document.isOpen() ? tr("…") : QString();
    const RuleEffect& effect = m_effects[at];
    if (effect.matched == 0)
        return m_whyNone[at].isEmpty() ? tr("no ops") : tr("no ops: %1").arg(m_whyNone[at]);
    const QString own = tr("%1, %2").arg(countText(effect.painted.size(), "op"), bytesText(effect.bytes));
    return effect.painted.size() == effect.matched
        ? own
        : tr("%1, of %2 matching").arg(own, text(formatCount(static_cast<std::uint64_t>(effect.matched))));
}

QString RulesModel::textOf(int row, int column) const
{
    if (column == TakesColumn)
        return takesText(row);
    if (column == UntaggedColumn)
        return {};
    TagRule rule = m_rules.rules[static_cast<std::size_t>(row)];
    return text(fieldOf(rule, column));
}

QVariant RulesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TagRule& rule = m_rules.rules[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == TagColumn && rule.tag.empty() ? tr("tag of its inputs") : textOf(index.row(), index.column());
    case Qt::EditRole: return textOf(index.row(), index.column());
    case Qt::CheckStateRole:
        return index.column() == UntaggedColumn ? QVariant(rule.onlyUntagged ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return folded(QStringLiteral("%1: %2\n%3").arg(text(describe(rule)), takesText(index.row()), hintOf(index.column())));
    case Qt::AccessibleTextRole:
        return index.column() == UntaggedColumn ? (rule.onlyUntagged ? tr("untagged only") : tr("all ops"))
                                                : textOf(index.row(), index.column());
    default: return {};
    }
}

bool RulesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !(flags(index) & (Qt::ItemIsEditable | Qt::ItemIsUserCheckable)))
        return false;
    TagRule& rule = m_rules.rules[static_cast<std::size_t>(index.row())];
    const TagRule before = rule;
    if (role == Qt::CheckStateRole && index.column() == UntaggedColumn)
        rule.onlyUntagged = value.toInt() == Qt::Checked;
    else if (role == Qt::EditRole && index.column() != UntaggedColumn)
        fieldOf(rule, index.column()) = value.toString().trimmed().toStdString();
    else
        return false;
    if (rule == before)
        return true;
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
    changed();
    return true;
}

Qt::ItemFlags RulesModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = QAbstractTableModel::flags(index);
    if (index.column() == TakesColumn)
        return all;
    return index.column() == UntaggedColumn ? all | Qt::ItemIsUserCheckable : all | Qt::ItemIsEditable;
}

} // namespace sunder

#include "moc_rules_model.cpp"
