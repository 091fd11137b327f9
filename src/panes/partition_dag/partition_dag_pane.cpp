#include "panes/partition_dag/partition_dag_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/elided_label.h"
#include "panes/partition_dag/bar_legend.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/tensor_list.h"
#include "support/format.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

namespace sunder {

PartitionDagPane::PartitionDagPane(Document& document, Jobs& jobs, QWidget* parent)
    : ResultPane(document, ResultKind::parts, tr("Partition DAG"),
                 tr("Partition the model over devices (Ctrl+Shift+P), or split it by tags (Ctrl+Return), to see its parts here in "
                    "order of execution: what each takes, and what goes between them."),
                 parent), m_jobs(jobs),
      m_preview(new PartitionPreview(document, jobs, this)), m_notice(new QWidget(this)), m_noticeText(new QLabel(m_notice)),
      m_noticeButton(new QPushButton(m_notice)), m_splitter(new QSplitter(Qt::Vertical, this)), m_view(new DagView(m_splitter)),
      m_tensors(new TensorList(m_splitter)), m_totals(new ElidedLabel(this)), m_card(new MoveCard(m_view))
{
    build();
    addCommands();
    connectView();
    connect(m_preview, &PartitionPreview::changed, this, [this] {
        measureCut();
        showStatus();
        showNotice();
    });
    start();
}

void PartitionDagPane::build()
{
    auto* row = new QHBoxLayout(m_notice);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(8);
    m_noticeText->setWordWrap(true);
    m_noticeText->setTextFormat(Qt::PlainText);
    row->addWidget(m_noticeText, 1);
    row->addWidget(m_noticeButton);
    m_notice->setObjectName(QStringLiteral("panel"));
    m_notice->setAttribute(Qt::WA_StyledBackground);
    m_notice->hide();
    column().addWidget(m_notice);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_tensors->hide();
    m_tensors->setMinimumHeight(80);
    column().addWidget(m_splitter, 1);
    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(12, 4, 12, 0);
    footer->addWidget(m_totals, 1);
    m_totals->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column().addLayout(footer);
    column().addWidget(new BarLegend(this));
    column().addSpacing(2);
    connect(m_noticeButton, &QPushButton::clicked, this, [this] {
        if (m_preview->state() == PartitionPreview::State::ready)
            m_preview->keep();
        else
            emit splitRequested();
    });
    connect(m_tensors, &TensorList::closeRequested, this, &PartitionDagPane::closeList);
    connect(m_tensors, &TensorList::selected, this, [this](const std::vector<NodeId>& nodes) {
        m_picking = true;
        this->document().select(nodes);
        this->document().reveal();
        m_picking = false;
    });
    connect(m_card, &MoveCard::accepted, this, [this] {
        const std::vector<NodeId> nodes = m_moving;
        const int target = m_target;
        cancelMove();
        makeMove(nodes, target);
    });
    connect(m_card, &MoveCard::stepped, this, &PartitionDagPane::moveSelection);
    connect(m_card, &MoveCard::rejected, this, &PartitionDagPane::cancelMove);
}

void PartitionDagPane::addCommands()
{
    const auto add = [this](const QString& text, const QKeySequence& key, auto what) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WindowShortcut); // while the pane is to be seen
        addAction(action);
        connect(action, &QAction::triggered, this, what);
    };
    // Many desktops keep Ctrl+Alt+arrow for themselves: M does the same, and arrows on the card go on.
    add(tr("Move to another part"), Qt::Key_M, [this] { moveSelection(1); });
    add(tr("Move to the next part"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down), [this] { moveSelection(1); });
    add(tr("Move to the part before"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up), [this] { moveSelection(-1); });
    QToolButton* more = header().addButton(QStringLiteral("down"), tr("What can be done with this cut"));
    connect(more, &QToolButton::clicked, this, [this, more] {
        QMenu menu(this);
        fillMenu(menu, m_view->current());
        menu.exec(more->mapToGlobal(QPoint(0, more->height())));
    });
    connect(header().addButton(QStringLiteral("fit"), tr("Show all parts")), &QToolButton::clicked, m_view, &DagView::fit);
    addExportButton(tr("Export parts, graph or picture (Ctrl+E)"));
    addWindowButtons();
}

void PartitionDagPane::connectView()
{
    connect(m_view, &DagView::picked, this, &PartitionDagPane::pick);
    connect(m_view, &DagView::activated, this, &PartitionDagPane::activate);
    connect(m_view, &DagView::hovered, this, &PartitionDagPane::hover);
    connect(m_view, &DagView::menuRequested, this, [this](DagPlace place, const QPoint& at) {
        QMenu menu(this);
        fillMenu(menu, place);
        menu.exec(at);
    });
    connect(m_view, &DagView::dragged, this, [this](const std::vector<NodeId>& nodes, int box) {
        if (box < 0 || !m_measure) {
            m_draggedOver = -1;
            m_card->hide();
            m_view->setTarget(-1);
        } else if (box != m_draggedOver || nodes != m_dragged) {
            m_draggedOver = box;
            m_dragged = nodes;
            showMove(nodes, box, false);
        }
    });
    connect(m_view, &DagView::dropped, this, [this](const std::vector<NodeId>& nodes, int box) { makeMove(nodes, box); });
}

// What is shown -----------------------------------------------------------------------------------

SplitOutcomePtr PartitionDagPane::cut() const
{
    const bool follows = !isPinned() && m_preview->outcome() != nullptr;
    return follows ? m_preview->outcome() : result<SplitOutcomePtr>();
}

void PartitionDagPane::showResult()
{
    m_takenOver.clear();
    cancelMove();
    measureCut();
    showNotice();
}

void PartitionDagPane::measureCut()
{
    const SplitOutcomePtr wanted = cut();
    if (!wanted || !document().isOpen()) {
        m_measure.reset();
        showContent();
        return;
    }
    if (m_measure && m_measure->cut() == wanted)
        return;
    const SnapshotPtr source = document().snapshot();
    std::shared_ptr<const CutGraph> known;
    if (m_measure && m_measure->source() == source)
        known = m_measure->graph();
    if (!m_measure)
        m_totals->setLine(tr("Measuring the cut …"), {});
    m_jobs.start<CutMeasurePtr>(
        {.key = QStringLiteral("measure cut %1").arg(reinterpret_cast<quintptr>(this)), .title = tr("Measure the cut"), .quiet = true},
        [source, wanted, known](ProgressMonitor&) -> Result<CutMeasurePtr> {
            return std::make_shared<const CutMeasure>(source, wanted, known);
        },
        this,
        [this, wanted](Result<CutMeasurePtr> measure) {
            if (!measure || cut() != wanted)
                return;
            m_measure = std::move(*measure);
            showContent();
        });
}

void PartitionDagPane::showContent()
{
    closeList();
    cancelMove();
    if (m_measure)
        m_view->setContent(dagContent(*m_measure, partLooksOf(document(), *m_measure->cut(), currentTheme()), document().devices()));
    else
        m_view->setContent({});
    showTotals();
    showSelection({});
}

void PartitionDagPane::showTotals()
{
    const DagContent& content = m_view->content();
    m_totals->setLine(m_measure ? content.totals : QString(), m_measure ? content.totalsTip : QString());
}

QString PartitionDagPane::totals() const
{
    return m_totals->line();
}

void PartitionDagPane::refreshTheme()
{
    if (m_measure) {
        const std::vector<std::size_t> selected = m_view->marks().selectedOps;
        const DagPlace listed = m_listed;
        DagContent content = dagContent(*m_measure, partLooksOf(document(), *m_measure->cut(), currentTheme()), document().devices());
        const bool sameBoxes = content.boxes.size() == m_view->content().boxes.size();
        m_view->setContent(std::move(content));
        if (sameBoxes)
            m_view->setSelectedOps(selected);
        if (listed.kind == DagPlace::Kind::ribbon)
            m_view->setOpenRibbon(listed.index);
        showTotals(); // devices may be others
    }
    update();
}

void PartitionDagPane::showStatus()
{
    if (isPinned() || m_preview->state() == PartitionPreview::State::none) {
        ResultPane::showStatus();
        return;
    }
    switch (m_preview->state()) {
    case PartitionPreview::State::running:
        header().setStatus(tr("Preview for other devices: partitioning …"), QStringLiteral("hint"),
                           tr("The devices have changed since run %1.").arg(runNumber()));
        break;
    case PartitionPreview::State::ready: {
        const Verdict verdict = m_preview->outcome()->report.verdict;
        header().setStatus(tr("Preview · %1 · %2").arg(nameOf(m_preview->outcome()->plan->request), textOf(verdict)),
                           verdict == Verdict::same ? QStringLiteral("proven") : QStringLiteral("warning"),
                           tr("The partition on the devices as they are in the table now. It is no run yet."));
        break;
    }
    default:
        header().setStatus(tr("Preview · does not fit these devices"), QStringLiteral("warning"), m_preview->why());
        break;
    }
}

QString PartitionDagPane::notice() const
{
    return m_notice->isHidden() ? QString() : m_noticeText->text();
}

void PartitionDagPane::showNotice()
{
    QString said;
    QString button;
    QString tip;
    bool isWarning = false;
    const SplitOutcomePtr shown = result<SplitOutcomePtr>();
    const bool follows = shown && !isPinned();
    if (follows && m_preview->state() == PartitionPreview::State::ready) {
        said = tr("The devices have changed since run %1: this is the partition on the devices as they are now.").arg(runNumber());
        button = tr("Keep as a run");
        tip = tr("Add this partition to the history of runs, and show its parts");
    } else if (follows && m_preview->state() == PartitionPreview::State::refused) {
        said = tr("On the devices as they are now: %1. Shown is run %2.").arg(m_preview->why()).arg(runNumber());
        isWarning = true;
    } else if (!m_takenOver.isEmpty()) {
        said = m_takenOver;
        button = tr("Split");
        tip = tr("Split by the tags as they are now (Ctrl+Return)");
    } else if (follows && !shown->plan && !document().isSplitCurrent()) {
        said = tr("The tags have changed since this split.");
        button = tr("Split again");
        tip = tr("Split by the tags as they are now (Ctrl+Return)");
    }
    m_noticeText->setText(said);
    m_noticeText->setObjectName(isWarning ? QStringLiteral("warning") : QString());
    m_noticeText->style()->unpolish(m_noticeText);
    m_noticeText->style()->polish(m_noticeText);
    m_noticeButton->setText(button);
    m_noticeButton->setToolTip(tip);
    m_noticeButton->setVisible(!button.isEmpty());
    m_notice->setVisible(!said.isEmpty());
}

// List and menu -----------------------------------------------------------------------------------

void PartitionDagPane::list(DagPlace place)
{
    if (!m_measure || place.kind == DagPlace::Kind::none)
        return;
    const DagContent& content = m_view->content();
    const bool wasHidden = m_tensors->isHidden();
    m_listed = place;
    if (place.kind == DagPlace::Kind::ribbon) {
        const DagRibbon& ribbon = content.ribbons[static_cast<std::size_t>(place.index)];
        m_tensors->show(describe(content, ribbon), m_measure->source(), rowsOf(m_measure->metrics().ribbons[ribbon.ribbon]));
        m_view->setOpenRibbon(place.index);
    } else {
        m_tensors->show(tr("What %1 takes and gives").arg(nameOfBox(place.index)), m_measure->source(),
                        boundaryRowsOf(*m_measure, content.boxes[static_cast<std::size_t>(place.index)].part));
        m_view->setOpenRibbon(-1);
    }
    m_tensors->markSelected(document().selection().source);
    if (wasHidden)
        m_splitter->setSizes({m_splitter->height() * 55 / 100, m_splitter->height() * 45 / 100});
    m_view->ensureShown(place);
}

void PartitionDagPane::closeList()
{
    const bool hadFocus = m_tensors->isAncestorOf(focusWidget());
    m_listed = {};
    m_tensors->hide();
    m_view->setOpenRibbon(-1);
    if (hadFocus)
        m_view->setFocus();
}

void PartitionDagPane::fillMenu(QMenu& menu, DagPlace place)
{
    if (place.kind == DagPlace::Kind::box) {
        const QString name = nameOfBox(place.index);
        menu.addAction(tr("Open the graph of %1\tEnter").arg(name), this, [this, place] { activate(place); });
        menu.addAction(tr("Select its ops\tSpace"), this, [this, place] { pick(place, SelectionMode::replace); });
        menu.addAction(tr("List what it takes and gives"), this, [this, place] {
            list(place);
            m_tensors->view().setFocus();
        });
        menu.addSeparator();
    } else if (place.kind == DagPlace::Kind::ribbon) {
        menu.addAction(tr("List its tensors\tEnter"), this, [this, place] { activate(place); });
        menu.addSeparator();
    }
    const std::vector<NodeId> calls = selectedCalls();
    QMenu* move = menu.addMenu(calls.empty() ? tr("Move the selection to part (M)") : tr("Move %1 to part (M)").arg(nameOfNodes(calls)));
    move->setEnabled(!calls.empty() && m_measure);
    for (std::size_t i = 0; i < m_view->content().boxes.size(); ++i) {
        const TagLook& look = m_view->content().boxes[i].look;
        move->addAction(tagSwatch(look.style, currentTheme()), tr("%1 …").arg(look.name), this,
                        [this, calls, i] { beginMove(calls, static_cast<int>(i)); });
    }
    menu.addAction(tr("Take this cut over as tags"), this, &PartitionDagPane::takeOverAsTags)->setEnabled(m_measure != nullptr);
    if (m_preview->state() == PartitionPreview::State::ready)
        menu.addAction(tr("Keep this preview as a run"), m_preview, &PartitionPreview::keep);
}

void PartitionDagPane::zoomBy(double factor)
{
    m_view->setZoom(m_view->zoom() * factor, QRectF(m_view->viewport()->rect()).center());
}

void PartitionDagPane::showAll()
{
    m_view->fit();
}

} // namespace sunder
