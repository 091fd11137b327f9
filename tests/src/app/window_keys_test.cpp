#include "app/actions.h"
#include "app/key_groups.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QMenuBar>

using namespace sunder;

/// The list of keys is that of the commands.
class WindowKeysTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void everyCommandOfTheMenusIsListedWithItsKeys()
    {
        QStringList listed;
        for (const KeyGroup& group : keyGroups(*m_window->menuBar()))
            for (const KeyGroup::Row& row : group.rows)
                listed << row.keys + "|" + row.does;
        QVERIFY(listed.size() > 40);
        QVERIFY(listed.contains("F, Ctrl+0|Fit"));
        QVERIFY(listed.contains("Ctrl+Shift+F|Back to the first picture"));
        QVERIFY(listed.contains("Wheel|zoom at the cursor"));
        for (const QString& row : listed) {
            QVERIFY2(!row.contains('&') && !row.endsWith('|'), qPrintable(row));
            QVERIFY2(listed.count(row) == 1, qPrintable(row));
        }
    }
};

const test::Registered<WindowKeysTest> windowKeysTest("window_keys_test");
#include "window_keys_test.moc"
