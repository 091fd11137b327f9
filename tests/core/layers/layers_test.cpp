#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

/// Which folders a folder may include from, besides itself: the architecture (core/README.md).
const QHash<QString, QSet<QString>> kMayInclude = {
    {"core/support", {}},
    {"core/ir", {"support"}},
    {"core/operators", {"support", "ir"}},
    {"core/analysis", {"support", "ir", "operators"}},
    {"core/io", {"support", "ir", "operators", "analysis"}},
    {"core/layout", {"support", "ir", "operators", "analysis"}},
    {"core/verify", {"support", "ir", "operators", "analysis"}},
    {"core/passes", {"support", "ir", "operators", "analysis", "verify"}},
    {"core/export", {"support", "ir", "operators", "analysis", "io", "verify", "passes"}},
};

const QSet<QString> kCore = {"support", "ir", "operators", "analysis", "io", "layout", "verify", "passes", "export"};

const QHash<QString, QSet<QString>> kWindowMayInclude = {
    {"src/text", {}},
    {"src/jobs", {}},
    {"src/document", {"jobs", "text"}},
    {"src/canvas", {"text"}},
    {"src/models", {"document", "jobs", "canvas", "text"}},
    {"src/panels", {"document", "jobs", "models", "canvas", "text"}},
    {"src/panes", {"document", "jobs", "models", "canvas", "text"}},
    {"src/dialogs", {"document", "jobs", "models", "canvas", "text"}},
    {"src/cli", {"canvas"}},
};

struct Include {
    QString file;
    QString name;
};

QList<Include> includesBelow(const QString& folder)
{
    static const QRegularExpression line(QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"),
                                         QRegularExpression::MultilineOption);
    QList<Include> found;
    QDirIterator files(QStringLiteral(SUNDER_SOURCE) + "/" + folder, {"*.h", "*.cpp"}, QDir::Files,
                       QDirIterator::Subdirectories);
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

QString folderOf(const QString& include)
{
    return include.contains(u'/') ? include.section(u'/', 0, 0) : QString();
}

} // namespace

class LayersTest final : public QObject {
    Q_OBJECT
private slots:
    void foldersIncludeOnlyWhatLiesBelowThem_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QSet<QString>>("allowed");
        for (auto it = kMayInclude.begin(); it != kMayInclude.end(); ++it)
            QTest::newRow(qPrintable(it.key())) << it.key() << it.value();
        for (auto it = kWindowMayInclude.begin(); it != kWindowMayInclude.end(); ++it)
            QTest::newRow(qPrintable(it.key())) << it.key() << it.value() + kCore;
    }
    void foldersIncludeOnlyWhatLiesBelowThem()
    {
        QFETCH(QString, folder);
        QFETCH(QSet<QString>, allowed);
        static const QSet<QString> ours = kCore + QSet<QString>{"jobs", "document", "canvas", "models", "panels", "panes",
                                                                "dialogs", "cli", "app", "text"};
        const QList<Include> includes = includesBelow(folder);
        QVERIFY2(!includes.isEmpty(), qPrintable(folder + " has no files"));
        for (const Include& include : includes) {
            const QString from = folderOf(include.name);
            if (!ours.contains(from) || from == folder.section(u'/', 1))
                continue;
            QVERIFY2(allowed.contains(from), qPrintable(include.file + " includes " + include.name));
        }
    }

    /// All of it is one namespace: of two types with one name the linker keeps the functions of one, for both.
    void noTwoTypesHaveOneName()
    {
        static const QRegularExpression type(QStringLiteral("^(?:struct|class|enum class) (\\w+)(?: final)?(?: : [^{;]*)?\\s*\\{"),
                                             QRegularExpression::MultilineOption);
        QHash<QString, QString> files;
        for (const char* folder : {"core", "src"}) {
            QDirIterator headers(QStringLiteral(SUNDER_SOURCE) + "/" + folder, {"*.h"}, QDir::Files, QDirIterator::Subdirectories);
            while (headers.hasNext()) {
                QFile file(headers.next());
                if (file.fileName().contains("/src/cli/")) // a program of its own
                    continue;
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (auto found = type.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();) {
                    const QString name = found.next().captured(1);
                    QVERIFY2(!files.contains(name), qPrintable(name + " is in " + files.value(name) + " and in " + file.fileName()));
                    files.insert(name, file.fileName());
                }
            }
        }
        QVERIFY(files.size() > 500);
    }

    void coreKnowsNothingOfQt()
    {
        for (const Include& include : includesBelow("core"))
            QVERIFY2(!QRegularExpression("^(Q[A-Z]|Qt)").match(include.name).hasMatch(),
                     qPrintable(include.file + " includes " + include.name));
    }

    void onlyIoKnowsTheJsonLibrary()
    {
        for (const Include& include : includesBelow("core"))
            QVERIFY2(!include.name.startsWith("nlohmann/") || include.file.startsWith("core/io/"),
                     qPrintable(include.file + " includes " + include.name));
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

QTEST_GUILESS_MAIN(LayersTest)
#include "layers_test.moc"
