#include "analysis/device.h"
#include "app/tool_bars.h"
#include "dialogs/export_options.h"
#include "models/device_model.h"
#include "models/problem_model.h"
#include "panels/device_table.h"
#include "panels/devices_panel.h"
#include "panels/notice_bar.h"
#include "panels/problems_panel.h"
#include "panels/tags_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSignalSpy>
#include <QToolButton>

using namespace sunder;

/// Refusals are shown where the request was made: at the button, at the cell, or in the dialog.
class WindowRefusalsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        showWindow();
        openModel();
    }
    void cleanup()
    {
        forgetChanges();
        closeWindow();
    }

    void aSplitOfNothingPaintedSaysSoBelowItsButton()
    {
        actions().pass("split")->trigger();
        QVERIFY(notice("splitNotice").isVisible());
        QVERIFY2(notice("splitNotice").text().contains("Paint › Tag automatically…"), qPrintable(notice("splitNotice").text()));
        const auto* button = m_window->findChild<QToolButton*>(passButtonName("split"));
        const QRect of(button->mapTo(m_window.get(), QPoint()), button->size());
        QVERIFY(notice("splitNotice").geometry().top() >= of.bottom()
                && notice("splitNotice").geometry().top() < of.bottom() + 8);
        QVERIFY(notice("splitNotice").geometry().left() <= of.right() && notice("splitNotice").geometry().right() >= of.left());
        QVERIFY(m_window->rect().contains(notice("splitNotice").geometry()));
        paintBoth();
        QVERIFY(!notice("splitNotice").isVisible());
    }

    void aRefusedSplitMarksWhatItIsRefusedFor()
    {
        document().painting().paint(std::array{node("first"), node("third"), node("fourth")}, 1);
        document().painting().paint(std::array{node("second")}, 0);
        document().marks().select({node("first")});
        actions().pass("split")->trigger();
        QVERIFY(notice("splitNotice").isVisible());
        QVERIFY2(notice("splitNotice")
                     .text()
                     .contains("Cannot split: 1 edge goes from a later stage to an earlier one. See Problems."),
                 qPrintable(notice("splitNotice").text()));
        QListView& list = widget<ProblemsPanel>().view();
        QVERIFY(list.isVisible());
        QVERIFY(list.currentIndex().isValid());
        QVERIFY(isRefused(widget<ProblemsPanel>().model().problem(list.currentIndex())));
        QCOMPARE(document().marks().selection().source, std::vector{node("first")}); // nothing else is selected
        notice("splitNotice").button(0).click();
        QVERIFY(!notice("splitNotice").isVisible());
    }

    void aNameThatCannotBeSplitIsRefusedWhereItIsTyped()
    {
        QListView& list = widget<TagsPanel>().view();
        widget<TagsPanel>().renameActive();
        auto* editor = list.findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->setText("forward");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(refusal() != nullptr); // after the key has been handled
        QVERIFY(editor->isVisible());
        QCOMPARE(editor->text(), QString("forward"));
        QVERIFY2(refusal()->text().contains("every module has an attribute with that name"), qPrintable(refusal()->text()));
        QVERIFY(document().tagName(document().activeTag()) != "forward");
        QTest::keyClicks(editor, "s");
        QVERIFY(refusal() == nullptr);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(document().tagName(document().activeTag()), QString("forwards"));
    }

    void aNameFromAFileThatCannotBeSplitIsAProblem()
    {
        paintBoth();
        TagAssignment tags = document().tags();
        tags.order[1] = intern("cuda");
        QVERIFY(document().tagSources().takeTags(tags, "a file").isEmpty());
        const Problems& problems = document().checks().problems();
        QVERIFY(!problems.empty() && problems.front().kind == Problem::Kind::partName);
        actions().pass("split")->trigger();
        QVERIFY2(notice("splitNotice").text().contains("\"cuda\" cannot name a part"), qPrintable(notice("splitNotice").text()));
        QVERIFY(document().runs().shownSplit() == nullptr);
        QCOMPARE(widget<ProblemsPanel>().view().currentIndex().row(), 0);
        QVERIFY(document().tagList().rename(1, "second").isEmpty());
        QVERIFY(std::ranges::find(document().checks().problems(), Problem::Kind::partName, &Problem::kind)
                == document().checks().problems().end());
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
    }

    void exportOfAnOldCutOffersToSplitAgainFirst()
    {
        split();
        QVERIFY(!exportDialog()->againButton().isVisible() && exportDialog()->exportButton().isDefault());
        exportDialog()->close();
        document().painting().paint(std::array{node("third")}, 0);
        ExportDialog* dialog = exportDialog();
        dialog->setFormat("parts");
        QVERIFY(dialog->againButton().isVisible() && dialog->againButton().isDefault());
        QCOMPARE(dialog->againButton().text(), QString("Split again"));
        QVERIFY(!dialog->exportButton().isDefault());
        const std::size_t runs = document().runs().list().size();
        dialog->againButton().click();
        QTRY_COMPARE(document().runs().list().size(), runs + 1);
        QTRY_VERIFY(!dialog->againButton().isVisible());
        QVERIFY(dialog->exportButton().isDefault());
        QVERIFY2(dialog->statusText().isEmpty(), qPrintable(dialog->statusText()));
        dialog->close();
    }

    void whatCannotBeSplitAgainIsSeenBehindTheDialog()
    {
        split();
        document().painting().paint(std::array{node("second")}, 1);
        document().painting().paint(std::array{node("third")}, 0);
        ExportDialog* dialog = exportDialog();
        dialog->setFormat("parts");
        dialog->againButton().click();
        QTRY_VERIFY(notice("splitNotice").isVisible());
        QVERIFY(QApplication::activeModalWidget() == nullptr);
    }

    void aBadFigureStaysInItsCellToBeCorrected()
    {
        document().devices().set({{.name = "gpu", .availableBytes = 1e9}, {.name = "cpu", .availableBytes = 2e9, .logicalId = 1}},
                                 "devices");
        DeviceTable& table = widget<DevicesPanel>().view();
        const QModelIndex cell = table.model()->index(0, DeviceModel::MemoryColumn);
        table.setCurrentIndex(cell);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Return);
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->setText("12 parsec");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(refusal() != nullptr);
        QVERIFY(editor->isVisible());
        QCOMPARE(editor->text(), QString("12 parsec"));
        QVERIFY2(refusal()->text().contains("parsec"), qPrintable(refusal()->text()));
        const QRect at(editor->mapTo(m_window.get(), QPoint()), editor->size());
        QVERIFY(!refusal()->geometry().intersects(at));
        QVERIFY(refusal()->geometry().intersects(at.adjusted(-4, -4, 4, 4))); // adjacent to it
        QCOMPARE(document().devices().list()[0].availableBytes, 1e9);
        editor->setFocus();
        editor->clear();
        QTest::keyClicks(editor, "12 GB");
        QVERIFY(refusal() == nullptr);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(document().devices().list()[0].availableBytes, 12e9);
        QTRY_VERIFY(table.findChild<QLineEdit*>() == nullptr);
    }

    void aFigureThatIsNoNumberIsRefusedInItsCell()
    {
        Device whole{.name = "gpu", .availableBytes = 1e9};
        for (const DeviceFigure& figure : deviceFigures())
            QVERIFY(setFigure(whole, figure, figure.unit == FigureUnit::share ? 1 : 1e9));
        document().devices().set({whole}, "devices");
        const std::vector<Device> before = document().devices().list();
        DeviceTable& table = widget<DevicesPanel>().view();
        for (const DeviceFigure& figure : deviceFigures())
            table.setColumnHidden(DeviceModel::columnOf(figure.key), false); // as "Speed and bandwidth…" does
        for (const DeviceFigure& figure : deviceFigures())
            for (const QString typed : {"nan", "inf", "-1", "1e999"}) {
                table.setCurrentIndex(table.model()->index(0, DeviceModel::columnOf(figure.key)));
                table.setFocus();
                QTest::keyClick(&table, Qt::Key_Return);
                auto* editor = table.findChild<QLineEdit*>();
                QVERIFY2(editor != nullptr, figure.name);
                editor->setText(typed);
                QTest::keyClick(editor, Qt::Key_Return);
                QTRY_VERIFY2(refusal() != nullptr, qPrintable(figure.name + (" " + typed)));
                QVERIFY2(refusal()->text().contains(typed), qPrintable(refusal()->text()));
                QVERIFY(document().devices().list() == before);
                QTest::keyClick(editor, Qt::Key_Escape);
                QTRY_VERIFY(refusal() == nullptr);
                QTRY_VERIFY(table.findChild<QLineEdit*>() == nullptr);
                QVERIFY(document().devices().list() == before);
            }
    }

    void aPastedFigureThatIsNoNumberIsRefusedWithItsRow()
    {
        QSignalSpy failed(&widget<DevicesPanel>(), &DevicesPanel::failed);
        const auto refuses = [&](const QString& rows, const QString& said) {
            failed.clear();
            widget<DevicesPanel>().pasteRows(rows);
            QVERIFY2(document().devices().list().empty(), qPrintable(rows));
            QCOMPARE(failed.count(), 1);
            QVERIFY2(failed[0][1].toString().contains(said, Qt::CaseInsensitive), qPrintable(failed[0][1].toString()));
        };
        for (const char* figure : {"nan", "inf", "-inf", "-1 GB", "1e999 GB"})
            refuses(QString("gpu\t%1").arg(figure), figure);
        for (const char* figure : {"nan", "inf", "-1", "1e999"}) {
            refuses(QString("gpu\t16 GB\t%1").arg(figure), figure);
            refuses(QString("gpu\t16 GB\t1\t%1").arg(figure), figure);
        }
        refuses("Name\tMemory\tCompute\ngpu\t16 GB\tnan", "nan");
        refuses("gpu\tnan\ncpu\t16 GB", "row 1"); // not headings
    }

    void escapeLeavesABadFigure()
    {
        document().devices().set({{.name = "gpu", .availableBytes = 1e9}}, "devices");
        DeviceTable& table = widget<DevicesPanel>().view();
        table.setCurrentIndex(table.model()->index(0, DeviceModel::MemoryColumn));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Return);
        auto* editor = table.findChild<QLineEdit*>();
        editor->setText("abc");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(refusal() != nullptr);
        QTest::keyClick(editor, Qt::Key_Escape);
        QTRY_VERIFY(refusal() == nullptr);
        QTRY_VERIFY(table.findChild<QLineEdit*>() == nullptr);
        QCOMPARE(document().devices().list()[0].availableBytes, 1e9);
    }

private:
    ExportDialog* exportDialog()
    {
        for (ExportDialog* open : m_window->findChildren<ExportDialog*>())
            if (open->isVisible())
                return open;
        actions().exportAll->trigger();
        for (ExportDialog* open : m_window->findChildren<ExportDialog*>())
            if (open->isVisible())
                return open;
        return nullptr;
    }

    /// Returns the message at a cell, or null.
    QLabel* refusal()
    {
        for (QLabel* label : m_window->findChildren<QLabel*>("cellRefusal"))
            if (label->isVisible())
                return label;
        return nullptr;
    }
};

const test::Registered<WindowRefusalsTest> windowRefusalsTest("window_refusals_test");
#include "window_refusals_test.moc"
