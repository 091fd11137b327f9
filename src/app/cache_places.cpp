#include "app/cache_places.h"

#include <QDir>
#include <QStandardPaths>

namespace sunder {

QString cacheFolder(const QString& name)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QLatin1Char('/') + name;
    QDir().mkpath(folder);
    return folder;
}

} // namespace sunder
