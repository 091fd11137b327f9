#include "app/disk_notices.h"

#include "command_fixture.h"
#include "dialogs/message_dialog.h"
#include "panels/notice_bar.h"
#include "test_case.h"

#include <QFile>
#include <QPushButton>
#include <QSignalSpy>

using namespace sunder;

/// The bars about files that change on disk, without the rest of the window.
class DiskNoticesTest final : public test::CommandFixture {
    Q_OBJECT
private slots:
    void init()
    {
        prepare();
        m_modelBar = new NoticeBar("modelNotice", &m_parts->window);
        m_tagsBar = new NoticeBar("tagsNotice", &m_parts->window);
        m_notices = std::make_unique<DiskNotices>(document(), m_parts->workflow, *m_modelBar, *m_tagsBar, m_parts->window);
        m_path = writeModel("chain.fxj");
        openModel(m_path);
    }
    void cleanup()
    {
        m_notices.reset();
        finish();
    }

    void saysThatTheModelIsGoneAndOffersNotToReadIt()
    {
        QSignalSpy noted(m_notices.get(), &DiskNotices::noted);
        QVERIFY(QFile::remove(m_path));
        m_notices->watch().check();
        QTRY_COMPARE(noted.count(), 1);
        QVERIFY(!m_modelBar->isHidden());
        QVERIFY(m_tagsBar->isHidden());
        QVERIFY(m_modelBar->text().contains("chain.fxj has changed on disk"));
        QVERIFY(m_modelBar->text().contains("You can continue with the open model."));
        QVERIFY(!m_notices->buttonOf(WatchedFile::model, DiskNotices::Offer::reload).isEnabled());
    }

    void keepsWhatIsOpenAndGivesTheFocusBack()
    {
        QSignalSpy left(m_notices.get(), &DiskNotices::left);
        changeModel();
        QTRY_VERIFY(!m_modelBar->isHidden());
        m_notices->buttonOf(WatchedFile::model, DiskNotices::Offer::keep).click();
        QCOMPARE(left.count(), 1);
        QTRY_VERIFY(m_modelBar->isHidden());
    }

    void readsTheModelAgain()
    {
        changeModel();
        QTRY_VERIFY(!m_modelBar->isHidden());
        m_notices->buttonOf(WatchedFile::model, DiskNotices::Offer::reload).click();
        QTRY_VERIFY(document().graph().find(intern("third")).isValid());
        QTRY_VERIFY(m_modelBar->isHidden());
    }

    void offersInTheComparisonWhatCanBeDone()
    {
        changeModel();
        QTRY_VERIFY(!m_modelBar->isHidden());
        m_notices->buttonOf(WatchedFile::model, DiskNotices::Offer::compare).click();
        QTRY_VERIFY(m_parts->window.findChild<MessageDialog*>() != nullptr);
        auto* box = m_parts->window.findChild<MessageDialog*>();
        QCOMPARE(box->buttons().size(), 3);
        for (QAbstractButton* button : box->buttons())
            if (button->text() == "&Keep")
                button->click();
        QTRY_VERIFY(m_modelBar->isHidden());
    }

private:
    void changeModel()
    {
        const Program program = test::programFromText("x = placeholder()\nthird = tanh(x)\noutput(third)\n");
        QVERIFY(QFile::remove(m_path));
        QVERIFY(writeFxJson(program, m_path.toStdString()).has_value());
        m_notices->watch().check();
    }

    QString m_path;
    NoticeBar* m_modelBar = nullptr;
    NoticeBar* m_tagsBar = nullptr;
    std::unique_ptr<DiskNotices> m_notices;
};

const test::Registered<DiskNoticesTest> diskNoticesTest("disk_notices_test");
#include "disk_notices_test.moc"
