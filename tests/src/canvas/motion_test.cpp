#include "canvas/motion.h"

#include "test_case.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

class MotionTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QSettings().remove("motion");
        Motion::setSystemReduced(false);
    }

    void followsTheDesktopUnlessThePersonWantsOtherwise()
    {
        QVERIFY(!Motion::isReduced());
        Motion::setSystemReduced(true);
        QVERIFY(Motion::isReduced());
        QSettings().setValue("motion", "full");
        QVERIFY(!Motion::isReduced());
        Motion::setSystemReduced(false);
        QSettings().setValue("motion", "reduced");
        QVERIFY(Motion::isReduced());
    }

    void whatThePersonWantsIsKept()
    {
        for (const Motion::Wish wish : {Motion::Wish::full, Motion::Wish::reduced, Motion::Wish::system}) {
            Motion::setWish(wish);
            QCOMPARE(Motion::wish(), wish);
        }
    }

    void whatTheSettingsCannotMeanIsTheDesktops()
    {
        for (const QVariant& value : {QVariant("fast"), QVariant(7), QVariant(QStringList{"full", "reduced"})}) {
            QSettings().setValue("motion", value);
            QCOMPARE(Motion::wish(), Motion::Wish::system);
        }
    }

private:
    QTemporaryDir m_folder;
};

const test::Registered<MotionTest> motionTest("motion_test");
#include "motion_test.moc"
