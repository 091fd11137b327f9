#include "app/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QObject>

namespace sunder {
namespace {

QString descriptionOf(const QString& stem)
{
    if (stem == QLatin1String("transformer"))
        return QObject::tr("a small decoder with attention");
    if (stem == QLatin1String("residual_cnn"))
        return QObject::tr("convolutions with skip connections");
    if (stem == QLatin1String("unet"))
        return QObject::tr("encoder and decoder with skip connections");
    return {};
}

QString titleOf(const QString& stem)
{
    if (stem == QLatin1String("unet"))
        return QStringLiteral("U-Net");
    if (stem == QLatin1String("residual_cnn"))
        return QStringLiteral("Residual CNN");
    QString title = stem;
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    return title.left(1).toUpper() + title.mid(1);
}

} // namespace

std::vector<Sample> sampleModels()
{
    std::vector<Sample> samples;
    const QDir folder(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/sunder/samples"));
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("*.pt2"), QStringLiteral("*.fxj")}, QDir::Files | QDir::Readable, QDir::Name))
        samples.push_back({file.canonicalFilePath(), titleOf(file.completeBaseName()), descriptionOf(file.completeBaseName())});
    return samples;
}

} // namespace sunder
