#include "panes/timeline/sweep_page.h"

#include "document/text.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "panes/timeline/sweep_model.h"
#include "panes/timeline/ui_sweep_page.h"
#include "text/amounts.h"

#include <QEvent>
#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace sunder {
namespace {

constexpr uint kMostBatches = 100'000;

/// Returns the numbers in a list separated by commas or blanks; nothing if a word is not a number from 1 to kMostBatches.
std::optional<std::vector<std::uint32_t>> numbersIn(QString list)
{
    std::vector<std::uint32_t> numbers;
    for (const QString& word : list.replace(u',', u' ').split(u' ', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const uint number = word.toUInt(&isNumber);
        if (!isNumber || number == 0 || number > kMostBatches)
            return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

} // namespace

SweepPage::SweepPage(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::SweepPage>()), m_model(new SweepModel(this))
{
    m_ui->setupUi(this);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSortRole(SweepModel::kSortRole);
    sorted->setSourceModel(m_model);
    m_ui->rows->setModel(sorted);
    m_ui->rows->setItemDelegate(new NameDelegate(m_ui->rows));
    m_ui->rows->verticalHeader()->setMinimumSectionSize(22);
    m_ui->rows->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->rows->horizontalHeader()->setStretchLastSection(true);
    m_ui->rows->sortByColumn(-1, Qt::AscendingOrder); // by stages, schedule, and micro-batches
    m_ui->rows->viewport()->installEventFilter(this);
    connect(m_ui->rows->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &SweepPage::fitColumns);
    connect(m_ui->compare, &QPushButton::clicked, this, &SweepPage::compare);
    for (QLineEdit* field : {m_ui->batches, m_ui->stages})
        connect(field, &QLineEdit::returnPressed, this, &SweepPage::compare);
    connect(m_ui->rows, &QTableView::activated, this, &SweepPage::open);
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SweepPage::explain);
}

SweepPage::~SweepPage() = default;

void SweepPage::start(Document& document, Jobs& jobs)
{
    m_document = &document;
    m_jobs = &jobs;
    connect(&jobs, &Jobs::changed, this, [this](int row) {
        const JobInfo& job = m_jobs->list()[static_cast<std::size_t>(row)];
        if (job.id == m_job && job.state == JobState::running && job.permille >= 0)
            say(tr("Comparing… %1%").arg(job.permille / 10), QStringLiteral("hint"));
    });
}

void SweepPage::setChoices(std::uint64_t statesPerParameter, bool isInference)
{
    const bool isOther = m_statesPerParameter != statesPerParameter || m_isInference != isInference;
    m_statesPerParameter = statesPerParameter;
    m_isInference = isInference;
    if (isOther)
        markOutdated();
}

QString SweepPage::batches() const
{
    return m_ui->batches->text();
}

QString SweepPage::stages() const
{
    return m_ui->stages->text();
}

void SweepPage::setNumbers(const QString& batches, const QString& stages)
{
    m_ui->batches->setText(batches);
    m_ui->stages->setText(stages);
}

void SweepPage::say(const QString& text, const QString& look)
{
    m_ui->status->setText(withShortWords(text));
    setLook(*m_ui->status, look);
}

void SweepPage::compareOnce()
{
    if (!m_sweep && m_isOutdated && !m_job.isValid())
        compare();
}

void SweepPage::markOutdated()
{
    m_isOutdated = true;
    if (m_sweep)
        say(tr("The tags, devices, or costs have changed. Press Compare to update the rows."), QStringLiteral("warning"));
}

void SweepPage::compare()
{
    if (!m_document->isOpen())
        return;
    const std::optional<std::vector<std::uint32_t>> batches = numbersIn(m_ui->batches->text());
    const std::optional<std::vector<std::uint32_t>> stages = numbersIn(m_ui->stages->text());
    if (!batches || batches->empty() || !stages) {
        say(tr("Enter numbers separated by commas, such as 4, 8, 16."), QStringLiteral("error"));
        return;
    }
    SweepOptions options{.microBatches = *batches,
                         .stages = *stages,
                         .model = {.devices = m_document->devices().list(),
                                   .measured = m_document->costs().measured(),
                                   .statesPerParameter = m_statesPerParameter}};
    if (m_isInference)
        options.schedules = {PipelineSchedule::inference};
    else
        options.schedules.assign(trainingSchedules().begin(), trainingSchedules().end());
    m_isOfTags = stages->empty();
    if (m_isOfTags)
        options.tags = m_document->tags();
    m_isOutdated = false;
    say(tr("Comparing…"), QStringLiteral("hint"));
    m_job = m_jobs->start<SweepPtr>(
        {.key = QStringLiteral("sweep"), .title = tr("Compare schedules")},
        [snapshot = m_document->snapshot(), options](ProgressMonitor& monitor) -> Result<SweepPtr> {
            SUNDER_TRY(Sweep sweep, scheduleSweep(snapshot->program, options, monitor));
            return std::make_shared<const Sweep>(std::move(sweep));
        },
        this, [this](Result<SweepPtr> made) { take(std::move(made)); });
}

void SweepPage::take(Result<SweepPtr> made)
{
    m_job = {};
    m_sweep = made ? *made : nullptr;
    m_model->setSweep(m_sweep);
    fitColumns();
    if (!made) {
        say(isFault(made.error()) ? sentence(describe(made.error())) : tr("Canceled."),
            isFault(made.error()) ? QStringLiteral("error") : QStringLiteral("hint"));
        return;
    }
    if (m_sweep->rows.empty()) {
        say(tr("No schedule can run with these numbers of stages and devices."), QStringLiteral("warning"));
        return;
    }
    sayBest();
    if (!m_sweep->best)
        return;
    const QModelIndex source = m_model->index(static_cast<int>(*m_sweep->best), 0);
    m_ui->rows->setCurrentIndex(static_cast<QSortFilterProxyModel*>(m_ui->rows->model())->mapFromSource(source));
}

bool SweepPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitColumns();
    return QWidget::eventFilter(watched, event);
}

void SweepPage::fitColumns()
{
    constexpr int kLeastSchedule = 72;
    constexpr int kTitlePadding = 22;
    QHeaderView& header = *m_ui->rows->horizontalHeader();
    const QAbstractItemView& cells = *m_ui->rows;
    int room = m_ui->rows->viewport()->width();
    for (int column = SweepModel::ColumnCount; column-- > 0;) {
        // Only the column that sorts the rows needs room for an arrow.
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const bool isSorted = header.sortIndicatorSection() == column;
        int width = std::max(cells.sizeHintForColumn(column),
                             isSorted ? header.sectionSizeHint(column)
                                      : header.fontMetrics().horizontalAdvance(title) + kTitlePadding);
        if (column == SweepModel::ScheduleColumn)
            width = std::min(width, std::max(kLeastSchedule, room));
        room -= width;
        header.resizeSection(column, width);
    }
}

void SweepPage::sayBest()
{
    if (!m_sweep->best) {
        say(tr("No row fits into the memory of the devices."), QStringLiteral("warning"));
        return;
    }
    const SweepRow& best = m_sweep->rows[*m_sweep->best];
    say(tr("Best row that fits: %1 with %2 and %3 micro-batches, %4 micro-batches per second. Double-click a row or press Enter "
           "to open its timeline.")
            .arg(text(name(best.schedule)), countText(best.sizes.stages, "stage"), text(formatCount(best.sizes.microBatches)),
                 QString::number(best.throughput, 'g', 4)),
        QStringLiteral("hint"));
}

int SweepPage::rowOf(const QModelIndex& index) const
{
    return static_cast<const QSortFilterProxyModel*>(m_ui->rows->model())->mapToSource(index).row();
}

/// Says why the schedule of a row cannot run.
void SweepPage::explain(const QModelIndex& index)
{
    const int row = rowOf(index);
    if (!m_sweep || row < 0 || m_isOutdated)
        return;
    if (const SweepRow& chosen = m_sweep->rows[static_cast<std::size_t>(row)]; !chosen.refusal.empty())
        say(tr("%1 cannot run: %2").arg(text(name(chosen.schedule)), sentence(chosen.refusal)), QStringLiteral("warning"));
    else
        sayBest();
}

void SweepPage::open(const QModelIndex& index)
{
    const int row = rowOf(index);
    if (m_sweep && row >= 0 && m_sweep->rows[static_cast<std::size_t>(row)].refusal.empty())
        emit opened(m_sweep, row, m_isOfTags);
}

} // namespace sunder

#include "moc_sweep_page.cpp"
