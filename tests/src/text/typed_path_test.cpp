#include "text/shown_text.h"

#include "test_case.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

/// Paths as people type and paste them.
class TypedPathTest final : public QObject {
    Q_OBJECT

private slots:
    void readsAPath_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("path");
        const QString home = QDir::homePath();
        QTest::newRow("plain") << "/tmp/my model.pt2" << "/tmp/my model.pt2";
        QTest::newRow("blanks around") << " /tmp/my model.pt2\n" << "/tmp/my model.pt2";
        QTest::newRow("quotes") << "\"/tmp/my model.pt2\"" << "/tmp/my model.pt2";
        QTest::newRow("single quotes and blanks") << " '/tmp/my model.pt2' " << "/tmp/my model.pt2";
        QTest::newRow("one quote") << "/tmp/model\"" << "/tmp/model\"";
        QTest::newRow("URL") << "file:///tmp/my%20model.pt2" << "/tmp/my model.pt2";
        QTest::newRow("quoted home") << "\"~/parts\"" << home + "/parts";
        QTest::newRow("home") << "~" << home;
        QTest::newRow("another user's home") << "~other/x" << QDir::current().absoluteFilePath("~other/x");
        QTest::newRow("relative") << "parts" << QDir::current().absoluteFilePath("parts");
    }

    void readsAPath()
    {
        QFETCH(QString, typed);
        QFETCH(QString, path);
        QCOMPARE(typedPath(typed), path);
        QCOMPARE(pathToOpen(typed), path);
    }

    void anExistingFileIsOpenedByItsOwnName()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("model.pt2 ");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(pathToOpen(path), path);
        QCOMPARE(typedPath(path), folder.filePath("model.pt2"));
    }
};

const test::Registered<TypedPathTest> typedPathTest("typed_path_test");
#include "typed_path_test.moc"
