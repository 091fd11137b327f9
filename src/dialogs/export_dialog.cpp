#include "dialogs/export_dialog.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "support/format.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>

namespace sunder {

namespace {

struct KindText {
    const char* icon;
    const char* title;
    const char* what;
};

constexpr KindText kKinds[] = {
    {"parts", QT_TRANSLATE_NOOP("ExportDialog", "Parts that run"),
     QT_TRANSLATE_NOOP("ExportDialog", "Every part as a model of its own that PyTorch loads, weights included, and a "
                                       "manifest.json with inputs, outputs and the order of calls.")},
    {"graph", QT_TRANSLATE_NOOP("ExportDialog", "Split graph"),
     QT_TRANSLATE_NOOP("ExportDialog", "The main graph and all parts in one fx-json file. It opens here again.")},
    {"tags", QT_TRANSLATE_NOOP("ExportDialog", "Tags"),
     QT_TRANSLATE_NOOP("ExportDialog", "Which op has which tag, in order, as JSON: for sunder-cli and for scripts.")},
    {"picture", QT_TRANSLATE_NOOP("ExportDialog", "Picture"),
     QT_TRANSLATE_NOOP("ExportDialog", "The source graph as it is drawn now, with its tags.")},
};

} // namespace

ExportDialog::ExportDialog(ExportSubject subject, Jobs& jobs, QWidget* parent)
    : QDialog(parent), m_subject(std::move(subject)), m_jobs(jobs), m_kinds(new QListWidget(this)),
      m_what(new QLabel(this)), m_status(new QLabel(this)), m_progress(new QProgressBar(this)),
      m_export(new QPushButton(tr("Export"), this)), m_close(new QPushButton(tr("Close"), this)),
      m_folder(new QPushButton(tr("Open folder"), this))
{
    setWindowTitle(tr("Export %1").arg(m_subject.name));
    resize(660, 400);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    m_kinds->setFixedWidth(176);
    m_kinds->setIconSize({16, 16});
    m_kinds->setSpacing(4);
    m_kinds->setAccessibleName(tr("What to export"));
    for (const KindText& text : kKinds)
        m_kinds->addItem(new QListWidgetItem(themedIcon(QLatin1String(text.icon)), tr(text.title)));
    columns->addWidget(m_kinds);

    auto* right = new QVBoxLayout;
    right->setContentsMargins(20, 16, 20, 16);
    right->setSpacing(12);
    m_what->setWordWrap(true);
    m_what->setObjectName(QStringLiteral("hint"));
    m_what->setMinimumHeight(m_what->fontMetrics().height() * 3);
    m_what->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    right->addWidget(m_what);
    right->addWidget(makeForm());
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_status->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    right->addWidget(m_status, 1);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 0);
    m_progress->hide();
    right->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_folder);
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_export);
    right->addLayout(buttons);
    columns->addLayout(right, 1);
    m_folder->hide();
    m_export->setDefault(true);

    connect(m_kinds, &QListWidget::currentRowChanged, this, &ExportDialog::kindChanged);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::accept);
    connect(m_close, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_folder, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_writtenFolder)); });
    const bool parts = m_subject.outcome && m_subject.outcomeIsCurrent;
    m_kinds->setCurrentRow(static_cast<int>(parts ? ExportKind::parts : ExportKind::tags));
}

QWidget* ExportDialog::makeForm()
{
    auto* holder = new QWidget(this);
    auto* form = new QGridLayout(holder);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(8);
    form->setColumnStretch(1, 1);
    m_format = new QComboBox(holder);
    m_format->addItem(tr("SVG, sharp at any size"), QStringLiteral(".svg"));
    m_format->addItem(tr("PNG, pixels"), QStringLiteral(".png"));
    m_format->addItem(tr("PDF, one page"), QStringLiteral(".pdf"));
    m_area = new QComboBox(holder);
    m_area->addItems({tr("The whole graph"), tr("What the window shows")});
    m_scale = new QSpinBox(holder);
    m_scale->setRange(1, 8);
    m_scale->setValue(2);
    m_scale->setSuffix(tr(" × 100 %"));
    const std::pair<QString, QWidget*> rows[] = {{tr("&Format"), m_format}, {tr("&Area"), m_area}, {tr("&Scale"), m_scale}};
    int line = 0;
    for (const auto& [title, field] : rows) {
        auto* label = new QLabel(title, holder);
        label->setBuddy(field);
        form->addWidget(label, line, 0);
        form->addWidget(field, line, 1);
        m_pictureRows[static_cast<std::size_t>(line) * 2] = label;
        m_pictureRows[static_cast<std::size_t>(line) * 2 + 1] = field;
        ++line;
    }
    m_pathLabel = new QLabel(holder);
    m_path = new QLineEdit(holder);
    m_path->setAccessibleName(tr("Where to"));
    m_pathLabel->setBuddy(m_path);
    auto* browse = new QPushButton(tr("Browse…"), holder);
    browse->setAutoDefault(false);
    form->addWidget(m_pathLabel, line, 0);
    form->addWidget(m_path, line, 1);
    form->addWidget(browse, line, 2);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_path, &QLineEdit::textEdited, this, [this](const QString& path) {
        m_paths[static_cast<std::size_t>(kind())] = path;
        refresh();
    });
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        QString& path = m_paths[static_cast<std::size_t>(ExportKind::picture)];
        for (const char* suffix : {".svg", ".png", ".pdf"})
            if (path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive))
                path.chop(4);
        path += pictureSuffix();
        kindChanged();
    });
    return holder;
}

ExportKind ExportDialog::kind() const
{
    return static_cast<ExportKind>(std::clamp(m_kinds->currentRow(), 0, 3));
}

void ExportDialog::setKind(ExportKind kind)
{
    m_kinds->setCurrentRow(static_cast<int>(kind));
}

void ExportDialog::setPath(const QString& path)
{
    m_paths[static_cast<std::size_t>(kind())] = path;
    m_path->setText(path);
    refresh();
}

QString ExportDialog::statusText() const
{
    return m_status->text();
}

QString ExportDialog::pictureSuffix() const
{
    return m_format->currentData().toString();
}

void ExportDialog::proposePath()
{
    QString& path = m_paths[static_cast<std::size_t>(kind())];
    if (path.isEmpty()) {
        const QString stem = m_subject.folder + QLatin1Char('/') + m_subject.name;
        switch (kind()) {
        case ExportKind::parts: path = stem + QStringLiteral("-parts"); break;
        case ExportKind::graph: path = stem + QStringLiteral("-split.fxj"); break;
        case ExportKind::tags: path = stem + QStringLiteral(".tags.json"); break;
        case ExportKind::picture: path = stem + pictureSuffix(); break;
        }
    }
    m_path->setText(QDir::toNativeSeparators(path));
}

void ExportDialog::kindChanged()
{
    if (m_path == nullptr || m_kinds->currentRow() < 0)
        return;
    m_what->setText(tr(kKinds[static_cast<std::size_t>(kind())].what));
    m_pathLabel->setText(kind() == ExportKind::parts ? tr("Fol&der") : tr("F&ile"));
    for (QWidget* widget : m_pictureRows)
        widget->setVisible(kind() == ExportKind::picture);
    m_scale->setEnabled(pictureSuffix() == QLatin1String(".png"));
    m_folder->hide();
    proposePath();
    refresh();
}

QString ExportDialog::refusal() const
{
    if (kind() == ExportKind::parts || kind() == ExportKind::graph) {
        if (!m_subject.outcome)
            return tr("There is nothing split yet: close this, split (Ctrl+Return), then export.");
        if (!m_subject.outcomeIsCurrent)
            return tr("The tags have changed since the split: close this, split again (Ctrl+Return), then export.");
    }
    if (kind() == ExportKind::parts)
        return refusalOfParts(*m_subject.outcome);
    if (kind() == ExportKind::picture && (!m_subject.picture || m_subject.picture->items.empty()))
        return tr("The graph is still being drawn.");
    return {};
}

void ExportDialog::refresh()
{
    const QString why = refusal();
    setStatus(why, QStringLiteral("error"));
    m_export->setEnabled(why.isEmpty() && !m_path->text().trimmed().isEmpty());
}

void ExportDialog::setStatus(const QString& text, const QString& look)
{
    m_status->setObjectName(look);
    m_status->style()->unpolish(m_status);
    m_status->style()->polish(m_status);
    m_status->setText(text);
}

void ExportDialog::browse()
{
    const QString now = m_path->text();
    QString path;
    switch (kind()) {
    case ExportKind::parts:
        path = QFileDialog::getExistingDirectory(this, tr("Folder for the parts"), QFileInfo(now).absolutePath());
        break;
    case ExportKind::graph:
        path = QFileDialog::getSaveFileName(this, tr("Split graph"), now, tr("fx-json (*.fxj *.fxj.gz)"));
        break;
    case ExportKind::tags: path = QFileDialog::getSaveFileName(this, tr("Tags"), now, tr("Tags (*.json)")); break;
    case ExportKind::picture:
        path = QFileDialog::getSaveFileName(this, tr("Picture"), now, tr("Pictures (*%1)").arg(pictureSuffix()));
        break;
    }
    if (!path.isEmpty())
        setPath(path);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest request{.kind = kind(),
                          .path = QDir::current().absoluteFilePath(QDir::fromNativeSeparators(m_path->text().trimmed())),
                          .source = m_subject.source,
                          .outcome = m_subject.outcome,
                          .tags = m_subject.tags,
                          .picture = m_subject.picture,
                          .style = m_subject.style};
    if (request.kind == ExportKind::picture) {
        request.pictureOptions.title = m_subject.name;
        if (pictureSuffix() == QLatin1String(".png"))
            request.pictureOptions.scale = m_scale->value();
        if (m_area->currentIndex() == 1)
            request.pictureOptions.area = m_subject.seen;
    }
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
    for (const QString& file : written->files.mid(0, 8))
        names << QFileInfo(file).fileName();
    if (written->files.size() > 8)
        names << tr("and %1 more").arg(written->files.size() - 8);
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
