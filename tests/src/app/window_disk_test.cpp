#include "app/disk_watch.h"
#include "app/project.h"
#include "changed_archive.h"
#include "panels/notice_bar.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTimer>

#include <filesystem>

using namespace sunder;

namespace {

const QString kSample = QStringLiteral(SUNDER_SOURCE "/resources/samples/residual_cnn.pt2");

void writeText(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// Files that change on disk while they are open.
class WindowDiskTest final : public test::WindowFixture {
    Q_OBJECT
private slots:
    void init()
    {
        prepare();
        m_tags = m_folder.filePath("chain.tags.json");
        writeText(m_tags, R"({"order":["a","b"],"tags":{"first":"a","second":"a","third":"b","fourth":"b"}})");
        showWindow();
        openModel();
        QCOMPARE(document().tagsPath(), m_tags);
    }
    void cleanup() { closeWindow(); }

    void saysNothingOfFilesThatAreAsTheyWere()
    {
        look();
        QVERIFY(!notice("modelNotice").isVisible());
        QVERIFY(!notice("tagsNotice").isVisible());
    }

    void noticesAChangedModelOnceItHasTheFocusAgain()
    {
        look(); // from now on, only a focus change triggers a check
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other, test::kHangMs));
        writeText(m_model, read(m_model) + "\n");
        m_window->activateWindow();
        QTRY_VERIFY(notice("modelNotice").isVisible());
        QVERIFY(notice("modelNotice").text().startsWith("chain.fxj has changed on disk. It was written to"));
        QVERIFY(!notice("tagsNotice").isVisible());
    }

    void noticesAChangeWhileItHasTheFocus()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        look(); // starts watching
        writeText(m_tags, R"({"order":["a","b"],"tags":{"first":"b"}})");
        QTRY_VERIFY(notice("tagsNotice").isVisible());
    }

    void keepsWhatIsOpenUntilTheFileChangesAgain()
    {
        changeModel();
        NoticeBar& bar = notice("modelNotice");
        diskButton(WatchedFile::model, DiskNotices::Offer::keep).setFocus();
        QTest::keyClick(&diskButton(WatchedFile::model, DiskNotices::Offer::keep), Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
        look();
        QVERIFY(!bar.isVisible());
        changeModel();
    }

    void readsTheModelAgainAndKeepsTheTags()
    {
        document().painting().paint(std::array{node("second")}, 1);
        const SnapshotPtr before = document().snapshot();
        changeModel();
        QTest::keyClick(&diskButton(WatchedFile::model, DiskNotices::Offer::reload), Qt::Key_Space);
        QTRY_VERIFY(document().snapshot() != before);
        QCOMPARE(document().tags()[node("second")], 1);
        QCOMPARE(document().tags()[node("first")], 0);
        QCOMPARE(document().tagsPath(), m_tags);
        QVERIFY(document().isModified());
        QTRY_VERIFY(!notice("modelNotice").isVisible());
    }

    void comparesTheModelWithWhatIsOpen()
    {
        QVERIFY(test::copyArchive(kSample.toStdString(), path("m.pt2"), [](const std::string&, std::string&) {}));
        QVERIFY(test::copyWithOtherWeights(path("m.pt2"), path("n.pt2")));
        m_window->openModel(m_folder.filePath("m.pt2"));
        QTRY_COMPARE(document().filePath(), m_folder.filePath("m.pt2"));
        std::filesystem::copy_file(path("n.pt2"), path("o.pt2"));
        std::filesystem::rename(path("o.pt2"), path("m.pt2"));
        MessageDialog* box = compareModel();
        QVERIFY(box != nullptr);
        QCOMPARE(box->headline(), QString("The file is not equivalent to the open model."));
        QVERIFY2(box->explanation().contains("has different values"), qPrintable(box->explanation()));
    }

    void tellsOtherWeightsByTheirCrcsWhereTheFileWasOverwritten()
    {
        QVERIFY(test::copyArchive(kSample.toStdString(), path("m.pt2"), [](const std::string&, std::string&) {}));
        QVERIFY(test::copyWithOtherWeights(path("m.pt2"), path("n.pt2")));
        m_window->openModel(m_folder.filePath("m.pt2"));
        QTRY_COMPARE(document().filePath(), m_folder.filePath("m.pt2"));
        QVERIFY(test::overwriteInPlace(path("m.pt2"), path("n.pt2")));
        MessageDialog* box = compareModel();
        QVERIFY(box != nullptr);
        QVERIFY(notice("modelNotice").text().contains("its weights were overwritten. Reload before exporting parts"));
        QCOMPARE(box->headline(), QString("The file contains the same graph with other weights."));
        QVERIFY2(box->explanation().contains("By CRC, these have other values:\n"), qPrintable(box->explanation()));
    }

    /// Weights with different names are not reported as changed.
    void saysNothingOfWeightsThatAreInOneFileOnly()
    {
        QVERIFY(test::copyArchive(kSample.toStdString(), path("m.pt2"), [](const std::string&, std::string&) {}));
        m_window->openModel(m_folder.filePath("m.pt2"));
        QTRY_COMPARE(document().filePath(), m_folder.filePath("m.pt2"));
        QVERIFY(test::copyArchive(SUNDER_SOURCE "/resources/samples/transformer.pt2", path("n.pt2"),
                                  [](const std::string&, std::string&) {}));
        QVERIFY(test::overwriteInPlace(path("m.pt2"), path("n.pt2")));
        MessageDialog* box = compareModel();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("of the open model are not in the file"), qPrintable(box->explanation()));
        QVERIFY(!box->explanation().contains("same values"));
    }

    void offersToReloadFromTheComparison()
    {
        changeModel();
        const SnapshotPtr before = document().snapshot();
        MessageDialog* box = compareModel();
        QVERIFY(box != nullptr);
        for (QAbstractButton* at : box->buttons())
            if (at->text().remove('&') == "Reload")
                at->click();
        QTRY_VERIFY(document().snapshot() != before);
        QTRY_VERIFY(!notice("modelNotice").isVisible());
    }

    void takesTheTagsThatOthersWrote()
    {
        changeTags();
        diskButton(WatchedFile::tags, DiskNotices::Offer::reload).click();
        QTRY_COMPARE(document().tags()[node("first")], 1);
        QVERIFY(!document().isModified());
        QTRY_VERIFY(!notice("tagsNotice").isVisible());
        document().undo();
        QCOMPARE(document().tags()[node("first")], 0);
    }

    void comparesTags()
    {
        changeTags();
        diskButton(WatchedFile::tags, DiskNotices::Offer::compare).click();
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QCOMPARE(box->headline(), QString("4 ops have another tag in the file."));
        QVERIFY(box->explanation().startsWith("a in the window, b in the file: first, second\n"));
        box->close();
    }

    void asksBeforeItOverwritesTheTagsOfOthers_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("isSaved");
        QTest::newRow("cancel") << "Cancel" << false;
        QTest::newRow("overwrite") << "&Overwrite" << true;
    }
    void asksBeforeItOverwritesTheTagsOfOthers()
    {
        QFETCH(QString, button);
        QFETCH(bool, isSaved);
        saveProject();
        document().painting().paint(std::array{node("second")}, 1);
        const QByteArray theirs =
            read(m_project).replace("\"third\"", "\"fourth\"").replace("\"fourth\",\"fourth\"", "\"fourth\"");
        writeText(m_project, theirs); // saved immediately, before the change is noticed
        bool asked = false;
        QTimer::singleShot(0, this, [&] {
            auto* box = qobject_cast<MessageDialog*>(QApplication::activeModalWidget());
            asked = box != nullptr && box->headline() == "chain.sunder has changed on disk since it was read.";
            if (const auto* headline = box != nullptr ? box->findChild<QLabel*>("headline") : nullptr) // the text is not cut off
                asked = asked && (headline->wordWrap() || headline->width() >= headline->sizeHint().width());
            for (QPushButton* at : box != nullptr ? box->buttons() : QList<QPushButton*>())
                if (at->text().remove('&') == QString(button).remove('&'))
                    at->click();
        });
        actions().save->trigger();
        QVERIFY(asked);
        QCOMPARE(read(m_project) != theirs, isSaved);
        QCOMPARE(document().isModified(), !isSaved);
    }

    void savesAProjectThatNobodyElseTouched()
    {
        saveProject();
        document().painting().paint(std::array{node("second")}, 1);
        actions().save->trigger();
        QVERIFY(!document().isModified());
        document().painting().paint(std::array{node("second")}, 0);
        actions().save->trigger();
        QVERIFY(!document().isModified());
        look();
        QVERIFY(!notice("tagsNotice").isVisible());
    }

    void isReachedByKeysAndHeardByScreenReaders()
    {
        changeModel();
        NoticeBar& bar = notice("modelNotice");
        diskButton(WatchedFile::model, DiskNotices::Offer::keep).setFocus(Qt::TabFocusReason);
        sourcePane().canvas().setFocus();
        bool reached = false;
        for (int i = 0; i < 12 && !reached; ++i) {
            actions().nextArea->trigger();
            reached = bar.isAncestorOf(m_window->focusWidget());
        }
        QVERIFY(reached);
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&bar);
        QVERIFY(spoken->text(QAccessible::Description).startsWith("chain.fxj has changed on disk"));
        QVERIFY(!diskButton(WatchedFile::model, DiskNotices::Offer::keep).toolTip().isEmpty());
    }

private:
    void saveProject()
    {
        m_project = m_folder.filePath("chain.sunder");
        QVERIFY(workflow().saveProject(project().state(), m_project));
    }

    QString m_project;
    [[nodiscard]] std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// Waits until a check that starts now or later has finished.
    void look()
    {
        QSignalSpy found(&diskNotices().watch(), &DiskWatch::found);
        diskNotices().watch().check();
        QTRY_VERIFY(found.size() >= 2); // one for the model, one for its tags
    }

    void changeModel()
    {
        writeText(m_model, read(m_model) + "\n");
        diskNotices().watch().check();
        QTRY_VERIFY(notice("modelNotice").isVisible());
    }

    void changeTags()
    {
        writeText(m_tags, R"({"order":["a","b"],"tags":{"first":"b","second":"b","third":"a","fourth":"a"}})");
        diskNotices().watch().check();
        QTRY_VERIFY(notice("tagsNotice").isVisible());
    }

    MessageDialog* compareModel()
    {
        look();
        diskButton(WatchedFile::model, DiskNotices::Offer::compare).click();
        return waitForBox();
    }

    QString m_tags;
};

const test::Registered<WindowDiskTest> windowDiskTest("window_disk_test");
#include "window_disk_test.moc"
