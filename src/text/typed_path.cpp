#include "text/typed_path.h"

#include <QDir>

namespace sunder {

QString typedPath(const QString& typed)
{
    QString path = QDir::fromNativeSeparators(typed.trimmed());
    if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/")))
        path = QDir::homePath() + path.mid(1);
    return QDir::current().absoluteFilePath(path);
}

} // namespace sunder
