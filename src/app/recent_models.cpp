#include "app/recent_models.h"

#include <QSettings>
#include <QVariant>

namespace sunder {
namespace {

constexpr int kRecent = 8;
const QString kModels = QStringLiteral("recent");
const QString kPrograms = QStringLiteral("programs");

} // namespace

QStringList recentModels()
{
    return QSettings().value(kModels).toStringList();
}

void rememberModel(const QString& path)
{
    QStringList recent = recentModels();
    recent.removeAll(path);
    recent.prepend(path);
    QSettings().setValue(kModels, recent.mid(0, kRecent));
}

bool forgetModel(const QString& path)
{
    QStringList recent = recentModels();
    if (recent.removeAll(path) == 0)
        return false;
    QSettings().setValue(kModels, recent);
    return true;
}

QString rememberedProgram(const QString& path)
{
    return QSettings().value(kPrograms).toMap().value(path).toString();
}

void rememberProgram(const QString& path, const QString& program)
{
    const QVariantMap before = QSettings().value(kPrograms).toMap();
    QVariantMap kept;
    for (const QString& recent : recentModels())
        if (before.contains(recent))
            kept.insert(recent, before.value(recent));
    kept.insert(path, program);
    QSettings().setValue(kPrograms, kept);
}

} // namespace sunder
