#include "panes/hierarchy/module_tree_panel.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/hierarchy/hierarchy_model.h"
#include "panes/hierarchy/ui_module_tree_panel.h"
#include "support/format.h"
#include "text/elided_name.h"

#include <QApplication>
#include <QPainter>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStyledItemDelegate>

namespace sunder {
namespace {

/// Paints a module: name and class, and on the right its number of calls and ops.
class HierarchyDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

constexpr int kModuleRow = 22;

void HierarchyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    QStyleOptionViewItem background = option;
    background.text.clear();
    QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter, option.widget);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QColor ground = isSelected ? selectedRow(theme) : theme.panel;
    const QColor dim = readable(theme.dim, ground);

    QRect row = option.rect.adjusted(2, 0, -8, 0);
    painter->setFont(option.font);
    QString count = text(formatCount(index.data(HierarchyModel::OpsRole).toULongLong()));
    if (const uint calls = index.data(HierarchyModel::CallsRole).toUInt(); calls > 1)
        count.prepend(QStringLiteral("×%1  ").arg(calls));
    painter->setPen(dim);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, count);
    row.setRight(row.right() - option.fontMetrics.horizontalAdvance(count) - 8);

    QFont font = option.font;
    if (index.data(HierarchyModel::MatchRole).toBool())
        font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    painter->setFont(font);
    painter->setPen(readable(theme.text, ground));
    const QString name = elidedName(index.data().toString(), QFontMetricsF(font), row.width(), namesBeside(index));
    painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, name);
    row.setLeft(row.left() + metrics.horizontalAdvance(name) + 6);
    if (row.width() > 24) {
        painter->setFont(option.font);
        painter->setPen(dim);
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                          elidedName(index.data(HierarchyModel::ClassRole).toString(), QFontMetricsF(option.font), row.width()));
    }
    painter->restore();
}

QSize HierarchyDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {120, std::max(kModuleRow, option.fontMetrics.height() + 4)};
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
#include "module_tree_panel.moc"
