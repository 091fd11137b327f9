#include "app/model_files.h"

#include "app/recent_models.h"
#include "command_fixture.h"
#include "dialogs/message_dialog.h"
#include "test_case.h"

#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QUrl>

using namespace sunder;

/// Opening, saving, and recent files, without the window.
class ModelFilesTest final : public test::CommandFixture {
    Q_OBJECT
private slots:
    void init()
    {
        prepare();
        m_files = std::make_unique<ModelFiles>(document(), m_parts->workflow, actions(), m_parts->window);
    }
    void cleanup()
    {
        m_files.reset();
        finish();
    }

    void remembersTheNewestModelFirstAndEachOnce()
    {
        for (const char* path : {"/a", "/b", "/a"})
            rememberModel(path);
        QCOMPARE(recentModels(), QStringList({"/a", "/b"}));
        for (int i = 0; i < 20; ++i)
            rememberModel(QString::number(i));
        QCOMPARE(recentModels().size(), 8);
        QCOMPARE(recentModels().front(), QString("19"));
    }

    void forgetsModelsThatItKnows()
    {
        rememberModel("/a");
        QVERIFY(!forgetModel("/b"));
        QVERIFY(forgetModel("/a"));
        QVERIFY(recentModels().isEmpty());
    }

    void keepsProgramsOfRecentFilesOnly()
    {
        rememberModel("/a");
        rememberProgram("/gone", "decode");
        rememberProgram("/a", "prefill");
        QCOMPARE(rememberedProgram("/a"), QString("prefill"));
        QCOMPARE(rememberedProgram("/gone"), QString());
    }

    void opensAModelAndRemembersIt()
    {
        QSignalSpy began(m_files.get(), &ModelFiles::openingBegan);
        QSignalSpy recent(m_files.get(), &ModelFiles::recentChanged);
        const QString path = writeModel("chain.fxj");
        m_files->open(path);
        QCOMPARE(began.count(), 1);
        QTRY_COMPARE(recent.count(), 1);
        QCOMPARE(document().filePath(), path);
        QCOMPARE(recentModels(), QStringList(path));
    }

    void saysWhatCouldNotBeOpenedAndForgetsIt()
    {
        const QString gone = m_folder->filePath("gone.fxj");
        rememberModel(gone);
        QSignalSpy failed(m_files.get(), &ModelFiles::failed);
        m_files->open(gone);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QString("gone.fxj was not opened"));
        QVERIFY(recentModels().isEmpty());
    }

    void keepsTagsThatSomebodyDoesNotWantToLose()
    {
        const QString path = writeModel("chain.fxj");
        openModel(path);
        document().painting().paint(std::array{node("first")}, 0);
        QVERIFY(document().isModified());
        answer("Cancel");
        QVERIFY(!m_files->mayLose());
        answer("Discard");
        QVERIFY(m_files->mayLose());
        answer("Cancel");
        actions().close->trigger();
        QVERIFY(document().isOpen());
        answer("Discard");
        actions().close->trigger();
        QVERIFY(!document().isOpen());
    }

    void savesToTheirFileWithoutAsking()
    {
        openModel(writeModel("chain.fxj"));
        const QString project = m_folder->filePath("chain.sunder");
        document().painting().paint(std::array{node("first")}, 0);
        QVERIFY(m_parts->workflow.saveProject(projectStateOf(document()), project));
        QCOMPARE(recentModels().front(), project);
        document().painting().paint(std::array{node("second")}, 1);
        QVERIFY(m_files->save());
        QVERIFY(!document().isModified());
        QFile file(project);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("second"));
    }

    void savesNothingWhereNothingIsOpen()
    {
        QVERIFY(!m_files->save());
        QVERIFY(!m_files->saveAs());
        QVERIFY(m_files->mayLose());
    }

    void takesADroppedTagsFileForTheOpenModel()
    {
        const QString path = writeModel("chain.fxj");
        const QString tags = m_folder->filePath("other.tags.json");
        openModel(path);
        document().painting().paint(std::array{node("first"), node("second")}, 1);
        QVERIFY(m_parts->workflow.saveTags(tags));
        document().painting().erase(document().graph().order());
        document().markSaved(tags);
        m_files->openDropped(tags);
        QTRY_COMPARE(tagOf("first"), 1);
        QCOMPARE(document().filePath(), path);
    }

    void takesTheFirstLocalFileOfADrag()
    {
        QMimeData data;
        QVERIFY(localFileIn(data).isEmpty());
        data.setUrls(
            {QUrl("https://example.org/model.pt2"), QUrl::fromLocalFile("/here.pt2"), QUrl::fromLocalFile("/there.pt2")});
        QCOMPARE(localFileIn(data), QString("/here.pt2"));
    }

private:
    /// Presses this button of the next message box.
    void answer(const QString& verb)
    {
        QTimer::singleShot(0, &m_parts->window, [this, verb] {
            auto* box = m_parts->window.findChild<MessageDialog*>();
            QVERIFY(box != nullptr);
            box->button(verb)->click();
        });
    }

    std::unique_ptr<ModelFiles> m_files;
};

const test::Registered<ModelFilesTest> modelFilesTest("model_files_test");
#include "model_files_test.moc"
