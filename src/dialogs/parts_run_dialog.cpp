#include "dialogs/parts_run_dialog.h"

#include "dialogs/ui_parts_run_dialog.h"
#include "document/runs/torch_process.h"
#include "document/text.h"
#include "models/look.h"
#include "models/name_delegate.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

const QString kRunPartsKey = QStringLiteral("run parts");

/// A column of a table of figures.
struct FigureColumn {
    const char* title;
    const char* tip;
    bool isFigure = true; ///< right-aligned
};

constexpr std::array kOutputColumns{
    FigureColumn{QT_TR_NOOP("Output"), QT_TR_NOOP("Output of the model"), false},
    FigureColumn{QT_TR_NOOP("Type"), QT_TR_NOOP("Data type and shape"), false},
    FigureColumn{QT_TR_NOOP("Equal"), QT_TR_NOOP("Whether all bits are equal to those of the whole model"), false},
    FigureColumn{QT_TR_NOOP("Largest difference"), QT_TR_NOOP("Largest absolute difference of an element")},
    FigureColumn{QT_TR_NOOP("Relative"), QT_TR_NOOP("Largest difference relative to the element of the whole model")},
};
constexpr std::array kPartColumns{
    FigureColumn{QT_TR_NOOP("Part"), QT_TR_NOOP("Tag of the part"), false},
    FigureColumn{QT_TR_NOOP("Ran on"), QT_TR_NOOP("Device, in PyTorch's words"), false},
    FigureColumn{QT_TR_NOOP("Measured"), QT_TR_NOOP("Median seconds of a run, without moving inputs")},
    FigureColumn{QT_TR_NOOP("Estimated"), QT_TR_NOOP("Seconds by the cost model for a device of the Devices panel")},
    FigureColumn{QT_TR_NOOP("Ratio"), QT_TR_NOOP("Measured seconds divided by estimated ones")},
    FigureColumn{
        QT_TR_NOOP("Peak measured"),
        QT_TR_NOOP(
            "Weights, inputs, and the most that PyTorch's allocator hands out during a run, workspaces of kernels included")},
    FigureColumn{QT_TR_NOOP("Peak estimated"), QT_TR_NOOP("Peak memory as in the Partition DAG and the Devices panel")},
};

template <std::size_t N>
QStandardItemModel* modelOf(const std::array<FigureColumn, N>& columns, QObject* parent)
{
    auto* model = new QStandardItemModel(0, static_cast<int>(N), parent);
    for (std::size_t i = 0; i < N; ++i) {
        const int column = static_cast<int>(i);
        model->setHeaderData(column, Qt::Horizontal, PartsRunDialog::tr(columns[i].title));
        model->setHeaderData(column, Qt::Horizontal, PartsRunDialog::tr(columns[i].tip), Qt::ToolTipRole);
        model->setHeaderData(column, Qt::Horizontal,
                             QVariant((columns[i].isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
                             Qt::TextAlignmentRole);
    }
    return model;
}

void addRow(QStandardItemModel& model, const QStringList& cells, const QString& tip = {})
{
    QList<QStandardItem*> row;
    for (const QString& cell : cells) {
        auto* item = new QStandardItem(cell);
        item->setEditable(false);
        item->setToolTip(folded(tip.isEmpty() ? cell : tip));
        const QVariant alignment = model.headerData(static_cast<int>(row.size()), Qt::Horizontal, Qt::TextAlignmentRole);
        item->setTextAlignment(Qt::Alignment(alignment.toInt()));
        row += item;
    }
    model.appendRow(row);
}

QString differenceText(const std::optional<double>& value)
{
    if (!value)
        return {};
    return *value == 0          ? QStringLiteral("0")
        : std::isfinite(*value) ? QString::number(*value, 'g', 3)
                                : PartsRunDialog::tr("infinite");
}

QString secondsOf(const std::optional<double>& seconds)
{
    return seconds ? text(formatSeconds(*seconds)) : QString();
}

QString peakText(const std::optional<std::uint64_t>& bytes)
{
    return bytes ? bytesText(*bytes) : QString();
}

void prepareTable(QTableView& table, QAbstractItemModel& model)
{
    table.setModel(&model);
    table.setItemDelegate(new NameDelegate(&table));
    table.verticalHeader()->setMinimumSectionSize(22);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.resizeColumnsToContents();
}

} // namespace

PartsRunDialog::PartsRunDialog(Document& document, Jobs& jobs, const QString& python, QWidget* parent)
    : QDialog(parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::PartsRunDialog>()),
      m_outputs(modelOf(kOutputColumns, this)), m_parts(modelOf(kPartColumns, this))
{
    m_ui->setupUi(this);
    prepareTable(*m_ui->outputs, *m_outputs);
    prepareTable(*m_ui->parts, *m_parts);
    m_ui->python->setText(QDir::toNativeSeparators(python));
    const QStringList found = pythonsToTry({});
    if (!found.isEmpty())
        m_ui->python->setPlaceholderText(tr("Automatic: %1").arg(visible(found.front())));
    m_ui->device->addItems({tr("As exported"), QStringLiteral("cpu"), QStringLiteral("cuda")});
    connect(m_ui->choose, &QPushButton::clicked, this, &PartsRunDialog::choosePython);
    connect(m_ui->python, &QLineEdit::editingFinished, this, [this] { emit pythonChosen(m_ui->python->text().trimmed()); });
    connect(m_ui->run, &QPushButton::clicked, this, &PartsRunDialog::startOrCancel);
    connect(m_ui->take, &QPushButton::clicked, this, &PartsRunDialog::takeAsCosts);
    connect(&jobs, &Jobs::changed, this, &PartsRunDialog::showProgress);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program)) // the run is of another model
            reject();
    });
    connect(this, &QDialog::finished, this, [this] {
        m_isOver = true;
        m_jobs.drop(m_job);
    });
    setRunning(false);
    m_ui->take->setEnabled(false);
    say(tr("Runs the parts of the current tags and the whole model on the same inputs, in a separate process. The model stays as "
           "it is."),
        QStringLiteral("hint"));
    m_ui->run->setFocus();
}

PartsRunDialog::~PartsRunDialog() = default;

void PartsRunDialog::choosePython()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Python with PyTorch"),
                                                      QFileInfo(m_ui->python->text()).absolutePath(), tr("All files (*)"));
    if (path.isEmpty())
        return;
    m_ui->python->setText(QDir::toNativeSeparators(path));
    emit pythonChosen(path);
}

void PartsRunDialog::startOrCancel()
{
    if (m_job)
        m_jobs.cancel(m_job);
    else
        start();
}

void PartsRunDialog::start()
{
    if (!m_document.isOpen())
        return;
    const Device* device = m_document.costs().device();
    static const QRegularExpression kSeparators(QStringLiteral("[\\s,;]+"));
    PartsRunRequest request{.source = m_document.snapshot(),
                            .modelPath = m_document.filePath(),
                            .tags = m_document.tags(),
                            .pythons = pythonsToTry(m_ui->python->text().trimmed()),
                            .torchDevice = m_ui->device->currentIndex() == 0 ? QString() : m_ui->device->currentText(),
                            .modules = m_ui->modules->text().split(kSeparators, Qt::SkipEmptyParts),
                            .device = device != nullptr ? std::optional(*device) : std::nullopt};
    m_run = nullptr;
    m_outputs->setRowCount(0);
    m_parts->setRowCount(0);
    m_ui->notes->clear();
    setRunning(true);
    say(tr("Exporting the parts…"), QStringLiteral("hint"));
    const JobId job = m_jobs.start<PartsRunPtr>(
        {.key = kRunPartsKey, .title = tr("Run parts in PyTorch")},
        [request = std::move(request)](ProgressMonitor& monitor) { return runPartsInTorch(request, monitor); }, this,
        [this](const Result<PartsRunPtr>& made) { take(made); });
    m_job = job;
}

void PartsRunDialog::showProgress(int row)
{
    const JobInfo& job = m_jobs.list()[static_cast<std::size_t>(row)];
    if (job.id != m_job || job.state != JobState::running || job.permille < 0)
        return;
    m_ui->progress->setValue(job.permille);
    if (!job.step.isEmpty())
        say(tr("%1…").arg(visible(job.step)), QStringLiteral("hint"));
}

void PartsRunDialog::setRunning(bool isRunning)
{
    m_ui->progress->setVisible(isRunning);
    m_ui->progress->setValue(0);
    m_ui->run->setText(isRunning ? tr("Stop") : tr("&Run"));
    for (QWidget* option : {static_cast<QWidget*>(m_ui->python), static_cast<QWidget*>(m_ui->choose),
                            static_cast<QWidget*>(m_ui->device), static_cast<QWidget*>(m_ui->modules)})
        option->setEnabled(!isRunning);
    m_ui->take->setEnabled(!isRunning && m_run && !m_run->costs.empty());
}

void PartsRunDialog::take(const Result<PartsRunPtr>& made)
{
    if (m_isOver)
        return;
    m_job = {};
    if (made)
        m_run = *made;
    setRunning(false);
    if (made) {
        show(**made);
    } else if (!isFault(made.error())) {
        say(tr("Stopped."), QStringLiteral("hint"));
    } else if (made.error().code == ErrorCode::unsupported && made.error().where.file.empty()) {
        say(tr("No usable Python: %1. Choose a Python with PyTorch.").arg(text(made.error().message)), QStringLiteral("error"));
        m_ui->choose->setFocus();
        return;
    } else {
        const QString message = linesOf(made.error().message);
        const QString first = message.section(QLatin1Char('\n'), 0, 0);
        say(tr("The parts were not run: %1%2").arg(first, first.endsWith(QLatin1Char('.')) ? QString() : QStringLiteral(".")),
            QStringLiteral("error"), message.section(QLatin1Char('\n'), 1));
    }
    m_ui->run->setFocus();
}

void PartsRunDialog::show(const PartsRun& run)
{
    for (const PartsRun::Output& output : run.outputs)
        addRow(*m_outputs,
               {output.name, output.type, output.isEqual ? tr("yes") : tr("no"), differenceText(output.largest),
                differenceText(output.relative)},
               output.why);
    for (const PartsRun::Part& part : run.parts) {
        const bool hasRatio = part.estimatedSeconds && *part.estimatedSeconds > 0;
        addRow(*m_parts,
               {part.name, part.device, secondsOf(part.seconds), secondsOf(part.estimatedSeconds),
                hasRatio ? tr("%1×").arg(part.seconds / *part.estimatedSeconds, 0, 'g', 3) : QString(), peakText(part.memory),
                peakText(part.estimatedMemory)});
    }
    m_ui->outputs->resizeColumnsToContents();
    m_ui->parts->resizeColumnsToContents();
    say(tr("%1 All parts take %2, the whole model %3.")
            .arg(sentence(run.agreement.section(QLatin1Char('\n'), 0, 0).toStdString()), text(formatSeconds(run.seconds)),
                 text(formatSeconds(run.wholeSeconds))),
        run.isEqual ? QStringLiteral("proven") : QStringLiteral("warning"), run.agreement.section(QLatin1Char('\n'), 1));
    QStringList notes = run.notes;
    notes += run.estimatedFor.isEmpty()
        ? tr("Estimated seconds need a device with rates and memory bandwidth in the Devices panel.")
        : tr("Estimated seconds: the cost model for %1.").arg(run.estimatedFor);
    notes += tr("Measured on %1 with %2 (%3).").arg(run.measuredOn, run.release, visible(QDir::toNativeSeparators(run.python)));
    m_ui->notes->setText(withShortWords(notes.join(QLatin1Char(' '))));
}

void PartsRunDialog::takeAsCosts()
{
    if (!m_run)
        return;
    m_document.costs().takeMeasured(m_run->costs, tr("run in PyTorch"));
    m_ui->take->setEnabled(false);
    say(tr("The measured seconds are the costs of the model now: in the colors, Balance, and Timeline."),
        QStringLiteral("proven"));
}

void PartsRunDialog::say(const QString& text, const QString& look, const QString& details)
{
    m_ui->state->setText(withShortWords(text));
    setLook(*m_ui->state, look);
    m_ui->details->setPlainText(details);
    m_ui->details->setVisible(!details.trimmed().isEmpty());
}

} // namespace sunder

#include "moc_parts_run_dialog.cpp"
