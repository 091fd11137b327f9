#include "panes/compare/compare_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/compare/comparison_model.h"
#include "support/format.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

namespace {

QString nameWithNumber(const Run& run)
{
    return QObject::tr("%1 · %2, %3").arg(run.number).arg(nameOf(run), outcomeOf(run));
}

} // namespace

ComparePane::ComparePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : Pane(tr("Compare"), parent), m_document(document), m_jobs(jobs), m_chooseBefore(new QComboBox(this)),
      m_chooseAfter(new QComboBox(this)), m_viewBefore(new GraphView(jobs, std::move(engine), QStringLiteral("compare"), this)),
      m_canvasAfter(new CanvasWidget(this)), m_table(new QTreeView(this)), m_model(new ComparisonModel(this))
{
    for (QComboBox* choice : {m_chooseBefore, m_chooseAfter}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(8);
        header().addWidget(choice);
    }
    m_chooseBefore->setToolTip(tr("The cut to compare with"));
    m_chooseBefore->setAccessibleName(tr("Cut before"));
    m_chooseAfter->setToolTip(tr("The cut that is looked at"));
    m_chooseAfter->setAccessibleName(tr("Cut after"));
    connect(m_chooseBefore, &QComboBox::activated, this,
            [this] { compare(m_chooseBefore->currentData().toInt(), m_after); });
    connect(m_chooseAfter, &QComboBox::activated, this,
            [this] { compare(m_before, m_chooseAfter->currentData().toInt()); });
    connect(header().addButton(QStringLiteral("swap"), tr("Exchange both cuts")), &QToolButton::clicked, this,
            [this] { compare(m_after, m_before); });
    addWindowButtons();

    auto* pictures = new QSplitter(Qt::Horizontal, this);
    pictures->setHandleWidth(1);
    pictures->addWidget(m_viewBefore);
    pictures->addWidget(m_canvasAfter);
    auto* both = new QSplitter(Qt::Vertical, this);
    both->setHandleWidth(1);
    both->addWidget(pictures);
    both->addWidget(m_table);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    column().addWidget(both, 1);

    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("rows"));
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setAccessibleName(tr("What the two cuts differ in"));
    m_table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<NodeId> nodes;
        for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
            for (const NodeId id : m_model->nodesOf(row))
                nodes.push_back(id);
        if (nodes.empty())
            return;
        m_document.select(std::move(nodes));
        m_document.reveal();
    });
    connectCanvas(m_viewBefore->canvas());
    connectCanvas(*m_canvasAfter);
    linkCanvases();
    m_viewBefore->canvas().setAccessibleName(tr("The model, coloured by the cut before"));
    m_canvasAfter->setAccessibleName(tr("The model, coloured by the cut after"));
    connect(&document, &Document::changed, this, &ComparePane::documentChanged);
    connect(&document, &Document::hoverChanged, this, [this] {
        m_viewBefore->canvas().setCounterparts(m_document.hovered());
        m_canvasAfter->setCounterparts(m_document.hovered());
    });
    connect(&document, &Document::revealRequested, this, &ComparePane::reveal);
    link(*m_viewBefore);
    compare(0, 0);
}

void ComparePane::connectCanvas(CanvasWidget& canvas)
{
    canvas.setTool(ToolKind::select);
    canvas.setLegendVisible(false);
    connect(&canvas, &CanvasWidget::hovered, &m_document, [this](const std::vector<NodeId>& nodes) { m_document.setHovered(nodes); });
    connect(&canvas, &CanvasWidget::selectionRequested, this, [this](std::vector<NodeId> nodes, SelectionMode mode) {
        if (mode != SelectionMode::replace)
            nodes.insert(nodes.end(), m_document.selection().source.begin(), m_document.selection().source.end());
        m_picking = true;
        m_document.select(std::move(nodes));
        m_picking = false;
    });
}

void ComparePane::reveal()
{
    if (m_comparison && isFollowing() && !m_picking && !m_document.selection().source.empty())
        m_viewBefore->showNodes(m_document.selection().source);
}

/// Both show one picture at one place; opening a module in either opens it in both.
void ComparePane::linkCanvases()
{
    m_canvasAfter->setMinimapVisible(false);
    connect(m_viewBefore, &GraphView::pictureShown, this, [this] {
        m_canvasAfter->setPicture(m_viewBefore->canvas().picture());
        m_canvasAfter->setCamera(m_viewBefore->canvas().camera());
    });
    connect(m_canvasAfter, &CanvasWidget::itemActivated, m_viewBefore, &GraphView::toggle);
    const auto follow = [this](CanvasWidget& from, CanvasWidget& to) {
        connect(&from, &CanvasWidget::cameraChanged, this, [this, &to](const Camera& camera) {
            if (m_setting)
                return;
            m_setting = true;
            to.setCamera(camera);
            m_setting = false;
        });
    };
    follow(m_viewBefore->canvas(), *m_canvasAfter);
    follow(*m_canvasAfter, m_viewBefore->canvas());
    connect(m_canvasAfter, &CanvasWidget::zoomChosen, this, &Pane::zoomChosen);
}

SplitOutcomePtr ComparePane::split(int run) const
{
    const Run* at = m_document.run(run);
    const SplitOutcomePtr* split = at == nullptr ? nullptr : std::get_if<SplitOutcomePtr>(&at->result);
    return split == nullptr ? nullptr : *split;
}

void ComparePane::documentChanged(Changes what)
{
    if (what & (Change::runs | Change::program)) {
        if (!split(m_before) || !split(m_after))
            compare(0, 0);
        fillChoices();
    }
    if (what & (Change::tagList | Change::devices))
        refreshTheme();
    if (what.testFlag(Change::selection))
        showSelection();
}

void ComparePane::fillChoices()
{
    for (const auto& [choice, shown] : {std::pair{m_chooseBefore, m_before}, std::pair{m_chooseAfter, m_after}}) {
        choice->clear();
        for (const Run& run : m_document.runs())
            if (run.kind() == ResultKind::parts)
                choice->addItem(nameWithNumber(run), run.number);
        choice->setCurrentIndex(choice->findData(shown));
        choice->setEnabled(choice->count() > 0);
    }
}

void ComparePane::compare(int before, int after)
{
    m_before = before;
    m_after = after;
    fillChoices();
    const SplitOutcomePtr first = split(before);
    const SplitOutcomePtr second = split(after);
    if (!first || !second) {
        show(nullptr);
        return;
    }
    m_jobs.start<RunComparisonPtr>(
        {.key = QStringLiteral("compare"), .title = tr("Compare run %1 with run %2").arg(after).arg(before), .quiet = true},
        [source = m_document.snapshot(), first, second](ProgressMonitor& monitor) {
            return compareRuns(source, first, second, monitor);
        },
        this,
        [this, before, after](Result<RunComparisonPtr> made) {
            if (made && before == m_before && after == m_after)
                show(*made);
        });
}

void ComparePane::show(const RunComparisonPtr& comparison)
{
    m_comparison = comparison;
    showHint(comparison ? QString()
                        : tr("Two cuts are compared here. Make two runs of Split or Partition, then choose them above, or press C "
                             "on one of them in Runs."));
    if (!comparison) {
        m_model->setComparison(nullptr, nullptr, {}, {});
        m_viewBefore->setGraph(nullptr, {}, {});
        m_canvasAfter->setPicture(nullptr);
        m_drawn.reset();
        header().setStatus({}, QStringLiteral("hint"), {});
        return;
    }
    if (m_drawn != m_document.snapshot()) {
        m_drawn = m_document.snapshot();
        m_viewBefore->setGraph({m_drawn, &m_drawn->program}, m_drawn->program.root, m_document.displayName());
    }
    refreshTheme();
    m_table->expandToDepth(0);
    showSummary();
}

void ComparePane::showSummary()
{
    const CutComparison& cuts = m_comparison->cuts;
    QStringList facts{tr("%1 moved").arg(text(formatCount(cuts.moved.size(), "op"))),
                      tr("cut %1").arg(changeText(cuts.cutBytesChange())),
                      tr("largest part %1").arg(changeText(cuts.largestChange()))};
    if (const std::int64_t parts = cuts.partCountChange(); parts != 0)
        facts << tr("%1%2").arg(parts > 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                text(formatCount(static_cast<std::uint64_t>(std::abs(parts)), "part")));
    header().setStatus(facts.join(QStringLiteral(" · ")), QStringLiteral("hint"),
                       tr("The second cut against the first: %1").arg(facts.join(QStringLiteral(", "))));
}

QString ComparePane::summary() const
{
    return header().status();
}

/// The looks of the parts in the order of the cut's tags, which is that of execution.
std::vector<TagLook> ComparePane::looksOf(const SplitOutcome& split) const
{
    const std::vector<TagLook> parts = partLooksOf(m_document, split, currentTheme());
    std::vector<TagLook> looks;
    for (const InternedString tag : split.tags.order) {
        const auto at = std::find(split.split.partNames.begin(), split.split.partNames.end(), tag);
        looks.push_back(at == split.split.partNames.end() ? TagLook{text(tag), {}, tagStyle(currentTheme(), looks.size())}
                                                          : parts[static_cast<std::size_t>(at - split.split.partNames.begin())]);
    }
    return looks;
}

PictureStyle ComparePane::styleOf(const SplitOutcome& split) const
{
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = looksOf(split);
    style.tagOf = tagTable(m_document.graph(), split.tags);
    style.nodeBytes = m_document.snapshot()->sizes.parameterBytes;
    std::vector<NodeId> moved;
    for (const MovedNode& node : m_comparison->cuts.moved)
        moved.push_back(node.node);
    style.found = NodeSet(moved);
    style.selected = NodeSet(m_document.selection().source);
    return style;
}

void ComparePane::refreshTheme()
{
    const SplitOutcomePtr before = split(m_before);
    const SplitOutcomePtr after = split(m_after);
    if (!m_comparison || !before || !after)
        return;
    m_viewBefore->canvas().setPictureStyle(styleOf(*before));
    m_canvasAfter->setPictureStyle(styleOf(*after));
    m_model->setComparison(m_document.snapshot(), m_comparison, looksOf(*before), looksOf(*after));
    m_table->expandToDepth(0);
}

void ComparePane::showSelection()
{
    if (!m_comparison)
        return;
    m_viewBefore->canvas().setSelectedNodes(m_document.selection().source);
    m_canvasAfter->setSelectedNodes(m_document.selection().source);
    reveal();
}

} // namespace sunder
