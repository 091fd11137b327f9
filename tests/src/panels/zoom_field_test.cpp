#include "panels/zoom_field.h"

#include "test_case.h"

#include <QSignalSpy>
#include <QTest>

using namespace sunder;

/// The field that shows and accepts a zoom.
class ZoomFieldTest final : public QObject {
    Q_OBJECT

private slots:
    void readsPercentagesAndFactors_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("zoom");
        QTest::newRow("percent") << "150 %" << 1.5;
        QTest::newRow("without a space") << "150%" << 1.5;
        QTest::newRow("a number alone") << " 84 " << 0.84;
        QTest::newRow("decimal point") << "7.5 %" << 0.075;
        QTest::newRow("decimal comma") << "7,5" << 0.075;
        QTest::newRow("factor") << "1.5x" << 1.5;
        QTest::newRow("words") << "large" << 0.0;
        QTest::newRow("nothing") << "" << 0.0;
        QTest::newRow("zero") << "0 %" << 0.0;
        QTest::newRow("negative") << "-20" << 0.0;
        QTest::newRow("no number") << "nan" << 0.0;
        QTest::newRow("endless") << "inf %" << 0.0;
    }
    void readsPercentagesAndFactors()
    {
        QFETCH(QString, typed);
        QFETCH(double, zoom);
        QCOMPARE(zoomFromText(typed).value_or(0), zoom);
    }

    void showsTheZoomAndGivesWhatIsTyped()
    {
        ZoomField field;
        field.show();
        QSignalSpy wanted(&field, &ZoomField::zoomWanted);
        QSignalSpy left(&field, &ZoomField::left);
        QSignalSpy said(&field, &ZoomField::message);
        field.setZoom(0.84);
        QCOMPARE(field.text(), "84%");
        field.setZoom(0.0512);
        QCOMPARE(field.text(), "5.1%");
        field.selectAll();
        QTest::keyClicks(&field, "150 %");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.front().front().toDouble(), 1.5);
        QCOMPARE(left.size(), 1);
        field.selectAll();
        QTest::keyClicks(&field, "large");
        QTest::keyClick(&field, Qt::Key_Escape); // restores the old value
        QCOMPARE(field.text(), "5.1%");
        field.selectAll();
        QTest::keyClicks(&field, "large");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(said.size(), 1);
        QVERIFY(said.front().front().toString().contains("large"));
        QCOMPARE(field.text(), "5.1%");
    }
};

const test::Registered<ZoomFieldTest> zoomFieldTest("zoom_field_test");
#include "zoom_field_test.moc"
