#include "app/project.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QFile>

using namespace sunder;

/// A script that opens the window waits for the tags painted in it.
class WindowHandedTagsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        m_tags = m_folder.filePath("handed.json");
        QFile::remove(m_tags);
        m_window->handTagsTo(m_tags, m_model);
        openModel();
    }
    void cleanup() { closeWindow(); }

    void whatWasPaintedIsWrittenWhenTheWindowCloses()
    {
        QVERIFY2(m_window->windowTitle().contains("closing passes its tags to the script"), qPrintable(m_window->windowTitle()));
        paintSecond();
        QVERIFY(document().isModified());
        QVERIFY(m_window->close()); // a question would keep it open
        QVERIFY(written().contains("\"second\":\"mine\""));
    }

    void noTagsAreWrittenAsNone()
    {
        QVERIFY(m_window->close());
        QVERIFY(written().contains("\"tags\":{}"));
    }

    void aModelThatIsSavedElsewhereIsTheSame()
    {
        paintSecond();
        QVERIFY(workflow().saveProject(project().state(), m_folder.filePath("elsewhere.sunder")));
        QVERIFY(m_window->close());
        QVERIFY(written().contains("\"second\":\"mine\""));
    }

    void whatWasPaintedIsWrittenWhenTheProgramIsEnded()
    {
        paintSecond();
        m_window->endNow();
        QVERIFY(written().contains("\"second\":\"mine\""));
        QVERIFY(!QFile::exists(autosave().path()));
    }

    void whatCannotBeWrittenIsKept()
    {
        const QString kept = m_folder.filePath("kept.sunder");
        m_window->handTagsTo(m_folder.filePath("no such folder/tags.json"), m_model);
        autosave().keepAt(kept);
        paintSecond();
        m_window->endNow();
        m_window.reset(); // writes pending changes
        QFile file(kept);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("second"));
        showWindow();
    }

    void nothingIsRememberedOfIt()
    {
        QSettings().sync();
        for (const QString& key : QSettings().allKeys())
            QVERIFY2(!QSettings().value(key).toStringList().join('\n').contains(m_model), qPrintable(key));
    }

    void aFileThatCannotBeWrittenKeepsTheWindowOpen()
    {
        m_window->handTagsTo(m_folder.filePath("no such folder/tags.json"), m_model);
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
    }

    void tagsOfAnotherModelAreNotHanded()
    {
        m_window->handTagsTo(m_tags, m_folder.filePath("another.fxj"));
        QVERIFY(m_window->close());
        QVERIFY(!QFile::exists(m_tags));
    }

private:
    void paintSecond()
    {
        document().tagList().add("mine");
        const int last = static_cast<int>(document().tagState().tags.order.size()) - 1;
        document().painting().paint(std::array{node("second")}, last);
    }

    QByteArray written() const
    {
        QFile file(m_tags);
        return file.open(QIODevice::ReadOnly) ? file.readAll().replace(" ", "").replace("\n", "") : QByteArray();
    }

    QString m_tags;
};

const test::Registered<WindowHandedTagsTest> windowHandedTagsTest("window_handed_tags_test");
#include "window_handed_tags_test.moc"
