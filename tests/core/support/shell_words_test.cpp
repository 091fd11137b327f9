#include "support/text.h"

#include "patience.h"
#include "test_case.h"

#include <QProcess>
#include <QTest>

using namespace sunder;

/// Quoting words and standard input for a shell, compared with a real shell.
class ShellWordsTest final : public QObject {
    Q_OBJECT

    static QString saidBy(const std::string& command)
    {
        QProcess shell;
        shell.start("/bin/sh", {"-c", QString::fromStdString(command)});
        return shell.waitForFinished(test::kHangMs) ? QString::fromUtf8(shell.readAllStandardOutput()) : QString();
    }

private slots:
    void plainTextsStayAsTheyAre()
    {
        QCOMPARE(shellWord("/a/b-c_1.pt2"), std::string("/a/b-c_1.pt2"));
        QCOMPARE(shellWord("s27=16"), std::string("s27=16"));
    }

    void aShellReadsTheSameText_data()
    {
        QTest::addColumn<QString>("given");
        for (const char* given : {"", "a b", "it's", "$(touch x)", "`x`", "a\"b", "\\", "~", "*", "#", "ä €", "a\nb", "!x;y&z|"})
            QTest::newRow(given) << QString(given);
    }
    void aShellReadsTheSameText()
    {
        QFETCH(QString, given);
        QCOMPARE(saidBy("printf %s " + shellWord(given.toStdString())), given);
    }

    void aCommandReadsItsInputs()
    {
        const std::string first = "{\"a\": \"$HOME 'x' END\"}\nEND\n";
        const std::string inputs = shellInput(3, first);
        QCOMPARE(saidBy("cat /dev/fd/3 " + inputs), QString::fromStdString(first));
    }
};

const test::Registered<ShellWordsTest> shellWordsTest("shell_words_test");
#include "shell_words_test.moc"
