#include "dialogs/open_folder.h"

#include <QDesktopServices>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

namespace sunder {

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

} // namespace sunder
