#include "dialogs/export_dialog.h"

#include "dialogs/export_options.h"
#include "dialogs/ui_export_dialog.h"
#include "document/text.h"
#include "models/look.h"
#include "support/file.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QString>
#include <QUrl>

#include <algorithm>
#include <functional>

namespace sunder {
namespace {

/// Shows a folder in the desktop's file manager. If there is none or it fails, calls `failed`, possibly later, as long as
/// `context` exists. Never blocks.
void openFolder(const QString& folder, QObject* context, const std::function<void()>& failed)
{
    // QDesktopServices also starts xdg-open, but does not report whether that found a file manager.
    const QString opener = QStandardPaths::findExecutable(QStringLiteral("xdg-open"));
    if (opener.isEmpty()) {
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
            failed();
        return;
    }
    auto* process = new QProcess; // no parent: the file manager may outlive the window
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(QProcess::nullDevice());
    QObject::connect(process, &QProcess::finished, context, [failed](int status, QProcess::ExitStatus how) {
        if (how != QProcess::NormalExit || status != 0)
            failed();
    });
    QObject::connect(process, &QProcess::errorOccurred, context, [failed, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater(); // finished() will not be emitted
        failed();
    });
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->start(opener, {folder});
}

constexpr qsizetype kMaxNames = 8;

/// Returns the number of bytes above which the user must confirm the size by pressing the button again.
std::uint64_t mostUnasked()
{
    constexpr qulonglong kUsual = 4'000'000'000;
    return QSettings().value(QStringLiteral("export/askAboveBytes"), kUsual).toULongLong();
}

} // namespace

ExportDialog::ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)), m_jobs(jobs), m_ui(std::make_unique<Ui::ExportDialog>())
{
    m_ui->setupUi(this);
    setWindowTitle(tr("Export %1").arg(brief(visible(m_subject.name))));
    m_ui->what->setMinimumHeight(m_ui->what->fontMetrics().height() * 3);
    m_ui->progress->hide();
    m_ui->openFolder->hide();
    m_ui->exports->setSubject(m_subject);
    m_ui->options->setSubject(m_subject);
    connect(m_ui->exports, &ExportList::formatChanged, this, &ExportDialog::formatChanged);
    connect(m_ui->options, &ExportOptions::suffixChanged, this, &ExportDialog::suffixChanged);
    connect(m_ui->browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_ui->path, &QLineEdit::textEdited, this, &ExportDialog::pathEdited);
    connect(m_ui->exportButton, &QPushButton::clicked, this, &ExportDialog::accept);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_ui->againButton, &QPushButton::clicked, this, [this] {
        const RunResult old = outdated();
        if (!old)
            return;
        setStatus(tr("Repeating the cut…"), QStringLiteral("hint"));
        emit cutAgainRequested(old);
    });
    connect(&m_jobs, &Jobs::changed, this, &ExportDialog::showProgress);
    m_ui->copyPath->hide();
    m_ui->command->hide();
    m_ui->copyCommand->hide();
    connect(m_ui->openFolder, &QPushButton::clicked, this, &ExportDialog::openFolder);
    connect(m_ui->copyPath, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QDir::toNativeSeparators(m_writtenFolder)); });
    connect(m_ui->copyCommand, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_ui->command->text()); });
    m_ui->exports->setUsualFormat();
}

ExportDialog::~ExportDialog() = default;

QPushButton& ExportDialog::exportButton()
{
    return *m_ui->exportButton;
}

ExportList& ExportDialog::list()
{
    return *m_ui->exports;
}

ExportOptions& ExportDialog::options()
{
    return *m_ui->options;
}

void ExportDialog::pathEdited(const QString& text)
{
    path() = text;
    refresh(); // makes Export the default button again
}

const ExportFormat& ExportDialog::format() const
{
    return m_ui->exports->format();
}

void ExportDialog::setFormat(const QString& id)
{
    m_ui->exports->setFormat(id);
}

void ExportDialog::setPath(const QString& text)
{
    path() = text;
    m_ui->path->setText(text);
    refresh();
}

QString ExportDialog::statusText() const
{
    return m_ui->status->text();
}

void ExportDialog::proposePath()
{
    if (path().isEmpty())
        path() = m_subject.folder + QLatin1Char('/') + m_subject.name + format().ending;
    m_ui->path->setText(QDir::toNativeSeparators(path()));
}

/// Replaces the suffix of the path.
void ExportDialog::suffixChanged()
{
    QString& text = path();
    for (const QString& suffix : m_ui->options->suffixes())
        if (text.endsWith(suffix, Qt::CaseInsensitive)) {
            text.chop(suffix.size());
            break;
        }
    text += m_ui->options->suffix();
    formatChanged();
}

void ExportDialog::formatChanged()
{
    if (m_ui->exports->currentRow() < 0)
        return;
    m_ui->title->setText(format().title);
    m_ui->what->setText(format().what);
    m_ui->pathLabel->setText(format().filter.isEmpty() ? tr("Fol&der") : tr("F&ile"));
    m_ui->options->setFormat(format());
    const int labels = std::max(m_ui->options->labelWidth(), m_ui->pathLabel->sizeHint().width());
    m_ui->options->setLabelWidth(labels);
    m_ui->pathLabel->setMinimumWidth(labels); // aligned with the fields above
    hideSuggestions();
    proposePath();
    refresh();
}

RunResult ExportDialog::outdated() const
{
    for (const ShownResult& shown : m_subject.results)
        if (format().of == shown.result->kind && !shown.isCurrent)
            return shown.result;
    return nullptr;
}

void ExportDialog::setSubject(ExportSubject subject)
{
    if (m_job)
        return;
    const QString id = format().id;
    m_subject = std::move(subject);
    m_ui->exports->setSubject(m_subject);
    m_ui->options->setSubject(m_subject);
    m_ui->exports->setUsualFormat();
    setFormat(id);
    formatChanged();
}

QPushButton& ExportDialog::againButton()
{
    return *m_ui->againButton;
}

/// If the input of a result has changed, makes repeating it the default instead of exporting it.
void ExportDialog::showDefault()
{
    const RunResult old = outdated();
    m_ui->againButton->setVisible(old != nullptr);
    if (old)
        m_ui->againButton->setText(old->pass == QLatin1String("split") ? tr("Split again") : tr("Partition again"));
    (old ? m_ui->againButton : m_ui->exportButton)->setDefault(true);
}

void ExportDialog::refresh()
{
    m_isAgreed = false;
    m_ui->exportButton->setText(tr("Export"));
    const QString why = refusalOf(request());
    if (!why.isEmpty())
        setStatus(why, QStringLiteral("error"));
    else if (outdated())
        setStatus(tr("Tags, devices, or assumed sizes have changed since this cut was made. Export writes the old cut."),
                  QStringLiteral("warning"));
    else
        setStatus({}, QStringLiteral("hint"));
    m_ui->exportButton->setEnabled(why.isEmpty() && !m_ui->path->text().trimmed().isEmpty());
    showDefault();
}

void ExportDialog::setStatus(const QString& text, const QString& look)
{
    setLook(*m_ui->status, look);
    QStringList lines = text.split(QLatin1Char('\n')); // the text is ours; names in it are already displayable
    for (QString& line : lines)
        line = withShortWords(visible(line));
    m_ui->status->setText(lines.join(QLatin1Char('\n')));
}

void ExportDialog::browse()
{
    const QString now = typedPath(m_ui->path->text());
    const QString chosen = format().filter.isEmpty()
        ? QFileDialog::getExistingDirectory(this, tr("Folder for the parts"), QFileInfo(now).absolutePath())
        : QFileDialog::getSaveFileName(this, format().title, now, format().filter);
    if (!chosen.isEmpty())
        setPath(chosen);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest request{.format = format().id,
                          .path = typedPath(m_ui->path->text()),
                          .source = m_subject.source,
                          .tags = m_subject.tags,
                          .schedule = m_subject.schedule};
    for (const ShownResult& shown : m_subject.results)
        request.results.push_back(shown.result);
    m_ui->options->fill(request);
    return request;
}

void ExportDialog::accept()
{
    if (!m_ui->exportButton->isEnabled())
        return;
    if (format().size != nullptr && !m_isAgreed)
        measure();
    else
        write();
}

void ExportDialog::begin(const QString& status)
{
    m_ui->exportButton->setEnabled(false);
    m_ui->againButton->setEnabled(false);
    hideSuggestions();
    m_ui->exports->setEnabled(false);
    m_ui->closeButton->setText(tr("Cancel"));
    m_ui->progress->setMaximum(0); // indeterminate
    m_ui->progress->show();
    setStatus(status, QStringLiteral("hint"));
}

/// Hides the actions for written files.
void ExportDialog::hideSuggestions()
{
    for (QWidget* offer : std::initializer_list<QWidget*>{m_ui->openFolder, m_ui->copyPath, m_ui->command, m_ui->copyCommand})
        offer->hide();
}

void ExportDialog::openFolder()
{
    sunder::openFolder(m_writtenFolder, this, [this] {
        setStatus(tr("No file manager was found. The folder is %1").arg(visible(QDir::toNativeSeparators(m_writtenFolder))),
                  QStringLiteral("warning"));
    });
}

void ExportDialog::end()
{
    m_job = {};
    m_ui->progress->hide();
    m_ui->exports->setEnabled(true);
    m_ui->closeButton->setText(tr("Close"));
    m_ui->exportButton->setEnabled(true);
    m_ui->againButton->setEnabled(true);
}

void ExportDialog::measure()
{
    begin(tr("Estimating size…"));
    m_job = m_jobs.start<std::uint64_t>(
        {.key = QStringLiteral("export"), .title = tr("Estimate size of %1").arg(m_subject.name), .quiet = true},
        [request = request(), size = format().size](ProgressMonitor&) { return size(request); }, this,
        [this](const Result<std::uint64_t>& bytes) { measured(bytes); });
}

void ExportDialog::measured(const Result<std::uint64_t>& bytes)
{
    end();
    if (!bytes)
        return showFailure(bytes.error());
    const QString folder = request().path;
    if (const Result<void> room = checkFreeSpace(folder.toStdString(), *bytes, "the parts"); !room)
        return showFailure(room.error());
    if (*bytes <= mostUnasked())
        return write();
    const std::optional<std::uint64_t> free = freeSpaceAt(folder.toStdString());
    const QString place = visible(QDir::toNativeSeparators(folder));
    setStatus(free ? tr("This writes about %1 to %2, where %3 are free.").arg(bytesText(*bytes), place, bytesText(*free))
                   : tr("This writes about %1 to %2.").arg(bytesText(*bytes), place),
              QStringLiteral("warning"));
    m_ui->exportButton->setText(tr("Write %1").arg(bytesText(*bytes)));
    m_isAgreed = true;
}

void ExportDialog::write()
{
    begin(tr("Writing…"));
    m_job = m_jobs.start<ExportedFiles>(
        {.key = QStringLiteral("export"), .title = tr("Export %1").arg(m_subject.name), .leavesFiles = true},
        [request = request()](ProgressMonitor& monitor) { return runExport(request, monitor); }, this,
        [this](const Result<ExportedFiles>& written) { finished(written); });
}

void ExportDialog::showProgress(int row)
{
    const JobInfo& info = m_jobs.list()[static_cast<std::size_t>(row)];
    if (!m_job || info.id != m_job || info.state != JobState::running || info.permille < 0)
        return;
    constexpr int kWhole = 1000;
    m_ui->progress->setMaximum(kWhole);
    m_ui->progress->setValue(info.permille);
    if (!info.step.isEmpty())
        setStatus(tr("Writing… %1").arg(info.step), QStringLiteral("hint"));
}

void ExportDialog::showFailure(const Error& error)
{
    // sentence() would change the case of a path
    const QString why = error.where.file.empty() ? sentence(describe(error)) : text(describe(error));
    if (!isFault(error))
        return setStatus(tr("Nothing was written."), QStringLiteral("hint"));
    setStatus(tr("Nothing was written. %1").arg(why), QStringLiteral("error"));
    emit message(m_ui->status->text());
}

void ExportDialog::finished(const Result<ExportedFiles>& written)
{
    end();
    m_isAgreed = false;
    m_ui->exportButton->setText(tr("Export"));
    if (!written) {
        showFailure(written.error());
        if (written.error().code == ErrorCode::io)
            setStatus(
                tr("%1\nChoose another place, or make room or allow writing there and export again.").arg(m_ui->status->text()),
                QStringLiteral("error"));
        return;
    }
    m_writtenFolder = written->folder;
    QStringList names;
    for (const QString& file : written->files.mid(0, kMaxNames))
        names << visible(QFileInfo(file).fileName());
    if (written->files.size() > kMaxNames)
        names << tr("and %1 more").arg(written->files.size() - kMaxNames);
    const QString wrote = tr("Wrote %1 to %2")
                              .arg(countText(static_cast<std::uint64_t>(written->files.size()), "file"),
                                   visible(QDir::toNativeSeparators(written->folder)));
    setStatus(QStringLiteral("%1:\n%2\n%3").arg(wrote, names.join(QStringLiteral(", ")), written->note).trimmed(),
              QStringLiteral("proven"));
    m_ui->openFolder->show();
    m_ui->copyPath->show();
    m_ui->command->setText(written->command);
    m_ui->command->setCursorPosition(0);
    m_ui->command->setVisible(!written->command.isEmpty());
    m_ui->copyCommand->setVisible(!written->command.isEmpty());
    m_ui->closeButton->setDefault(true);
    // Parts have their own folder, so the next export goes next to it.
    emit this->written(format().filter.isEmpty() ? QFileInfo(written->folder).absolutePath() : written->folder);
    emit message(tr("%1.").arg(wrote));
}

void ExportDialog::reject()
{
    if (m_job) { // the button is "Cancel" now
        m_jobs.cancel(m_job);
        return;
    }
    QDialog::reject();
}

} // namespace sunder

#include "moc_export_dialog.cpp"
