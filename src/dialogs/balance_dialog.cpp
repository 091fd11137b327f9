#include "dialogs/balance_dialog.h"

#include "dialogs/ui_balance_dialog.h"
#include "document/text.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "models/row_delegate.h"
#include "models/tag_style_of.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QHeaderView>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sunder {
namespace {

/// Paints a bar behind the figures that have one.
class LoadDelegate final : public NameDelegate {
public:
    using NameDelegate::NameDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (const QVariant share = index.data(BalanceModel::kBarRole); share.isValid()) {
            const Theme& theme = currentTheme();
            paintBar(*painter, QRectF(option.rect).adjusted(1, 2, -4, -2), share.toDouble(),
                     mixed(theme.panel, theme.selection, 0.28));
        }
        NameDelegate::paint(painter, option, index);
    }
};

const QString kBalanceKey = QStringLiteral("balance");
constexpr double kFirstLimit = 0.5; ///< BalanceOptions::timeLimit of the search whose result is shown first

} // namespace

BalanceDialog::BalanceDialog(Document& document, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::BalanceDialog>()),
      m_model(new BalanceModel(this))
{
    m_ui->setupUi(this);
    m_ui->stages->setModel(m_model);
    m_ui->stages->setItemDelegate(new LoadDelegate(m_ui->stages));
    m_ui->stages->verticalHeader()->setMinimumSectionSize(22);
    m_ui->stages->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->stages->horizontalHeader()->setStretchLastSection(true);
    m_ui->stages->resizeColumnsToContents();
    m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Tag"));
    const std::size_t devices = document.devices().list().size();
    m_ui->count->setMaximum(std::max(1, static_cast<int>(std::min<std::size_t>(document.snapshot()->callCount, 4096))));
    m_ui->count->setValue(std::max(2, document.tagCount()));
    m_ui->byDevices->setEnabled(devices > 0);
    m_ui->byDevices->setText(devices > 0 ? tr("The %1 &devices of the model").arg(devices)
                                         : tr("The &devices of the model: none yet"));
    (devices > 0 ? m_ui->byDevices : m_ui->byStages)->setChecked(true);
    connect(m_ui->ways, &QButtonGroup::idToggled, this, [this](int, bool isOn) {
        if (isOn)
            search();
    });
    connect(m_ui->count, &QSpinBox::valueChanged, this, [this](int stages) {
        if (!m_ui->byStages->isChecked())
            m_ui->byStages->setChecked(true);
        else if (stages != m_searched) // Enter reports the same value again
            search();
    });
    for (QCheckBox* box : {m_ui->atModules, m_ui->overlap, m_ui->anyOrder})
        connect(box, &QCheckBox::toggled, this, &BalanceDialog::search);
    connect(&jobs, &Jobs::changed, this, &BalanceDialog::showProgress);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) // the cut is of another model
            reject();
        else if (what & (Change::devices | Change::sizes | Change::operators))
            search();
    });
    connect(this, &QDialog::finished, this, [this] {
        m_isOver = true;
        m_jobs.drop(m_job);
        emit proposed(nullptr);
    });
    (devices > 0 ? static_cast<QWidget*>(m_ui->byDevices) : m_ui->count)->setFocus();
    search();
}

BalanceDialog::~BalanceDialog() = default;

BalanceOptions BalanceDialog::options() const
{
    BalanceOptions options{.measured = m_document.costs().measured(),
                           .atModules = m_ui->atModules->isChecked(),
                           .overlap = m_ui->overlap->isChecked()};
    if (m_ui->byDevices->isChecked()) {
        options.devices = m_document.devices().list();
        options.anyOrder = m_ui->anyOrder->isChecked();
    } else {
        options.stages = static_cast<std::uint32_t>(m_ui->count->value());
    }
    return options;
}

void BalanceDialog::search()
{
    if (m_isOver || !m_document.isOpen())
        return;
    m_plan = nullptr;
    m_searched = m_ui->count->value();
    m_ui->anyOrder->setEnabled(m_ui->byDevices->isChecked());
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    searchWithin(kFirstLimit);
}

/// A short search shows a cut at once. Unless that is optimal, the whole search follows.
void BalanceDialog::searchWithin(double limit)
{
    BalanceOptions wanted = options();
    m_isFirst = limit < wanted.timeLimit;
    wanted.timeLimit = limit;
    showQuality(m_plan ? tr("searching…") : tr("Searching…"));
    m_job = m_jobs.start<BalancePlanPtr>(
        {.key = kBalanceKey, .title = tr("Balance")},
        [snapshot = m_document.snapshot(), wish = std::move(wanted)](ProgressMonitor& monitor) -> Result<BalancePlanPtr> {
            SUNDER_TRY(BalancePlan plan, balanceProgram(snapshot->program, wish, monitor));
            return std::make_shared<const BalancePlan>(std::move(plan));
        },
        this, [this](Result<BalancePlanPtr> found) { take(std::move(found)); });
}

void BalanceDialog::showProgress(int row)
{
    const JobInfo& job = m_jobs.list()[static_cast<std::size_t>(row)];
    if (job.id != m_job || job.state != JobState::running || job.permille < 0)
        return;
    showQuality((m_plan ? tr("searching… %1%") : tr("Searching… %1%")).arg(job.permille / 10));
}

/// Says how good the cut is, and what the search is doing.
void BalanceDialog::showQuality(const QString& search)
{
    if (!m_plan)
        return say(search, QStringLiteral("hint"));
    const BalanceResult& result = m_plan->result;
    const QString bound = result.isProven ? QString() : tr(" · no cut is below %1").arg(text(formatSeconds(result.bound)));
    const QString rest = search.isEmpty() ? QString() : QStringLiteral(" · ") + search;
    say(tr("Largest load %1 · %2%3%4").arg(text(formatSeconds(result.load)), text(describeQuality(result)), bound, rest),
        result.isProven ? QStringLiteral("proven") : QStringLiteral("warning"));
}

void BalanceDialog::take(Result<BalancePlanPtr> found)
{
    if (m_isOver)
        return;
    m_job = {};
    const bool isFirst = std::exchange(m_isFirst, false);
    if (!found && isFirst && found.error().code != ErrorCode::cancelled)
        return searchWithin(BalanceOptions().timeLimit);
    if (!found && m_plan) // canceled: the first cut remains
        return showQuality({});
    if (!found) {
        m_model->setPlan(nullptr);
        m_ui->assumptions->clear();
        say(withShortWords(sentence(found.error().message)),
            isFault(found.error()) ? QStringLiteral("error") : QStringLiteral("hint"));
        emit proposed(nullptr);
        return;
    }
    m_plan = *found;
    emit proposed(m_plan);
    m_model->setPlan(m_plan);
    m_ui->stages->setColumnHidden(BalanceModel::MemoryColumn, std::ranges::none_of(m_plan->devices, [](const Device& device) {
                                      return std::isfinite(device.availableBytes);
                                  }));
    m_ui->stages->resizeColumnsToContents();
    constexpr int kBarWidth = 110;
    constexpr int kMostName = 170; // long names are shortened; their tooltips have them whole
    for (const int column : {BalanceModel::StageColumn, BalanceModel::DeviceColumn})
        m_ui->stages->setColumnWidth(column, std::min(kMostName, m_ui->stages->columnWidth(column)));
    for (const int column : {BalanceModel::LoadColumn, BalanceModel::ShareColumn, BalanceModel::MemoryColumn})
        m_ui->stages->setColumnWidth(column, std::max(kBarWidth, m_ui->stages->columnWidth(column)));
    QStringList assumptions;
    for (const std::string& assumption : m_plan->assumptions)
        assumptions += sentence(assumption);
    m_ui->assumptions->setText(withShortWords(assumptions.join(QLatin1Char(' '))));
    m_ui->buttons->button(QDialogButtonBox::Ok)->setEnabled(true);
    if (isFirst && !m_plan->result.isProven)
        searchWithin(BalanceOptions().timeLimit);
    else
        showQuality({});
}

void BalanceDialog::say(const QString& text, const QString& look)
{
    m_ui->quality->setText(text);
    setLook(*m_ui->quality, look);
}

void BalanceDialog::accept()
{
    if (!m_plan)
        return;
    const BalancePlanPtr taken = m_plan; // changing the tags may replace it
    const BalanceOptions wish = options();
    const QString title =
        tr("Balance over %1").arg(countText(taken->result.loads.size(), m_ui->byDevices->isChecked() ? "device" : "stage"));
    if (const QString why = m_document.tagSources().takeTags(taken->tags, title); !why.isEmpty()) {
        say(why, QStringLiteral("error"));
        return;
    }
    m_document.loads().follow(wish, *taken);
    QDialog::accept();
}

} // namespace sunder

#include "moc_balance_dialog.cpp"
