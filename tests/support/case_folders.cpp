#include "case_folders.h"

#include "test_support.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

namespace sunder::test {

void addCases(const QString& system)
{
    QTest::addColumn<QString>("folder");
    QStringList roots = {QString::fromStdString(casePath(""))};
    if (!sharedFolder().empty())
        roots += QString::fromStdString(sharedFolder()) + "/conformance/";
    for (const QString& root : roots) {
        const QString folder = root + system;
        for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            QTest::newRow(qPrintable(folder.section('/', -3) + '/' + name)) << folder + '/' + name;
    }
}

std::string programFile(const QString& folder, const QString& name)
{
    const QString plain = folder + '/' + name;
    return (QFile::exists(plain) ? plain : plain + ".gz").toStdString();
}

QJsonObject json(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

} // namespace sunder::test
