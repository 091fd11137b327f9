#include "app/window_title.h"

#include "document/text.h"

#include <QFileInfo>

namespace sunder {
namespace {

/// Escapes "[*]", which Qt replaces by the modified marker.
QString inTitle(const QString& name)
{
    return brief(visible(name)).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
}

/// Returns the document name with a placeholder for the modified marker.
QString nameOf(const Document& document)
{
    const QString name = inTitle(document.displayName());
    // A project with another name than its model comes first, since it is the file that is saved.
    const QString project = document.hasProject() ? QFileInfo(document.tagsPath()).completeBaseName() : QString();
    if (!project.isEmpty() && project != document.displayName())
        return QObject::tr("%1[*] (%2)").arg(inTitle(project), name);
    if (document.programName().isEmpty())
        return QObject::tr("%1[*]").arg(name);
    return QObject::tr("%1[*] (%2)").arg(name, inTitle(QFileInfo(document.filePath()).fileName()));
}

} // namespace

QString windowTitleOf(const Document& document, bool isAwaited)
{
    if (!document.isOpen())
        return QObject::tr("Sunder");
    const QString shown = isAwaited ? QObject::tr("%1 · closing passes its tags to the script — Sunder")
                                    : QObject::tr("%1 — Sunder");
    return shown.arg(nameOf(document));
}

} // namespace sunder
