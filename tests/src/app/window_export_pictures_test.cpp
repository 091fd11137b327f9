#include "app/workspace.h"
#include "dialogs/export_options.h"
#include "panes/graph_view.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QFileInfo>
#include <QImage>
#include <QSpinBox>
#include <QTabBar>

using namespace sunder;

/// Exports pictures of every pane from the real window and checks the files.
class WindowExportPicturesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void exportsAPicture()
    {
        openModel();
        const QString path = m_folder.filePath("chain.svg");
        ExportDialog* dialog = exportDialog("picture", path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        QVERIFY(QFileInfo(path).size() > 500);
        dialog->close();
    }

    void writesThePictureOfThePaneInFrontAndOfTheSelection()
    {
        openModel();
        split();
        auto& pane = widget<SubmodulesPane>();
        QTRY_VERIFY(pane.currentView() != nullptr && pane.currentView()->canvas().picture() != nullptr
                    && !pane.currentView()->canvas().picture()->items.empty());
        emit pane.exportRequested();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setFormat("picture");
        QVERIFY(dialog->options().subjectField().currentText().startsWith("Submodules"));
        QVERIFY(writesAreaOf(*dialog, 0).width() > 100);
        dialog->close();
        QTRY_VERIFY(m_window->findChild<ExportDialog*>() == nullptr);

        document().marks().select({node("second")});
        sourcePane().canvas().setFocus();
        dialog = openExport("picture");
        QVERIFY(dialog->options().subjectField().currentText().startsWith("Source"));
        const QSize whole = writesAreaOf(*dialog, 0);
        const QSize selected = writesAreaOf(*dialog, 1);
        QVERIFY(selected.height() < whole.height() && !selected.isEmpty());
        QVERIFY(!writesAreaOf(*dialog, 2).isEmpty());
        dialog->close();
    }

    void writesPicturesOfRegionsAndModules_data()
    {
        QTest::addColumn<QString>("pane");
        QTest::newRow("a region") << "Regions";
        QTest::newRow("a shared subgraph") << "Shared";
        QTest::newRow("the model without its regions") << "Main";
        QTest::newRow("a module") << "Hierarchy";
    }
    void writesPicturesOfRegionsAndModules()
    {
        QFETCH(QString, pane);
        openSample();
        ResultPane* asked = pane == "Hierarchy" ? static_cast<ResultPane*>(&widget<HierarchyPane>()) : &widget<RegionsPane>();
        (pane == "Hierarchy"     ? actions().pass("unflatten")
             : pane == "Regions" ? actions().pass("findRegions")
                                 : actions().pass("deduplicate"))
            ->trigger();
        const auto isDrawn = [&] {
            GraphView* graph = asked->graphInFront();
            return graph != nullptr && graph->canvas().picture() != nullptr && !graph->canvas().picture()->items.empty();
        };
        QTRY_VERIFY(isDrawn());
        if (pane == "Main") {
            asked->findChild<QTabBar*>()->setCurrentIndex(1);
            QTRY_VERIFY(isDrawn());
        }
        settle();
        const Picture& picture = *asked->graphInFront()->canvas().picture();
        const auto op = std::ranges::find_if(picture.items, [](const Item& item) { return item.opCount == 1; });
        emit asked->graphInFront()->canvas().selectionRequested(op->nodes, SelectionMode::replace);
        emit asked->exportRequested();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setFormat("picture");
        QVERIFY2(dialog->options().subjectField().currentText().startsWith(asked->title()),
                 qPrintable(dialog->options().subjectField().currentText()));
        const QSize whole = writesAreaOf(*dialog, 0);
        const QSize selected = writesAreaOf(*dialog, 1);
        QVERIFY(!selected.isEmpty() && selected.height() < whole.height());
        QVERIFY(!writesAreaOf(*dialog, 2).isEmpty());
        for (int format : {0, 2}) { // SVG, PDF
            dialog->options().formatField().setCurrentIndex(format);
            const QString path = m_folder.filePath("pane" + dialog->options().suffix());
            QFile::remove(path);
            dialog->setPath(path);
            QTest::mouseClick(&dialog->exportButton(), Qt::LeftButton);
            QTRY_VERIFY2(QFileInfo(path).size() > 500 && dialog->statusText().contains("Wrote"),
                         qPrintable(dialog->statusText()));
        }
        dialog->close();
    }

private:
    /// Exports a PNG of the whole graph, the selection, or the view, and returns its size.
    QSize writesAreaOf(ExportDialog& dialog, int area)
    {
        const QString path = m_folder.filePath("area.png");
        QFile::remove(path);
        dialog.options().formatField().setCurrentIndex(1);
        dialog.options().scaleField().setValue(1);
        dialog.options().areaField().setCurrentIndex(area);
        dialog.setPath(path);
        QTest::mouseClick(&dialog.exportButton(), Qt::LeftButton);
        settle();
        return QImage(path).size();
    }
};

const test::Registered<WindowExportPicturesTest> windowExportPicturesTest("window_export_pictures_test");
#include "window_export_pictures_test.moc"
