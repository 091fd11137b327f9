#include "panels/matches_panel.h"

#include "document/text.h"
#include "models/match_model.h"
#include "panels/ui_matches_panel.h"

#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <set>

namespace sunder {
namespace {
constexpr int kMaxTags = 30; ///< in a menu
} // namespace

MatchesPanel::MatchesPanel(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_model(new MatchModel(document, this)), m_ui(std::make_unique<Ui::MatchesPanel>())
{
    m_ui->setupUi(this);
    setAttribute(Qt::WA_StyledBackground);
    m_ui->rows->setModel(m_model);
    m_ui->rows->header()->setStretchLastSection(false);
    m_ui->rows->header()->setSectionResizeMode(QHeaderView::Interactive);
    m_ui->rows->header()->setSectionResizeMode(MatchModel::WhyColumn, QHeaderView::Stretch);
    auto* others = new QMenu(m_ui->redo);
    m_ui->redo->setMenu(others);
    connect(others, &QMenu::aboutToShow, this, [this, others] {
        others->clear();
        fillOthers(*others);
    });
    connect(m_ui->kind, &QComboBox::activated, this, [this](int kind) { m_model->setShow(static_cast<MatchModel::Show>(kind)); });
    connect(m_ui->accept, &QPushButton::clicked, this, [this] { accept(); });
    connect(m_ui->acceptAll, &QPushButton::clicked, this, &MatchesPanel::acceptAll);
    connect(m_ui->rows, &QTreeView::clicked, this, &MatchesPanel::lead);
    connect(m_ui->rows, &QTreeView::activated, this, &MatchesPanel::lead);
    connect(m_ui->rows, &QTreeView::customContextMenuRequested, this, &MatchesPanel::showMenu);
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MatchesPanel::enableButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, &MatchesPanel::refresh);
    refresh();
}

MatchesPanel::~MatchesPanel() = default;

QTreeView& MatchesPanel::view()
{
    return *m_ui->rows;
}

void MatchesPanel::refresh()
{
    const TagTransferPtr transfer = m_document.isOpen() ? m_document.basis().transfer : nullptr;
    showKinds();
    m_ui->summary->setText(m_model->summary());
    m_ui->summary->setToolTip(folded(m_model->summary()));
    m_ui->bar->setVisible(transfer != nullptr);
    m_ui->rows->setVisible(transfer != nullptr);
    m_ui->empty->setVisible(transfer == nullptr);
    constexpr int kOpWidth = 300;
    constexpr int kTagWidth = 160;
    m_ui->rows->setColumnWidth(MatchModel::OpColumn, kOpWidth);
    m_ui->rows->setColumnWidth(MatchModel::TagColumn, kTagWidth);
    enableButtons();
    emit openCountChanged(m_model->count(MatchModel::Show::open));
    if (std::exchange(m_shown, transfer) != transfer && transfer && !transfer->isPlain())
        emit arrived();
}

void MatchesPanel::showKinds()
{
    const int before = static_cast<int>(m_model->show());
    const QSignalBlocker quiet(m_ui->kind);
    m_ui->kind->clear();
    for (int kind = 0; kind < MatchModel::kShows; ++kind)
        m_ui->kind->addItem(m_model->titleOf(static_cast<MatchModel::Show>(kind)));
    m_ui->kind->setCurrentIndex(before);
}

std::vector<std::size_t> MatchesPanel::chosen() const
{
    std::set<std::size_t> calls;
    for (const QModelIndex& index : m_ui->rows->selectionModel()->selectedRows())
        for (const std::size_t call : m_model->callsOf(index))
            calls.insert(call);
    return {calls.begin(), calls.end()};
}

void MatchesPanel::enableButtons()
{
    const bool has = !chosen().empty();
    m_ui->accept->setEnabled(has);
    m_ui->redo->setEnabled(has);
    m_ui->acceptAll->setEnabled(m_model->rowCount() > 0 && m_model->show() != MatchModel::Show::lost);
}

void MatchesPanel::lead(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    m_document.marks().select(m_model->nodesOf(index));
    m_document.marks().reveal();
}

void MatchesPanel::accept(std::optional<int> tag)
{
    const QModelIndex current = m_ui->rows->currentIndex();
    const QModelIndex around = current.parent();
    const int group = around.isValid() ? around.row() : current.row();
    if (const std::vector<std::size_t> calls = chosen(); !calls.empty())
        m_document.tagSources().acceptMatches(calls, tag);
    // Accepting removes rows, so make the next one current.
    if (m_model->rowCount() == 0)
        return;
    QModelIndex next = m_model->index(std::clamp(group, 0, m_model->rowCount() - 1), 0);
    if (const int within = m_model->rowCount(next); around.isValid() && within > 0) {
        m_ui->rows->expand(next);
        next = m_model->index(std::clamp(current.row(), 0, within - 1), 0, next);
    }
    m_ui->rows->setCurrentIndex(next);
}

void MatchesPanel::acceptAll()
{
    if (const std::vector<std::size_t> calls = m_model->calls(); !calls.empty())
        m_document.tagSources().acceptMatches(calls);
}

/// Adds each candidate among the old ops, with its old tag.
void MatchesPanel::addCandidates(QMenu& menu, std::size_t call)
{
    const TagTransfer& transfer = *m_document.basis().transfer;
    const AlignedCall& it = transfer.alignment.calls[call];
    std::vector<std::uint32_t> candidates = it.others;
    if (it.old != AlignedCall::kNone)
        candidates.insert(candidates.begin(), it.old);
    for (const std::uint32_t old : candidates) {
        const std::int32_t then = transfer.oldTags[old];
        const InternedString name = then < 0 ? InternedString() : transfer.order[static_cast<std::size_t>(then)];
        int tag = TagAssignment::kUntagged;
        for (int i = 0; i < m_document.tagCount(); ++i)
            if (m_document.tags().order[static_cast<std::size_t>(i)] == name)
                tag = i;
        menu.addAction(caption(tr("Match %1: %2").arg(text(transfer.old.nodes[old].name), tag < 0 ? tr("no tag") : text(name))),
                       this, [this, tag] { accept(tag); });
    }
    if (!candidates.empty())
        menu.addSeparator();
}

void MatchesPanel::fillOthers(QMenu& menu)
{
    const std::vector<std::size_t> calls = chosen();
    if (calls.empty())
        return;
    if (calls.size() == 1)
        addCandidates(menu, calls.front());
    for (int tag = 0; tag < std::min(kMaxTags, m_document.tagCount()); ++tag)
        menu.addAction(caption(tr("Tag as %1").arg(m_document.tagName(tag))), this, [this, tag] { accept(tag); });
    menu.addSeparator();
    menu.addAction(tr("Leave untagged"), this, [this] { accept(TagAssignment::kUntagged); });
}

void MatchesPanel::showMenu(const QPoint& at)
{
    if (!m_ui->rows->currentIndex().isValid())
        return;
    QMenu menu(this);
    menu.addAction(tr("Go to op\tEnter"), this, [this] { lead(m_ui->rows->currentIndex()); });
    if (!chosen().empty()) {
        menu.addAction(tr("Accept\tAlt+A"), this, [this] { accept(); });
        menu.addSeparator();
        fillOthers(menu);
    }
    menu.exec(m_ui->rows->viewport()->mapToGlobal(at));
}

} // namespace sunder

#include "moc_matches_panel.cpp"
