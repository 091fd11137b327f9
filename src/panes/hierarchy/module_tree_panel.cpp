#include "panes/hierarchy/module_tree_panel.h"

#include "document/text.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "panes/hierarchy/ui_module_tree_panel.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QScopedValueRollback>
#include <QShortcut>
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

namespace {

/// Paints a module: name and class, and on the right its number of calls and ops.
class HierarchyDelegate final : public RowDelegate {
public:
    explicit HierarchyDelegate(QObject* parent) : RowDelegate(22, 4, parent) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
};

void HierarchyDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    row.rest.adjust(2, 0, -8, 0);
    QString count = text(formatCount(index.data(HierarchyModel::OpsRole).toULongLong()));
    if (const uint calls = index.data(HierarchyModel::CallsRole).toUInt(); calls > 1)
        count.prepend(QStringLiteral("×%1  ").arg(calls));
    row.paintRight(count, theme.dim, 8);
    QFont font = row.font;
    if (index.data(HierarchyModel::MatchRole).toBool())
        font.setWeight(QFont::DemiBold);
    row.setFont(font);
    row.paintLeft(row.name(index, Qt::DisplayRole, row.rest.width()), theme.text, 6);
    row.setFont(row.option.font);
    row.paintDetail(index, HierarchyModel::ClassRole, theme.dim);
}

constexpr int kFewModules = 3;      ///< expand a root with at most this many children, e.g. a wrapper around the model
constexpr int kAllMatchesOpen = 500;
} // namespace

ModuleTreePanel::ModuleTreePanel(QWidget* parent)
    : QWidget(parent), m_model(new HierarchyModel(this)), m_ui(std::make_unique<Ui::ModuleTreePanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->tree->setModel(m_model);
    m_ui->tree->setItemDelegate(new HierarchyDelegate(m_ui->tree));

    // Not currentChanged: the focus alone also changes the current row, and must not choose a module.
    connect(m_ui->tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { choose(m_ui->tree->currentIndex()); });
    connect(m_ui->tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        choose(index);
        emit entered();
    });
    connect(m_ui->filter, &QLineEdit::textChanged, this, &ModuleTreePanel::setFilter);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        const bool hasNone = m_model->rowCount() > 0 && !m_ui->filter->text().trimmed().isEmpty() && m_model->matchCount() == 0;
        m_ui->tree->setVisible(!hasNone);
        m_ui->nothing->setVisible(hasNone);
    });
    connect(m_ui->filter, &QLineEdit::returnPressed, this, &ModuleTreePanel::goToMatches);
    auto* down = new QShortcut(Qt::Key_Down, m_ui->filter);
    down->setContext(Qt::WidgetShortcut);
    connect(down, &QShortcut::activated, this, &ModuleTreePanel::goToMatches);
    auto* escape = new QShortcut(Qt::Key_Escape, m_ui->filter);
    escape->setContext(Qt::WidgetShortcut);
    connect(escape, &QShortcut::activated, m_ui->filter, &QLineEdit::clear);
    auto* back = new QShortcut(Qt::Key_Backspace, m_ui->tree);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, &ModuleTreePanel::upRequested);
}

ModuleTreePanel::~ModuleTreePanel() = default;

QTreeView& ModuleTreePanel::tree()
{
    return *m_ui->tree;
}

QLineEdit& ModuleTreePanel::filter()
{
    return *m_ui->filter;
}

void ModuleTreePanel::setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program)
{
    const QScopedValueRollback following(m_following, true);
    m_current = -1;
    m_model->setTree(std::move(tree), std::move(program));
    const QModelIndex root = m_model->index(0, 0);
    m_ui->tree->expand(root);
    for (int row = 0; m_model->rowCount(root) <= kFewModules && row < m_model->rowCount(root); ++row)
        m_ui->tree->expand(m_model->index(row, 0, root));
}

void ModuleTreePanel::setCurrent(std::int32_t entry)
{
    const QScopedValueRollback following(m_following, true);
    m_current = entry;
    const QModelIndex index = m_model->indexOf(entry);
    m_ui->tree->setCurrentIndex(index); // a row that is filtered out leaves none: any other would name another module
    if (index.isValid())
        m_ui->tree->scrollTo(index);
}

void ModuleTreePanel::setFilter(const QString& text)
{
    const QScopedValueRollback following(m_following, true);
    m_model->setFilter(text.trimmed());
    if (m_model->matchCount() > 0 && m_model->matchCount() <= kAllMatchesOpen)
        m_ui->tree->expandAll();
    else
        m_ui->tree->expand(m_model->index(0, 0));
    setCurrent(m_current);
}

/// Moves from the filter to the tree, to the first match unless the current module is one.
void ModuleTreePanel::goToMatches()
{
    if (m_ui->tree->isHidden())
        return;
    const QModelIndex match = m_model->firstMatch();
    if (match.isValid() && !m_ui->tree->currentIndex().data(HierarchyModel::MatchRole).toBool())
        m_ui->tree->setCurrentIndex(match);
    m_ui->tree->setFocus();
}

void ModuleTreePanel::choose(const QModelIndex& index)
{
    const std::int32_t entry = m_model->entryOf(index);
    if (m_following || entry < 0)
        return;
    m_current = entry;
    emit chosen(entry);
}

} // namespace sunder

#include "moc_module_tree_panel.cpp"
