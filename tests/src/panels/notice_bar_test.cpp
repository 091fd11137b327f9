#include "panels/notice_bar.h"

#include "patience.h"
#include "test_case.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace sunder;

/// The bar with a notice and related actions.
class NoticeBarTest final : public QObject {
    Q_OBJECT

private slots:
    void givesTheFocusBackToWhereItWas()
    {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* first = new QLineEdit(&window); // the default target of the focus
        auto* bar = new NoticeBar("notice", &window);
        auto* work = new QLineEdit(&window);
        for (QWidget* widget : {static_cast<QWidget*>(first), static_cast<QWidget*>(bar), static_cast<QWidget*>(work)})
            column->addWidget(widget);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, test::kHangMs));
        QSignalSpy chosen(bar, &NoticeBar::chosen);
        for (const bool byKey : {false, true}) {
            work->setFocus();
            bar->show({.headline = "There is a project",
                       .text = "It is next to the model",
                       .offers = {{"&Open", ""}, {"&Not now", ""}}});
            bar->button(1).setFocus();
            if (byKey)
                QTest::keyClick(&bar->button(1), Qt::Key_Escape);
            else
                QTest::mouseClick(&bar->button(1), Qt::LeftButton);
            QCOMPARE(chosen.takeFirst()[0].toInt(), 1);
            QVERIFY(bar->isHidden());
            QCOMPARE(window.focusWidget(), work);
        }
    }
};

const test::Registered<NoticeBarTest> noticeBarTest("notice_bar_test");
#include "notice_bar_test.moc"
