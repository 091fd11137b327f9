#include "dialogs/export_dialog.h"

#include "dialogs/export_list.h"
#include "dialogs/export_options.h"
#include "document/text.h"
#include "models/look.h"
#include "support/format.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>

namespace sunder {

namespace {

constexpr qsizetype kMostNames = 8;

} // namespace

ExportDialog::ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)), m_jobs(jobs), m_kinds(new ExportList(m_subject, this)),
      m_title(new QLabel(this)), m_what(new QLabel(this)), m_options(new ExportOptions(m_subject, this)),
      m_pathLabel(new QLabel(this)), m_path(new QLineEdit(this)), m_status(new QLabel(this)),
      m_progress(new QProgressBar(this)), m_export(new QPushButton(tr("Export"), this)),
      m_close(new QPushButton(tr("Close"), this)), m_folder(new QPushButton(tr("Open folder"), this))
{
    setWindowTitle(tr("Export %1").arg(brief(visible(m_subject.name))));
    resize(720, 456);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    m_kinds->setFixedWidth(216);
    columns->addWidget(m_kinds);
    columns->addWidget(makeRight(), 1);
    connect(m_kinds, &ExportList::kindChanged, this, &ExportDialog::kindChanged);
    connect(m_options, &ExportOptions::suffixChanged, this, &ExportDialog::suffixChanged);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::accept);
    connect(m_close, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_folder, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_writtenFolder)); });
    m_kinds->setKind(m_subject.outcome      ? ExportKind::parts
                         : m_subject.unflattened ? ExportKind::unflattened
                         : m_subject.regions     ? ExportKind::regions
                                                 : ExportKind::tags);
}

QWidget* ExportDialog::makeRight()
{
    auto* holder = new QWidget(this);
    auto* right = new QVBoxLayout(holder);
    right->setContentsMargins(20, 16, 20, 16);
    right->setSpacing(12);
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_what->setWordWrap(true);
    setLook(*m_what, QStringLiteral("hint"));
    m_what->setMinimumHeight(m_what->fontMetrics().height() * 3);
    m_what->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_status->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_status->setAccessibleName(tr("What came of it"));
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 0);
    m_progress->hide();
    m_folder->hide();
    m_export->setDefault(true);
    right->addWidget(m_title);
    right->addWidget(m_what);
    right->addWidget(m_options);
    right->addWidget(makePathRow());
    right->addWidget(m_status, 1);
    right->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_folder);
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_export);
    right->addLayout(buttons);
    return holder;
}

QWidget* ExportDialog::makePathRow()
{
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_path->setAccessibleName(tr("Where to"));
    m_pathLabel->setBuddy(m_path);
    m_pathLabel->setMinimumWidth(QLabel(tr("&Format")).sizeHint().width()); // in line with the fields above
    auto* browse = new QPushButton(tr("Browse…"), holder);
    browse->setAutoDefault(false);
    row->addWidget(m_pathLabel);
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_path, &QLineEdit::textEdited, this, [this](const QString& text) {
        path() = text;
        m_export->setDefault(true); // Return writes again, there
        refresh();
    });
    return holder;
}

ExportKind ExportDialog::kind() const
{
    return m_kinds->kind();
}

void ExportDialog::setKind(ExportKind kind)
{
    m_kinds->setKind(kind);
}

void ExportDialog::setPath(const QString& text)
{
    path() = text;
    m_path->setText(text);
    refresh();
}

QString ExportDialog::statusText() const
{
    return m_status->text();
}

void ExportDialog::proposePath()
{
    if (path().isEmpty())
        path() = m_subject.folder + QLatin1Char('/') + m_subject.name + textOf(kind()).ending;
    m_path->setText(QDir::toNativeSeparators(path()));
}

/// Another format: the path that is there gets its suffix.
void ExportDialog::suffixChanged()
{
    QString& text = path();
    for (const QString& suffix : m_options->suffixes())
        if (text.endsWith(suffix, Qt::CaseInsensitive)) {
            text.chop(suffix.size());
            break;
        }
    text += m_options->suffix();
    kindChanged();
}

void ExportDialog::kindChanged()
{
    if (m_kinds->currentRow() < 0)
        return;
    m_title->setText(textOf(kind()).title);
    m_what->setText(textOf(kind()).what);
    m_pathLabel->setText(textOf(kind()).filter.isEmpty() ? tr("Fol&der") : tr("F&ile"));
    m_options->setKind(kind());
    m_folder->hide();
    m_export->setDefault(true);
    proposePath();
    refresh();
}

bool ExportDialog::isOfCut() const
{
    return kind() <= ExportKind::names;
}

void ExportDialog::refresh()
{
    const QString why = refusalOf(request());
    if (!why.isEmpty())
        setStatus(why, QStringLiteral("error"));
    else if (isOfCut() && !m_subject.outcomeIsCurrent)
        setStatus(tr("This is the cut as it was made: the tags or the devices have changed since. Cut again to export them as "
                     "they are now."),
                  QStringLiteral("warning"));
    else
        setStatus({}, QStringLiteral("hint"));
    m_export->setEnabled(why.isEmpty() && !m_path->text().trimmed().isEmpty());
}

void ExportDialog::setStatus(const QString& text, const QString& look)
{
    setLook(*m_status, look);
    m_status->setText(withShortWords(visible(text)));
}

void ExportDialog::browse()
{
    const QString now = m_path->text();
    const ExportKindText& text = textOf(kind());
    const QString chosen = text.filter.isEmpty()
        ? QFileDialog::getExistingDirectory(this, tr("Folder for the parts"), QFileInfo(now).absolutePath())
        : QFileDialog::getSaveFileName(this, text.title, now, text.filter);
    if (!chosen.isEmpty())
        setPath(chosen);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest request{.kind = kind(),
                          .path = QDir::current().absoluteFilePath(QDir::fromNativeSeparators(m_path->text().trimmed())),
                          .source = m_subject.source,
                          .tags = m_subject.tags,
                          .outcome = m_subject.outcome,
                          .unflattened = m_subject.unflattened,
                          .regions = m_subject.regions};
    m_options->fill(request);
    return request;
}

void ExportDialog::accept()
{
    if (!m_export->isEnabled())
        return;
    m_export->setEnabled(false);
    m_folder->hide();
    m_kinds->setEnabled(false);
    m_close->setText(tr("Cancel"));
    m_progress->show();
    setStatus(tr("Writing …"), QStringLiteral("hint"));
    m_job = m_jobs.start<ExportedFiles>(
        {.key = QStringLiteral("export"), .title = tr("Export %1").arg(m_subject.name)},
        [request = request()](ProgressMonitor& monitor) { return runExport(request, monitor); }, this,
        [this](const Result<ExportedFiles>& written) { finished(written); });
}

void ExportDialog::finished(const Result<ExportedFiles>& written)
{
    m_job = {};
    m_progress->hide();
    m_kinds->setEnabled(true);
    m_close->setText(tr("Close"));
    m_export->setEnabled(true);
    if (!written) {
        const bool cancelled = written.error().code == ErrorCode::cancelled;
        setStatus(cancelled ? tr("Cancelled; nothing was written.")
                            : tr("Nothing was written. %1").arg(text(describe(written.error()))),
                  cancelled ? QStringLiteral("hint") : QStringLiteral("error"));
        emit message(m_status->text());
        return;
    }
    m_writtenFolder = written->folder;
    QStringList names;
    for (const QString& file : written->files.mid(0, kMostNames))
        names << QFileInfo(file).fileName();
    if (written->files.size() > kMostNames)
        names << tr("and %1 more").arg(written->files.size() - kMostNames);
    setStatus(tr("Wrote %1 to %2:\n%3\n%4")
                  .arg(text(formatCount(static_cast<std::uint64_t>(written->files.size()), "file")),
                       QDir::toNativeSeparators(written->folder), names.join(QStringLiteral(", ")), written->note),
              QStringLiteral("proven"));
    m_folder->show();
    m_close->setDefault(true);
    // Parts make a folder of their own: the next ones go beside it.
    emit this->written(kind() == ExportKind::parts ? QFileInfo(written->folder).absolutePath() : written->folder);
    emit message(m_status->text().replace(QLatin1Char('\n'), QLatin1Char(' ')));
}

void ExportDialog::reject()
{
    if (m_job) { // the button says "Cancel" now
        m_jobs.cancel(m_job);
        return;
    }
    QDialog::reject();
}

} // namespace sunder
