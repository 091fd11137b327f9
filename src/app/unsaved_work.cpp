#include "app/unsaved_work.h"

#include "diagnostics/logging.h"
#include "document/project_state.h"
#include "document/text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

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

} // namespace sunder
