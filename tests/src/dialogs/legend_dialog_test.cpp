#include "dialogs/legend_dialog.h"

#include "canvas/picture_legend.h"
#include "test_case.h"

#include <QSet>
#include <QTest>
#include <QTreeWidget>

using namespace sunder;

/// The meaning of marks and colors.
class LegendDialogTest final : public QObject {
    Q_OBJECT

private slots:
    void everyMarkHasASampleAndWords()
    {
        LegendDialog dialog;
        int rows = 0;
        for (int i = 0; i < dialog.rows().topLevelItemCount(); ++i)
            for (int row = 0; row < dialog.rows().topLevelItem(i)->childCount(); ++row, ++rows) {
                const QTreeWidgetItem* item = dialog.rows().topLevelItem(i)->child(row);
                QVERIFY(!item->icon(0).isNull());
                QVERIFY(item->text(1).size() > 5);
                QCOMPARE(item->data(0, Qt::AccessibleTextRole).toString(), item->text(1));
            }
        QCOMPARE(rows, static_cast<int>(pictureLegend().size()));
    }

    void samplesShowWhatTheirWordsSay_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    /// Every sample differs from the others and shows the mark that its text describes.
    void samplesShowWhatTheirWordsSay()
    {
        QFETCH(bool, dark);
        const std::vector<LegendEntry> entries = pictureLegend();
        std::vector<QImage> samples;
        for (const LegendEntry& entry : entries)
            samples.push_back(legendSample(entry, theme(dark), 1).toImage());
        for (std::size_t i = 0; i < samples.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY2(samples[i] != samples[k], qPrintable(entries[i].means + " looks like " + entries[k].means));
    }
};

const test::Registered<LegendDialogTest> legendDialogTest("legend_dialog_test");
#include "legend_dialog_test.moc"
