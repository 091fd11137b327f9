#include "dialogs/legend_dialog.h"
#include "panels/zoom_field.h"
#include "panes/run_graph_view.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

using namespace sunder;

/// Zoom of a graph and its visible extent: the zoom field, zoom to the selection, and isolation.
class WindowZoomTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel();
        canvas().setFocus();
    }
    void cleanup() { closeWindow(); }

    void theStatusLineShowsTheZoomAndTakesAnother()
    {
        ZoomField& field = zoomField();
        QVERIFY(field.isVisible());
        canvas().setZoom(0.5);
        QCOMPARE(field.text(), "50%");
        canvas().zoomBy(2);
        QCOMPARE(field.text(), "100%");
        QTest::mouseClick(&field, Qt::LeftButton);
        field.selectAll();
        QTest::keyClicks(&field, "150 %");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(canvas().camera().zoom(), 1.5);
        QCOMPARE(field.text(), "150%");
        QVERIFY(canvas().hasFocus()); // the focus returns to the canvas
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, "100000");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(canvas().camera().zoom(), Camera::kMaxZoom);
        QCOMPARE(field.text(), "800%");
    }

    void theZoomIsThatOfThePaneInFront()
    {
        split();
        SubmodulesPane& parts = widget<SubmodulesPane>();
        QTRY_VERIFY(parts.graphInFront() != nullptr && parts.graphInFront()->canvas().picture() != nullptr);
        CanvasWidget& part = parts.graphInFront()->canvas();
        QTRY_VERIFY(part.isVisible()); // a hidden widget takes no focus
        canvas().setZoom(0.5);
        part.setZoom(0.25);
        QCOMPARE(zoomField().text(), "50%");
        part.setFocus();
        QCOMPARE(zoomField().text(), "25%");
        zoomField().setFocus(); // the field still belongs to that pane
        zoomField().selectAll();
        QTest::keyClicks(&zoomField(), "75");
        QTest::keyClick(&zoomField(), Qt::Key_Return);
        QCOMPARE(part.camera().zoom(), 0.75);
        QCOMPARE(canvas().camera().zoom(), 0.5);
    }

    void zoomToSelectionShowsItAsLargeAsItFits()
    {
        actions().zoomToSelection->trigger();
        QVERIFY2(said().contains("Nothing is selected"), qPrintable(said()));
        canvas().setZoom(0.05);
        document().marks().select({node("first"), node("second")});
        QTest::keyClick(&canvas(), Qt::Key_F, Qt::ShiftModifier);
        QVERIFY(canvas().camera().zoom() > 0.8);
        const QRectF all = canvas()
                               .viewRectOf(canvas().scene().itemOf(node("first")))
                               .united(canvas().viewRectOf(canvas().scene().itemOf(node("second"))));
        QVERIFY(QRectF(canvas().rect()).contains(all));
        QVERIFY(std::abs(all.center().x() - canvas().rect().center().x()) < 2);
        QVERIFY(std::abs(all.center().y() - canvas().rect().center().y()) < 2);
    }

    void isolationShowsTheSelectionAndItsNeighbors()
    {
        canvas().setZoom(0.7);
        const Camera before = canvas().camera();
        const std::size_t all = canvas().picture()->items.size();
        QWidget* bar = sourcePane().view().findChild<QWidget*>("isolation");
        QVERIFY(!bar->isVisible());
        document().marks().select({node("second")});
        actions().isolate->trigger();
        QTRY_COMPARE(shown(), (QStringList{"first", "second", "third"}));
        QVERIFY(bar->isVisible());
        QVERIFY(canvas().isFitted());
        QCOMPARE(canvas().picture()->edges.size(), 2U);

        QTest::mouseClick(bar->findChild<QToolButton*>("showAll"), Qt::LeftButton);
        QTRY_COMPARE(canvas().picture()->items.size(), all);
        QVERIFY(!bar->isVisible());
        QTRY_COMPARE(canvas().camera().zoom(), before.zoom()); // restores the previous view
        QVERIFY(QPointF(canvas().camera().origin() - before.origin()).manhattanLength() < 1);

        actions().isolate->trigger(); // the same command turns it on and off
        QTRY_COMPARE(shown(), (QStringList{"first", "second", "third"}));
        actions().isolate->trigger();
        QTRY_COMPARE(canvas().picture()->items.size(), all);
    }

    void whatIsSearchedForEndsTheIsolation()
    {
        document().marks().select({node("second")});
        actions().isolate->trigger();
        QTRY_COMPARE(shown().size(), 3);
        document().marks().select({node("fourth")});
        QCOMPARE(shown().size(), 3); // a selection in another pane does not end it
        document().marks().reveal();
        QTRY_VERIFY(shown().contains("fourth"));
        QVERIFY(!sourcePane().view().isIsolated());
    }

    void theLegendOpensFromHelpAndStaysOpen()
    {
        actions().legend->trigger();
        auto* legend = m_window->findChild<LegendDialog*>();
        QVERIFY(legend != nullptr && legend->isVisible() && !legend->isModal());
        actions().legend->trigger();
        QCOMPARE(m_window->findChildren<LegendDialog*>().size(), 1);
        legend->close();
    }

    void isolationIsKeptInNoSight()
    {
        const auto before = sourcePane().view().sight();
        document().marks().select({node("second")});
        actions().isolate->trigger();
        QTRY_COMPARE(shown().size(), 3);
        QCOMPARE(sourcePane().view().sight()->camera.zoom(), before->camera.zoom());
        forgetChanges();
        openModel(); // another model is shown whole
        QVERIFY(!sourcePane().view().isIsolated());
        QVERIFY(shown().contains("fourth"));
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    ZoomField& zoomField() { return *m_window->statusBar()->findChild<ZoomField*>(); }

    QString said()
    {
        QString all;
        for (const auto* label : m_window->statusBar()->findChildren<QLabel*>())
            all += label->text() + ' ';
        return all;
    }

    /// Names of the ops in the picture.
    QStringList shown()
    {
        QStringList names;
        for (const Item& item : canvas().picture()->items)
            if (item.opCount > 0)
                names += QString::fromStdString(item.subtitle);
        return names;
    }
};

const test::Registered<WindowZoomTest> windowZoomTest("window_zoom_test");
#include "window_zoom_test.moc"
