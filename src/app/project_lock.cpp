#include "app/project_lock.h"

#include "app/cache_places.h"
#include "support/sha256.h"
#include "text/shown_text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

namespace sunder {
namespace {

/// Returns the lock file of a project; the same for all paths to it.
QString lockPathOf(const QString& project)
{
    const QFileInfo file(project);
    const QString folder = QFileInfo(file.absolutePath()).canonicalFilePath();
    const QString whole = file.exists() ? file.canonicalFilePath() : folder + QLatin1Char('/') + file.fileName();
    return cacheFolder(QStringLiteral("projects")) + QLatin1Char('/') + text(sha256(whole.toStdString()))
        + QStringLiteral(".lock");
}

} // namespace

bool ProjectLock::hold(const QString& project)
{
    if (project == m_project)
        return true;
    if (project.isEmpty()) {
        m_lock.reset();
        m_project.clear();
        return true;
    }
    Result<FileLock> lock = FileLock::take(lockPathOf(project).toStdString());
    if (!lock && lock.error().code == ErrorCode::refused)
        return false;
    m_project = project;
    m_lock.reset();
    if (lock) {
        lock->note(QDateTime::currentDateTime().toString(Qt::ISODate).toStdString());
        m_lock = std::move(*lock);
    }
    return true;
}

QString ProjectLock::openSince(const QString& project)
{
    const QDateTime when = QDateTime::fromString(text(FileLock::noteAt(lockPathOf(project).toStdString())), Qt::ISODate);
    return when.isValid() ? QLocale().toString(when, QLocale::ShortFormat) : QString();
}

} // namespace sunder
