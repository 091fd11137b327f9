#include "app/crash_offer.h"
#include "dialogs/crash_dialog.h"
#include "panels/notice_bar.h"

#include "test_case.h"
#include "window_fixture.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

using namespace sunder;

/// The bar that offers a crash log.
class CrashOfferTest final : public test::WindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { prepare(); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = m_folder->filePath("crashes.log");
    }

    void staysHiddenWithoutACrash()
    {
        NoticeBar bar("crashNotice");
        CrashOffer offer(bar, nullptr);
        offer.offerFrom(m_log);
        QVERIFY(bar.isHidden());
    }

    void isSeenBeforeAModelIsOpen() // on the page shown when no model is open
    {
        writeLog();
        showWindow();
        m_window->offerCrashReports(m_log);
        QVERIFY(showsWelcome());
        NoticeBar* bar = &notice("crashNotice");
        QVERIFY(bar->isVisible());
        QVERIFY(bar->visibleRegion().contains(bar->rect().center()));
        QTest::mouseClick(&bar->button(1), Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        closeWindow();
    }

    void dismissesWhatIsOffered()
    {
        writeLog();
        NoticeBar bar("crashNotice");
        CrashOffer offer(bar, nullptr);
        offer.offerFrom(m_log);
        QVERIFY(!bar.isHidden());
        QVERIFY2(bar.text().contains("Sunder crashed: SIGSEGV"), qPrintable(bar.text()));
        bar.button(1).click();
        QVERIFY(bar.isHidden());
        QVERIFY(QFile::exists(m_log + ".seen"));
        offer.offerFrom(m_log);
        QVERIFY(bar.isHidden());
    }

    void showsTheLogAndIsDone()
    {
        writeLog();
        NoticeBar bar("crashNotice");
        CrashOffer offer(bar, nullptr);
        offer.offerFrom(m_log);
        QString shown;
        QTimer::singleShot(0, &bar, [&shown] {
            auto* dialog = qobject_cast<CrashDialog*>(QApplication::activeModalWidget());
            shown = dialog == nullptr ? QString() : dialog->report().toPlainText();
            if (dialog != nullptr)
                dialog->reject();
        });
        bar.button(0).click();
        QVERIFY(shown.contains("Sunder crashed: SIGSEGV"));
        QVERIFY(bar.isHidden());
        QVERIFY(!QFile::exists(m_log));
    }

    void saysWhenTheLogCannotBePutAside()
    {
        writeLog();
        QVERIFY(QDir(m_folder->path()).mkpath("crashes.log.seen/not empty"));
        NoticeBar bar("crashNotice");
        CrashOffer offer(bar, nullptr);
        const QSignalSpy failed(&offer, &CrashOffer::failed);
        offer.offerFrom(m_log);
        bar.button(1).click();
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().at(1).toString().contains(m_log));
        QVERIFY(QFile::exists(m_log));
    }

private:
    void writeLog() const
    {
        QFile file(m_log);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("2026-11-23 07:57:40 UTC Sunder crashed: SIGSEGV, invalid memory access (process 1)\n  Sunder: 1\n");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_log;
};

const test::Registered<CrashOfferTest> crashOfferTest("crash_offer_test");
#include "crash_offer_test.moc"
