#include "panels/outline_panel.h"

#include "document/text.h"
#include "ir/node_set.h"
#include "models/cost_menu.h"
#include "models/outline_model.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "panels/ui_outline_panel.h"
#include "support/format.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QShortcut>

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

/// Paints a row of the outline: name, class, and on the right the number of ops and the strip of tags, or a column with a cost.
class OutlineDelegate final : public RowDelegate {
public:
    OutlineDelegate(const OutlineModel& model, QTreeView& view) : RowDelegate(22, 4, &view), m_model(model), m_view(view) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;

private:
    static void paintCost(Row& row, const QModelIndex& index);

    const OutlineModel& m_model;
    const QTreeView& m_view;
};

constexpr int kStripWidth = 34;

void OutlineDelegate::paintCost(Row& row, const QModelIndex& index)
{
    const Theme& theme = currentTheme();
    row.rest.adjust(2, 0, -8, 0);
    const int shareWidth = QFontMetrics(row.font).horizontalAdvance(QStringLiteral("00.0%")) + 8;
    if (const QString share = index.data(OutlineModel::ShareRole).toString(); !share.isEmpty()) {
        const int right = row.rest.right();
        row.paintRight(share, theme.dim);
        row.rest.setRight(right - shareWidth);
    }
    row.paintRight(row.name(index, Qt::DisplayRole, row.rest.width()), theme.text);
}

void OutlineDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    if (index.column() == OutlineModel::CostColumn)
        return paintCost(row, index);
    const Theme& theme = currentTheme();
    const auto kind = static_cast<OutlineTree::Kind>(index.data(OutlineModel::KindRole).toInt());
    const bool holdsRows = kind == OutlineTree::Kind::module || kind == OutlineTree::Kind::group;
    if (!m_view.isColumnHidden(OutlineModel::CostColumn)) { // which takes the room of everything but the name
        row.rest.adjust(2, 0, -4, 0);
        row.paintLeft(row.name(index, Qt::DisplayRole, row.rest.width()),
                      kind == OutlineTree::Kind::parameter ? theme.dim : theme.text);
        return;
    }
    row.rest.adjust(2, 0, -10, 0);
    const QRectF strip(row.rest.right() - kStripWidth, row.rest.center().y() - 3, kStripWidth, 7);
    const auto shares = index.data(OutlineModel::SharesRole).value<TagShares>();
    if (!shares.empty())
        paintTagStrip(row.painter, holdsRows ? strip : strip.adjusted(kStripWidth - 7, 0, 0, 0), shares, m_model.looks(theme),
                      theme);
    row.rest.setRight(static_cast<int>(strip.left()) - 8);
    if (holdsRows)
        row.paintRight(text(formatCount(index.data(OutlineModel::CountRole).toUInt())), theme.dim, 8);
    row.paintLeft(row.name(index, Qt::DisplayRole, row.rest.width()),
                  kind == OutlineTree::Kind::parameter ? theme.dim : theme.text, 6);
    row.paintDetail(index, OutlineModel::ClassRole, theme.dim);
}

constexpr std::size_t kBuiltAtOnce = 20'000; ///< nodes; above this, a job builds the tree
constexpr std::size_t kAllMatchesOpen = 500;
} // namespace

OutlinePanel::OutlinePanel(Document& document, Jobs& jobs, QWidget* parent)
    : QWidget(parent), m_document(document), m_jobs(jobs), m_model(new OutlineModel(document, this)),
      m_ui(std::make_unique<Ui::OutlinePanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->view->setModel(m_model);
    m_ui->view->installEventFilter(this);
    m_ui->view->setItemDelegate(new OutlineDelegate(*m_model, *m_ui->view));
    connectCosts();

    // Not currentChanged: the focus alone also changes the current row, and must not select nodes.
    connect(m_ui->view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { selectCurrent(); });
    connect(m_ui->view, &QTreeView::clicked, this, [this] { selectCurrent(); });
    connect(m_ui->view, &QTreeView::activated, this, [this](const QModelIndex& at) {
        const QModelIndex index = at.siblingAtColumn(0);
        emit activated(index.data(OutlineModel::PathRole).toString(), m_model->nodesOf(index));
    });
    connect(m_ui->view, &QTreeView::customContextMenuRequested, this, &OutlinePanel::requestMenu);
    connect(m_ui->filter, &QLineEdit::textChanged, this, &OutlinePanel::setFilter);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        const bool hasNone = m_model->rowCount() > 0 && !m_ui->filter->text().trimmed().isEmpty() && m_model->matches().empty();
        m_ui->view->setVisible(!hasNone);
        m_ui->nothing->setVisible(hasNone);
    });
    connect(m_ui->filter, &QLineEdit::returnPressed, this, &OutlinePanel::goToMatches);
    auto* down = new QShortcut(Qt::Key_Down, m_ui->filter);
    down->setContext(Qt::WidgetShortcut);
    connect(down, &QShortcut::activated, this, &OutlinePanel::goToMatches);
    auto* escape = new QShortcut(Qt::Key_Escape, m_ui->filter);
    escape->setContext(Qt::WidgetShortcut);
    connect(escape, &QShortcut::activated, m_ui->filter, &QLineEdit::clear);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::opened))
            m_ui->filter->clear();
        if (what.testFlag(Change::program))
            rebuild();
        else if (what.testFlag(Change::selection))
            showSelection();
        if (what.testFlag(Change::tags))
            m_ui->view->viewport()->update();
        if (what & (Change::costs | Change::program | Change::sizes | Change::operators | Change::devices))
            showCosts();
    });
    rebuild();
    showCosts();
}

OutlinePanel::~OutlinePanel() = default;

QTreeView& OutlinePanel::view()
{
    return *m_ui->view;
}

QLineEdit& OutlinePanel::filter()
{
    return *m_ui->filter;
}

void OutlinePanel::connectCosts()
{
    QHeaderView& header = *m_ui->view->header();
    header.setSectionResizeMode(OutlineModel::NameColumn, QHeaderView::Stretch);
    header.setSectionResizeMode(OutlineModel::CostColumn, QHeaderView::Fixed);
    header.setSectionsMovable(false);
    header.setSortIndicator(OutlineModel::NameColumn, Qt::AscendingOrder);
    m_ui->view->setSortingEnabled(true);
    // The first click on the costs sorts the greatest to the top.
    connect(&header, &QHeaderView::sectionClicked, this, [this](int section) {
        if (std::exchange(m_sortedBy, section) != section && section == OutlineModel::CostColumn)
            sortByCost(true);
    });
    m_ui->cost->setMenu(new QMenu(m_ui->cost));
    m_ui->cost->menu()->setToolTipsVisible(true);
    connect(m_ui->cost->menu(), &QMenu::aboutToShow, this, [this] {
        QMenu& menu = *m_ui->cost->menu();
        fillCostMenu(menu, m_document, tr("No cost"));
        menu.addSeparator();
        QAction* sorted = menu.addAction(tr("Greatest first"), this, [this](bool isOn) { sortByCost(isOn); });
        sorted->setToolTip(tr("Sort the rows of each module by this cost instead of the order of the model"));
        sorted->setCheckable(true);
        sorted->setChecked(m_sortedBy == OutlineModel::CostColumn);
        sorted->setEnabled(!m_ui->view->isColumnHidden(OutlineModel::CostColumn));
    });
}

void OutlinePanel::sortByCost(bool isOn)
{
    m_sortedBy = isOn ? OutlineModel::CostColumn : OutlineModel::NameColumn;
    m_ui->view->sortByColumn(m_sortedBy, isOn ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_ui->view->scrollTo(m_ui->view->currentIndex());
}

void OutlinePanel::showCosts()
{
    const QString listed = m_document.costs().listed();
    if (m_document.isOpen() && !listed.isEmpty())
        m_document.costs().want();
    const CostFiguresPtr figures = m_document.costs().figures(listed);
    m_model->setFigures(figures);
    const QString title = listedCostTitle(m_document);
    m_ui->cost->setText(title.isEmpty() ? tr("Costs ▾") : tr("%1 ▾").arg(title));
    const bool isShown = figures != nullptr;
    if (!isShown && m_sortedBy == OutlineModel::CostColumn)
        sortByCost(false);
    m_ui->view->setHeaderHidden(!isShown);
    m_ui->view->setColumnHidden(OutlineModel::CostColumn, !isShown);
    const QFontMetrics metrics(m_ui->view->font());
    m_ui->view->header()->resizeSection(OutlineModel::CostColumn,
                                        metrics.horizontalAdvance(QStringLiteral("000.0 GFLOP 00.0%")) + 22);
}

void OutlinePanel::showCut(const SplitOutcomePtr& cut)
{
    m_model->showCut(cut);
    m_ui->view->viewport()->update();
}

/// Ctrl+A selects rows here instead of the window's command.
bool OutlinePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::SelectAll))
        event->accept();
    return QWidget::eventFilter(watched, event);
}

void OutlinePanel::rebuild()
{
    if (OutlineTree before = m_model->setTree({}); before.entries.size() > kBuiltAtOnce)
        Jobs::discard(std::make_shared<const OutlineTree>(std::move(before)));
    if (!m_document.isOpen())
        return;
    const QByteArray name = m_document.displayName().toUtf8();
    const auto show = [this](OutlineTree tree) {
        m_model->setTree(std::move(tree));
        openTop();
    };
    const SnapshotPtr snapshot = m_document.snapshot();
    if (snapshot->graph().size() <= kBuiltAtOnce) {
        show(outlineTree(snapshot->program, name.toStdString()));
        return;
    }
    m_jobs.start<OutlineTree>(
        {.key = QStringLiteral("outline"), .title = tr("Build the outline"), .quiet = true},
        [snapshot, name](ProgressMonitor&) -> Result<OutlineTree> { return outlineTree(snapshot->program, name.toStdString()); },
        this,
        [show](Result<OutlineTree> tree) {
            if (tree)
                show(std::move(*tree));
        });
}

void OutlinePanel::openTop()
{
    const QModelIndex root = m_model->index(0, 0);
    m_ui->view->expand(root);
    if (m_model->rowCount(root) <= 3) // a wrapper around the model shows little
        for (int row = 0; row < m_model->rowCount(root); ++row)
            m_ui->view->expand(m_model->index(row, 0, root));
}

/// Expands the matches unless there are very many.
void OutlinePanel::setFilter(const QString& text)
{
    m_following = true; // hiding rows must not change the selection
    m_model->setFilter(text.trimmed());
    const std::vector<QModelIndex> matches = m_model->matches();
    if (matches.empty())
        openTop();
    m_ui->view->expand(m_model->index(0, 0));
    if (matches.size() <= kAllMatchesOpen)
        for (const QModelIndex& match : matches)
            for (QModelIndex at = match.parent(); at.isValid() && !m_ui->view->isExpanded(at); at = at.parent())
                m_ui->view->expand(at);
    m_following = false;
    showSelection();
}

/// Moves from the filter to the tree, to the first match unless the current row is one.
void OutlinePanel::goToMatches()
{
    if (m_ui->view->isHidden())
        return;
    const std::vector<QModelIndex> matches = m_model->matches();
    const QModelIndex current = m_ui->view->currentIndex().siblingAtColumn(OutlineModel::NameColumn);
    if (!matches.empty() && std::ranges::find(matches, current) == matches.end())
        m_ui->view->setCurrentIndex(matches.front());
    m_ui->view->setFocus();
}

void OutlinePanel::selectCurrent()
{
    if (m_following)
        return;
    // selectedRows() is quadratic in the number of ranges
    QModelIndexList rows = m_ui->view->selectionModel()->selection().indexes();
    rows.removeIf([](const QModelIndex& index) { return index.column() != OutlineModel::NameColumn; });
    if (rows.isEmpty())
        return;
    m_following = true;
    if (rows.size() > 1) {
        std::vector<NodeId> nodes;
        for (const QModelIndex& row : rows) {
            const std::vector<NodeId> more = m_model->nodesOf(row);
            nodes.insert(nodes.end(), more.begin(), more.end());
        }
        m_document.marks().select(std::move(nodes));
        m_following = false;
        return;
    }
    const QModelIndex index = rows.front();
    const bool isModule = index.data(OutlineModel::KindRole).toInt() == static_cast<int>(OutlineTree::Kind::module);
    QString what = index.data(OutlineModel::PathRole).toString();
    if (isModule && what.isEmpty())
        what = index.data().toString();
    m_document.marks().select(m_model->nodesOf(index), isModule ? what : QString());
    m_following = false;
}

void OutlinePanel::requestMenu(const QPoint& at)
{
    const QModelIndex row = m_ui->view->indexAt(at).siblingAtColumn(OutlineModel::NameColumn);
    const bool isModule = row.data(OutlineModel::KindRole).toInt() == static_cast<int>(OutlineTree::Kind::module);
    const std::vector<NodeId>& selected = m_document.marks().selection().source;
    const std::vector<NodeId> nodes = m_model->nodesOf(row);
    if (!std::ranges::all_of(nodes, [&](NodeId id) { return std::ranges::binary_search(selected, id); })) {
        // The row was highlighted without being selected, but the menu applies to it.
        m_ui->view->setCurrentIndex(row);
        selectCurrent();
    }
    emit menuRequested(m_ui->view->viewport()->mapToGlobal(at),
                       row.isValid() && isModule ? row.data(OutlineModel::PathRole).toString() : QString(),
                       m_model->nodesOf(row));
}

/// Returns the outermost visible rows whose nodes are all selected. O(nodes of the model + visible rows).
QItemSelection OutlinePanel::rowsOfSelection() const
{
    QItemSelection rows;
    const std::vector<NodeId>& selected = m_document.marks().selection().source;
    if (selected.size() < 2 || !m_document.marks().selection().what.isEmpty())
        return rows;
    const NodeSet wanted(selected);
    const std::vector<NodeId>& nodes = m_model->tree().nodes;
    std::vector<std::uint32_t> before(nodes.size() + 1, 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        before[i + 1] = before[i] + (wanted.contains(nodes[i]) ? 1 : 0);
    addSelectedRows({}, before, rows);
    return rows;
}

void OutlinePanel::addSelectedRows(const QModelIndex& parent, const std::vector<std::uint32_t>& before,
                                   QItemSelection& rows) const
{
    QModelIndex first; // adjacent rows become one range
    QModelIndex last;
    const auto close = [&] {
        if (first.isValid())
            rows.append(QItemSelectionRange(first, last));
        first = {};
    };
    for (int i = 0; i < m_model->rowCount(parent); ++i) {
        const QModelIndex row = m_model->index(i, 0, parent);
        const OutlineTree::Entry& entry = m_model->tree().entries[row.internalId()];
        const std::uint32_t count = entry.end - entry.begin;
        const std::uint32_t selected = before[entry.end] - before[entry.begin];
        if (count > 0 && selected == count) {
            last = row;
            if (!first.isValid())
                first = row;
            continue;
        }
        close();
        if (selected > 0 && m_ui->view->isExpanded(row))
            addSelectedRows(row, before, rows);
    }
    close();
}

void OutlinePanel::showSelection()
{
    if (m_following)
        return;
    m_following = true;
    QModelIndex index;
    const Selection& selection = m_document.marks().selection();
    if (selection.source.size() == 1)
        index = m_model->indexOf(selection.source.front());
    else if (!selection.what.isEmpty())
        index = m_model->indexOf(selection.what);
    const QItemSelection rows = rowsOfSelection();
    if (!rows.isEmpty()) {
        // In two steps, because Qt compares each old range with each new one.
        m_ui->view->selectionModel()->clearSelection();
        m_ui->view->selectionModel()->select(rows, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        m_following = false;
        return;
    }
    // Use the nearest visible ancestor: expanding branches automatically would make the tree jump.
    QModelIndex visible = index;
    for (QModelIndex at = index.parent(); at.isValid(); at = at.parent())
        if (!m_ui->view->isExpanded(at))
            visible = at;
    if (visible.isValid()) {
        m_ui->view->setCurrentIndex(visible);
        m_ui->view->scrollTo(visible);
    } else {
        m_ui->view->selectionModel()->clear();
    }
    m_following = false;
}

} // namespace sunder

#include "moc_outline_panel.cpp"
