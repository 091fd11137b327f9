#include "panels/problems_panel.h"

#include "document/text.h"
#include "models/look.h"
#include "models/paint_menu.h"
#include "models/problem_model.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panels/ui_problems_panel.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>

namespace sunder {
namespace {

/// Paints a problem: its sign and its sentence. Space on the right is left for its buttons.
class ProblemDelegate final : public RowDelegate {
public:
    explicit ProblemDelegate(QObject* parent) : RowDelegate(28, 8, parent) {}

protected:
    void paintContent(Row& row, const QModelIndex& index) const override;
};

constexpr int kIndent = 20; ///< of problems that are resolved with the row above

void ProblemDelegate::paintContent(Row& row, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const auto severity = static_cast<Severity>(index.data(ProblemModel::SeverityRole).toInt());
    const QColor color = severity == Severity::error ? theme.error : severity == Severity::warning ? theme.warning : theme.dim;
    const bool goesWith = index.data(ProblemModel::GoesWithRole).toBool();
    const int left = 12 + (goesWith ? kIndent : 0);
    const QRectF sign(row.rest.left() + left, row.rest.center().y() - 5.5, 12, 12);
    paintIcon(row.painter, index.data(ProblemModel::IconRole).toString(), sign, color);
    const auto* view = qobject_cast<const QAbstractItemView*>(row.option.widget);
    const QWidget* buttons = view == nullptr ? nullptr : view->indexWidget(index);
    row.rest.adjust(left + 22, 0, buttons == nullptr ? -12 : -buttons->sizeHint().width() - 8, 0);
    row.paintWords(index.data().toString(), goesWith ? theme.dim : theme.text);
}

constexpr int kRowsWithButtons = 60; ///< widgets are expensive; rows further down still lead to their nodes
constexpr int kLongestReason = 160; ///< characters in a menu
constexpr int kRowEnd = 12;        ///< pixels after the buttons of a row
} // namespace

ProblemsPanel::ProblemsPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new ProblemModel(document, this)),
      m_ui(std::make_unique<Ui::ProblemsPanel>())
{
    m_ui->setupUi(this);
    m_repairAllTip = m_ui->repairAll->toolTip();
    m_ui->view->setModel(m_model);
    m_ui->view->setItemDelegate(new ProblemDelegate(m_ui->view));
    connect(m_ui->view, &QListView::clicked, this, &ProblemsPanel::lead);
    connect(m_ui->view, &QListView::activated, this, &ProblemsPanel::lead);
    connect(m_ui->repairAll, &QToolButton::clicked, this, &ProblemsPanel::repairAllRequested);
    connect(m_ui->view, &QListView::customContextMenuRequested, this, &ProblemsPanel::showMenu);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ProblemsPanel::refresh);
    connect(m_ui->view->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ProblemsPanel::alignCommands);
    refresh();
}

ProblemsPanel::~ProblemsPanel() = default;

QListView& ProblemsPanel::view()
{
    return *m_ui->view;
}

void ProblemsPanel::lead(const QModelIndex& index)
{
    const Problem problem = m_model->problem(index);
    if (problem.nodes.empty())
        return;
    m_document.marks().select(problem.nodes);
    m_document.marks().reveal();
}

QString ProblemsPanel::step(int by)
{
    const int rows = m_model->rowCount();
    if (rows == 0)
        return {};
    const QModelIndex now = m_ui->view->currentIndex();
    const int row = now.isValid() ? (now.row() + by + rows) % rows : by > 0 ? 0 : rows - 1;
    m_ui->view->setCurrentIndex(m_model->index(row));
    lead(m_model->index(row));
    return m_model->index(row).data().toString();
}

void ProblemsPanel::markRefused()
{
    int marked = 0;
    for (int row = m_model->rowCount() - 1; row >= 0; --row)
        if (isRefused(m_model->problem(m_model->index(row))))
            marked = row;
    if (m_model->rowCount() == 0)
        return;
    m_ui->view->setCurrentIndex(m_model->index(marked));
    m_ui->view->scrollTo(m_model->index(marked));
}

void ProblemsPanel::refresh()
{
    const int rows = m_model->rowCount();
    const QWidget* focused = window()->focusWidget();
    if (rows == 0 && focused != nullptr && (focused == m_ui->view || m_ui->view->isAncestorOf(focused)))
        emit emptied();
    m_ui->view->setVisible(rows > 0);
    showRepairAll();
    m_ui->empty->setVisible(rows == 0);
    m_ui->empty->setText(m_document.isOpen() ? tr("No problems. Ready to split.") : QString());
    for (int row = 0; row < std::min(rows, kRowsWithButtons); ++row) {
        const QModelIndex index = m_model->index(row);
        if (QWidget* buttons = makeButtons(m_model->ownRepairs(index), m_model->ownBlocked(index)))
            m_ui->view->setIndexWidget(index, buttons);
    }
}

/// Without any possible fix, the command says why.
void ProblemsPanel::showRepairAll()
{
    const bool canRepair = m_model->canRepair();
    QString why;
    for (int row = 0; row < m_model->rowCount() && why.isEmpty(); ++row)
        if (const std::vector<BlockedRepair> blocked = m_model->ownBlocked(m_model->index(row)); !blocked.empty())
            why = text(describe(blocked.front()));
    m_ui->repairAll->setVisible(canRepair || !why.isEmpty());
    m_ui->repairAll->setEnabled(canRepair);
    m_ui->repairAll->setToolTip(folded(canRepair ? m_repairAllTip : why));
}

/// Opens a menu to fix a problem, or to select or paint its ops.
void ProblemsPanel::showMenu(const QPoint& at)
{
    QModelIndex index = m_ui->view->indexAt(at);
    if (!index.isValid())
        index = m_ui->view->currentIndex(); // the menu key has no position
    if (!index.isValid() || m_model->problem(index).nodes.empty())
        return;
    const PaintedList list{m_model->problem(index).nodes, tr("a problem's ops")};
    QMenu menu(this);
    for (const Repair& repair : m_model->ownRepairs(index)) // buttons of rows cannot be reached with keys
        if (repair.kind != Repair::Kind::show)
            menu.addAction(caption(text(repair.label)), &m_document, [this, repair] { m_document.painting().apply(repair); });
    for (const BlockedRepair& repair : m_model->ownBlocked(index))
        menu.addAction(caption(text(describe(repair)), kLongestReason))->setEnabled(false);
    menu.addSeparator();
    menu.addAction(tr("Select its ops\tEnter"), &m_document, [this, nodes = list.nodes] {
        m_document.marks().select(nodes);
        m_document.marks().reveal();
    });
    menu.addSeparator();
    addPaintActions(menu, m_document, list);
    menu.exec(m_ui->view->viewport()->mapToGlobal(at));
}

/// Aligns the button for all problems with the buttons of rows, which a scroll bar moves.
void ProblemsPanel::alignCommands(int, int most)
{
    const int bar = most > 0 ? m_ui->view->verticalScrollBar()->sizeHint().width() : 0;
    m_ui->commands->setContentsMargins(kRowEnd, 0, kRowEnd + bar, 2);
}

QWidget* ProblemsPanel::makeButtons(const std::vector<Repair>& repairs, const std::vector<BlockedRepair>& blocked)
{
    if (repairs.empty() && blocked.empty())
        return nullptr;
    auto* holder = new QWidget;
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 2, kRowEnd, 2);
    row->setSpacing(8);
    row->addStretch(1);
    const auto add = [&](const std::string& label, const std::string& tip) {
        auto* button = new QToolButton(holder);
        setLook(*button, QStringLiteral("repair"));
        button->setText(caption(text(label)));
        button->setToolTip(folded(text(tip)));
        row->addWidget(button);
        return button;
    };
    for (const BlockedRepair& repair : blocked) {
        QToolButton* button = add(repair.label, describe(repair));
        button->setEnabled(false);
        button->setAccessibleDescription(text(describe(repair)));
    }
    for (const Repair& repair : repairs) {
        QToolButton* button = add(repair.label, repair.tip);
        // Queued, because the fix resets the model and deletes this button during the click.
        connect(
            button, &QToolButton::clicked, this, [this, repair] { m_document.painting().apply(repair); }, Qt::QueuedConnection);
    }
    return holder;
}

} // namespace sunder

#include "moc_problems_panel.cpp"
