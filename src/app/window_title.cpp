#include "app/window_title.h"

#include "document/text.h"

#include <QFileInfo>

namespace sunder {
namespace {

/// "[*]" in a title stands for the mark of what is not saved.
QString inTitle(const QString& name)
{
    return brief(visible(name)).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));
}

} // namespace

QString windowTitleOf(const Document& document)
{
    if (!document.isOpen())
        return QObject::tr("Sunder");
    const QString name = inTitle(document.displayName());
    // A project that is called otherwise than its model comes first: it is what is saved.
    const QString project = document.hasProject() ? QFileInfo(document.tagsPath()).completeBaseName() : QString();
    if (!project.isEmpty() && project != document.displayName())
        return QObject::tr("%1[*] (%2) — Sunder").arg(inTitle(project), name);
    if (document.programName().isEmpty())
        return QObject::tr("%1[*] — Sunder").arg(name);
    return QObject::tr("%1[*] (%2) — Sunder").arg(name, inTitle(QFileInfo(document.filePath()).fileName()));
}

} // namespace sunder
