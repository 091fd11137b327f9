#include "app/recovery_offer.h"

#include "app/autosave.h"
#include "diagnostics/logging.h"
#include "document/document.h"
#include "document/project_state.h"
#include "document/text.h"
#include "panels/notice_bar.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QUndoStack>

#include <utility>

namespace sunder {

std::vector<UnsavedWork> unsavedWorkIn(const QString& folder)
{
    std::vector<UnsavedWork> all;
    for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.sunder")}, QDir::Files, QDir::Time)) {
        const QString lockPath = file.absolutePath() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral(".lock");
        Result<FileLock> lock = FileLock::take(lockPath.toStdString());
        if (!lock)
            continue; // its session is still running
        Result<ProjectFile> project = readProjectFile(file.filePath().toStdString());
        if (!project) {
            qCWarning(logFiles, "%s", describe(project.error()).c_str());
            continue;
        }
        all.push_back({file.filePath(), std::move(*lock), std::move(*project)});
    }
    return all;
}

QString describe(const UnsavedWork& work)
{
    const auto nameOf = [](const QString& path) { return brief(visible(QFileInfo(path).fileName())); };
    QString what = nameOf(text(work.file.source.absolute));
    const UnsavedOrigin origin = work.file.unsaved.value_or(UnsavedOrigin{});
    if (!origin.project.empty())
        what = QObject::tr("%1 (%2)").arg(nameOf(exact(origin.project)), what);
    const QDateTime when = QDateTime::fromString(exact(origin.when), Qt::ISODate);
    if (when.isValid())
        what += QObject::tr(", %1").arg(QLocale().toString(when, QLocale::ShortFormat));
    return QObject::tr("%1: %2.").arg(what, holdsText(work.file));
}

RecoveryOffer::RecoveryOffer(NoticeBar& bar, Document& document, Autosave& autosave,
                             std::function<void(const QString& path)> open, QObject* parent)
    : QObject(parent), m_bar(bar), m_document(document), m_autosave(autosave), m_open(std::move(open))
{
    connect(&bar, &NoticeBar::chosen, this, &RecoveryOffer::choose);
    connect(&autosave, &Autosave::saved, this, &RecoveryOffer::takeAway);
    connect(&document.steps(), &QUndoStack::indexChanged, this, &RecoveryOffer::noteStep);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::opened))
            noteOther();
        else if (what.testFlag(Change::file) && !m_document.isModified())
            takeAway(); // saved before the next autosave
    });
}

void RecoveryOffer::offerFrom(const QString& folder)
{
    m_left = unsavedWorkIn(folder);
    show();
}

void RecoveryOffer::show()
{
    if (m_left.empty())
        return;
    QString list = describe(m_left.front());
    if (m_left.size() > 1)
        list += tr(" %n more to recover.", nullptr, static_cast<int>(m_left.size()) - 1);
    m_bar.show({.headline = tr("Sunder closed unexpectedly with unsaved work"),
                .text = list,
                .tip = {},
                .offers = {{tr("Re&cover"), tr("Open the unsaved work")},
                           {tr("&Discard"), tr("Delete the unsaved work")},
                           {tr("&Later"), tr("Keep it and ask again at the next start")}}});
}

void RecoveryOffer::choose(int offer)
{
    if (m_left.empty())
        return;
    enum { recover, discard };
    UnsavedWork work = std::move(m_left.front());
    m_left.erase(m_left.begin());
    if (offer == recover) {
        const QString path = work.path;
        m_recovering = std::move(work);
        m_isOpen = false;
        m_open(path);
        return;
    }
    if (offer == discard)
        QFile::remove(work.path);
    show();
}

/// Hides the offers while another document is open, and shows them again when it is closed.
void RecoveryOffer::noteOther()
{
    m_isOpen = false;
    if (!m_document.isOpen())
        show();
}

/// Deletes the recovered file, since its content is now in a file of this session.
void RecoveryOffer::takeAway()
{
    if (!m_recovering || !m_isOpen)
        return;
    QFile::remove(m_recovering->path);
    m_recovering.reset();
}

void RecoveryOffer::noteOpened(const QString& path)
{
    m_isOpen = m_recovering && m_recovering->path == path;
}

void RecoveryOffer::sayRecovered(const QString& text)
{
    const QUndoStack& steps = m_document.steps();
    m_offerText = text;
    m_stepEnd = steps.index();
    m_step = m_stepEnd > 0 ? steps.command(m_stepEnd - 1) : nullptr;
    m_isStepDone = true;
    emit messageEmitted(m_offerText, Change::tags | Change::devices | Change::notes);
}

void RecoveryOffer::noteStep()
{
    const QUndoStack& steps = m_document.steps();
    if (m_step == nullptr || steps.count() < m_stepEnd || steps.command(m_stepEnd - 1) != m_step) {
        m_step = nullptr;
        return;
    }
    const bool isDone = steps.index() >= m_stepEnd;
    if (std::exchange(m_isStepDone, isDone) || !isDone || !m_document.isModified())
        return;
    const auto repeatMessage = [this] {
        if (m_step != nullptr && m_isStepDone)
            emit messageEmitted(m_offerText, Change::tags | Change::devices | Change::notes);
    };
    // Queued: the changes of the step, which remove messages, are partly announced after the new index.
    QMetaObject::invokeMethod(this, repeatMessage, Qt::QueuedConnection);
}

} // namespace sunder

#include "moc_recovery_offer.cpp"
