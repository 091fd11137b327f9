#include "test_case.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

struct Include {
    QString file;
    QString name;
};

QList<Include> includesBelow(const QString& folder)
{
    static const QRegularExpression line(QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"),
                                         QRegularExpression::MultilineOption);
    QList<Include> found;
    QDirIterator files(QStringLiteral(SUNDER_SOURCE) + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto matches = line.globalMatch(QString::fromUtf8(file.readAll()));
        while (matches.hasNext())
            found.append({QDir(QStringLiteral(SUNDER_SOURCE)).relativeFilePath(file.fileName()), matches.next().captured(1)});
    }
    return found;
}

} // namespace

class LayersTest final : public QObject {
    Q_OBJECT
private slots:
    /// All code shares one namespace. If two types have the same name, the linker keeps the functions of only one.
    void noTwoTypesHaveOneName()
    {
        static const QRegularExpression type(
            QStringLiteral("^(?:struct|class|enum class) (\\w+)(?: final)?(?: : [^{;]*)?\\s*\\{"),
            QRegularExpression::MultilineOption);
        QHash<QString, QString> files;
        for (const char* folder : {"core", "src"}) {
            QDirIterator headers(QStringLiteral(SUNDER_SOURCE) + "/" + folder, {"*.h"}, QDir::Files,
                                 QDirIterator::Subdirectories);
            while (headers.hasNext()) {
                QFile file(headers.next());
                if (file.fileName().contains("/src/cli/")) // a separate program
                    continue;
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (auto found = type.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();) {
                    const QString name = found.next().captured(1);
                    QVERIFY2(!files.contains(name),
                             qPrintable(name + " is in " + files.value(name) + " and in " + file.fileName()));
                    files.insert(name, file.fileName());
                }
            }
        }
        QVERIFY(files.size() > 500);
    }

    void onlyOneFileKnowsNlohmann()
    {
        QSet<QString> files;
        for (const Include& include : includesBelow("core"))
            if (include.name.startsWith("nlohmann/"))
                files.insert(include.file);
        QCOMPARE(files.size(), 1);
    }

    void onlyOneFileKnowsGraphviz()
    {
        QSet<QString> files;
        for (const Include& include : includesBelow("core"))
            if (include.name.contains("cgraph") || include.name.contains("gvc.h"))
                files.insert(include.file);
        QCOMPARE(files.size(), 1);
    }
};

const sunder::test::Registered<LayersTest> layersTest("layers_test");
#include "layers_test.moc"
