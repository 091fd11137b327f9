#include "panes/hierarchy/module_tree_panel.h"

#include "panes/hierarchy/hierarchy_delegate.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QVBoxLayout>

namespace sunder {

namespace {
constexpr int kFewModules = 3;      ///< a wrapper around the model itself says little
constexpr int kAllMatchesOpen = 500;
} // namespace

ModuleTreePanel::ModuleTreePanel(QWidget* parent)
    : QWidget(parent), m_model(new HierarchyModel(this)), m_filter(new QLineEdit(this)), m_tree(new QTreeView(this))
{
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(150);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_filter->setPlaceholderText(tr("Filter modules"));
    m_filter->setToolTip(tr("Part of a path or a class; Enter goes to the tree, Esc clears"));
    m_filter->setAccessibleName(tr("Filter modules by path or class"));
    m_filter->setClearButtonEnabled(true);
    auto* inset = new QHBoxLayout;
    inset->setContentsMargins(8, 8, 8, 4);
    inset->addWidget(m_filter);
    column->addLayout(inset);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new HierarchyDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(14);
    m_tree->setUniformRowHeights(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setAccessibleName(tr("Modules with calls and ops"));
    m_tree->header()->setStretchLastSection(true);
    column->addWidget(m_tree, 1);

    // Not currentChanged: that comes with the focus too, and looking is not choosing.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { choose(m_tree->currentIndex()); });
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        choose(index);
        emit entered();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ModuleTreePanel::setFilter);
    connect(m_filter, &QLineEdit::returnPressed, m_tree, [this] { m_tree->setFocus(); });
    auto* escape = new QShortcut(Qt::Key_Escape, m_filter);
    escape->setContext(Qt::WidgetShortcut);
    connect(escape, &QShortcut::activated, m_filter, &QLineEdit::clear);
    auto* back = new QShortcut(Qt::Key_Backspace, m_tree);
    back->setContext(Qt::WidgetShortcut);
    connect(back, &QShortcut::activated, this, &ModuleTreePanel::upRequested);
}

void ModuleTreePanel::setTree(std::shared_ptr<const HierarchyTree> tree, std::shared_ptr<const Program> program)
{
    const QScopedValueRollback following(m_following, true);
    m_model->setTree(std::move(tree), std::move(program));
    const QModelIndex root = m_model->index(0, 0);
    m_tree->expand(root);
    for (int row = 0; m_model->rowCount(root) <= kFewModules && row < m_model->rowCount(root); ++row)
        m_tree->expand(m_model->index(row, 0, root));
}

void ModuleTreePanel::setCurrent(std::int32_t entry)
{
    const QScopedValueRollback following(m_following, true);
    const QModelIndex index = m_model->indexOf(entry);
    if (!index.isValid())
        return;
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
}

void ModuleTreePanel::setFilter(const QString& text)
{
    const std::int32_t entry = m_model->entryOf(m_tree->currentIndex());
    const QScopedValueRollback following(m_following, true);
    m_model->setFilter(text.trimmed());
    if (m_model->matchCount() > 0 && m_model->matchCount() <= kAllMatchesOpen)
        m_tree->expandAll();
    else
        m_tree->expand(m_model->index(0, 0));
    setCurrent(entry);
}

void ModuleTreePanel::choose(const QModelIndex& index)
{
    if (const std::int32_t entry = m_model->entryOf(index); !m_following && entry >= 0)
        emit chosen(entry);
}

} // namespace sunder
