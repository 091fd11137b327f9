#include "models/command_keys.h"

#include "test_case.h"
#include "text/present_keys.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace sunder;

namespace {
QKeySequence keyOf(const char* text)
{
    return QKeySequence::fromString(QLatin1String(text), QKeySequence::PortableText);
}
} // namespace

/// Two commands, their shortcuts, and the settings that change them.
class CommandKeysTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QSettings().remove("keys");
    }
    void cleanup() { setPresentKeys({}); }

    void aFreeKeyIsGivenAndKept()
    {
        Commands one;
        QCOMPARE(one.keys.verdict(one.fit, keyOf("Ctrl+K")).kind, KeyVerdict::Kind::free);
        QVERIFY(one.keys.setKeys(one.fit, {keyOf("Ctrl+K")}).contains("“Fit” has Ctrl+K now"));
        QCOMPARE(one.fit.shortcuts(), QList{keyOf("Ctrl+K")});
        QCOMPARE(one.fit.toolTip(), QString("Show all (Ctrl+K)"));
        Commands next;
        next.keys.restore();
        QCOMPARE(next.fit.shortcuts(), QList{keyOf("Ctrl+K")});
        QCOMPARE(next.fill.shortcuts(), QList{keyOf("Ctrl+T")});
    }

    void aKeyOfAnotherIsTakenFromItInWords()
    {
        Commands one;
        const KeyVerdict verdict = one.keys.verdict(one.fit, keyOf("Ctrl+T"));
        QCOMPARE(verdict.kind, KeyVerdict::Kind::taken);
        QVERIFY2(verdict.words.contains("“Fill” (Paint)"), qPrintable(verdict.words));
        QVERIFY(verdict.words.contains("“Fill” has no shortcut left"));
        one.keys.setKeys(one.fit, {keyOf("Ctrl+T")});
        QVERIFY(one.fill.shortcuts().isEmpty());
        QVERIFY(one.keys.reset(one.fill).contains("“Fit” has no shortcut left"));
        QVERIFY(one.fit.shortcuts().isEmpty());
    }

    void whatListsMenusAndPanesNeedIsRefused()
    {
        Commands one;
        one.keys.reserve(keyOf("Alt+F"), "opens the File menu");
        for (const char* key : {"Return", "Tab", "Up", "Shift+Left", "Alt+F", "Ctrl+K, Ctrl+C"}) {
            QCOMPARE(one.keys.verdict(one.fit, keyOf(key)).kind, KeyVerdict::Kind::refused);
            one.keys.setKeys(one.fit, {keyOf(key)});
            QCOMPARE(one.fit.shortcuts(), QList{keyOf("F")});
        }
        QCOMPARE(one.keys.verdict(one.fit, keyOf("Ctrl+Up")).kind, KeyVerdict::Kind::free);
    }

    void aGestureOfGraphsIsNamedBeforeItIsLost()
    {
        Commands one;
        one.keys.addGesture(keyOf("G"), "next marked item");
        const KeyVerdict verdict = one.keys.verdict(one.fit, keyOf("G"));
        QCOMPARE(verdict.kind, KeyVerdict::Kind::gesture);
        QVERIFY(verdict.words.contains("next marked item"));
    }

    void keysAreAddedUpToALimit()
    {
        Commands one;
        for (const char* key : {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4"})
            one.keys.addKey(one.fit, keyOf(key));
        QCOMPARE(one.fit.shortcuts(), (QList{keyOf("F"), keyOf("Ctrl+1"), keyOf("Ctrl+2"), keyOf("Ctrl+3")}));
    }

    void settingsAreNotTrusted_data()
    {
        QTest::addColumn<QVariant>("saved");
        QTest::newRow("no keys that there are") << QVariant("Hyper+Nothing");
        QTest::newRow("keys of lists") << QVariant("Return");
        QTest::newRow("several strokes") << QVariant("Ctrl+K, Ctrl+C");
        QTest::newRow("too long") << QVariant(QString(100'000, 'F'));
        QTest::newRow("no text") << QVariant(QVariantList{1, 2});
    }
    void settingsAreNotTrusted()
    {
        QFETCH(QVariant, saved);
        QSettings().setValue("keys/fit", saved);
        Commands one;
        one.keys.restore();
        QVERIFY(one.fit.shortcuts().isEmpty());
        QCOMPARE(one.fill.shortcuts(), QList{keyOf("Ctrl+T")});
    }

    void aKeyThatTheSettingsGiveTwiceIsOfOne()
    {
        QSettings().setValue("keys/fit", "Ctrl+K");
        QSettings().setValue("keys/fill", "Ctrl+K");
        Commands one;
        one.keys.restore();
        QCOMPARE(one.fit.shortcuts(), QList{keyOf("Ctrl+K")});
        QVERIFY(one.fill.shortcuts().isEmpty());
    }

    void whatIsChosenComesBeforeWhatIsThereAtFirst()
    {
        QSettings().setValue("keys/fill", "F");
        Commands one;
        one.keys.restore();
        QCOMPARE(one.fill.shortcuts(), QList{keyOf("F")});
        QVERIFY(one.fit.shortcuts().isEmpty());
    }

    void allAreAsAtFirstAgain()
    {
        Commands one;
        one.keys.setKeys(one.fit, {keyOf("Ctrl+T")});
        one.keys.resetAll();
        QCOMPARE(one.fit.shortcuts(), QList{keyOf("F")});
        QCOMPARE(one.fill.shortcuts(), QList{keyOf("Ctrl+T")});
        QSettings settings;
        settings.beginGroup("keys");
        QVERIFY(settings.childKeys().isEmpty());
    }

    void textsNameTheKeysOfNow()
    {
        Commands one;
        one.keys.setKeys(one.fit, {keyOf("Ctrl+T")});
        QCOMPARE(withPresentKeys("Show all (F)"), QString("Show all (Ctrl+T)"));
        QCOMPARE(withPresentKeys("Fill (Ctrl+T), then go on"), QString("Fill, then go on"));
        QCOMPARE(withPresentKeys("Fill\tCtrl+T"), QString("Fill"));
        QCOMPARE(withPresentKeys("Either (F, Ctrl+T) or (none)"), QString("Either (Ctrl+T) or (none)"));
        one.keys.resetAll();
        QCOMPARE(withPresentKeys("Show all (F)"), QString("Show all (F)"));
    }

private:
    struct Commands {
        Commands()
        {
            make(fit, "fit", "&Fit", "F");
            make(fill, "fill", "F&ill…", "Ctrl+T");
            CommandKeys::setTip(fit, "Show all");
            keys.add(fit, "View");
            keys.add(fill, "Paint");
        }
        static void make(QAction& action, const char* id, const char* text, const char* key)
        {
            action.setObjectName(id);
            action.setText(QString::fromUtf8(text));
            action.setShortcut(keyOf(key));
        }
        QAction fit;
        QAction fill;
        CommandKeys keys;
    };

    QTemporaryDir m_folder;
};

const test::Registered<CommandKeysTest> commandKeysTest("command_keys_test");
#include "command_keys_test.moc"
