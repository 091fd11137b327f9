#include "dialogs/export_options.h"
#include "io/model_file.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

using namespace sunder;

/// Options of the export dialog: the PyTorch release, and the format of parts.
class WindowExportOptionsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void writesForAnotherPyTorch()
    {
        openSample();
        splitSample();
        const QString path = m_folder.filePath("older.pt2");
        ExportDialog* dialog = openExport("taggedModel");
        QComboBox* const release = &dialog->options().releaseField();
        QVERIFY(release->isVisible());
        QVERIFY(release->itemText(0).startsWith("Same as the model, PyTorch 2."));
        QCOMPARE(release->itemText(release->count() - 1), QString("PyTorch 2.5 only"));
        release->setCurrentIndex(release->findData(6));
        QCOMPARE(release->currentText(), QString("PyTorch 2.6 and later"));
        dialog->setPath(path);
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        const Result<Program> back = readModel(path.toStdString());
        QVERIFY(back.has_value());
        QCOMPARE(back->origin.torch, std::string("2.6.0"));
        dialog = openExport("graph");
        QVERIFY(!dialog->options().releaseField().isVisible()); // fx-json is independent of the release
        dialog->close();
    }

    void partsOfAPlainModelCanBePt2()
    {
        const QString model = m_folder.filePath("plain.fxj");
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray val = R"("val":{"tensor":{"dtype":"float32","shape":[2,3]}}})";
        file.write(R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[],)"
                   + val + R"(
{"k":"node","g":"g0","name":"first","op":"call_function","target":"torch.ops.aten.relu.default","args":[{"n":"x"}],"kwargs":[],)"
                   + val + R"(
{"k":"node","g":"g0","name":"second","op":"call_function","target":"torch.ops.aten.tanh.default","args":[{"n":"first"}],"kwargs":[],)"
                   + val + R"(
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"second"}],"kwargs":[]}
{"k":"end","nodes":4}
)");
        file.close();
        m_window->openModel(model);
        QTRY_VERIFY(document().isOpen());
        document().painting().paint(std::array{node("first")}, 0);
        document().painting().paint(std::array{node("second")}, 1);
        split();
        ExportDialog* dialog = openExport("parts");
        QComboBox& kind = dialog->options().formatField();
        QVERIFY(kind.isVisible());
        QVERIFY(kind.currentText().startsWith("fx-json"));
        QVERIFY(!dialog->options().releaseField().isVisible());
        kind.setCurrentIndex(0);
        QVERIFY(dialog->options().releaseField().isVisible());
        QCOMPARE(dialog->options().releaseField().itemText(0), QString("PyTorch 2.13 and later"));
        dialog->setPath(m_folder.filePath("plain-parts"));
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 4 files"), qPrintable(dialog->statusText()));
        dialog->close();
        const Result<Program> part = readModel(m_folder.filePath("plain-parts/stage0.pt2").toStdString());
        QVERIFY(part.has_value() && part->signature);
        QVERIFY(QFile::exists(m_folder.filePath("plain-parts/run.py")));
    }

    void partsThatNoPt2CanHoldSayWhichNode()
    {
        const QString model = m_folder.filePath("no-values.fxj");
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"first","op":"call_function","target":"torch.ops.aten.relu.default","args":[{"n":"x"}],"kwargs":[]}
{"k":"node","g":"g0","name":"second","op":"call_function","target":"torch.ops.aten.tanh.default","args":[{"n":"first"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"second"}],"kwargs":[]}
{"k":"end","nodes":4}
)");
        file.close();
        m_window->openModel(model);
        QTRY_VERIFY(document().isOpen());
        document().painting().paint(std::array{node("first")}, 0);
        document().painting().paint(std::array{node("second")}, 1);
        split();
        ExportDialog* dialog = openExport("parts");
        dialog->options().formatField().setCurrentIndex(0);
        dialog->setPath(m_folder.filePath("refused-parts"));
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().startsWith("Nothing was written."), qPrintable(dialog->statusText()));
        QVERIFY2(dialog->statusText().contains("Part stage0 cannot be written as .pt2: x "), qPrintable(dialog->statusText()));
        QVERIFY(!QFile::exists(m_folder.filePath("refused-parts")));
        dialog->options().formatField().setCurrentIndex(1);
        dialog->exportButton().click();
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        dialog->close();
    }

    void fieldsOfTheDialogAreInLine()
    {
        openSample();
        splitSample();
        ExportDialog* dialog = openExport("parts");
        const auto* path = dialog->findChild<QLineEdit*>("path");
        for (const char* format : {"parts", "taggedModel", "drawing", "picture"}) {
            dialog->setFormat(format);
            settle();
            int seen = 0;
            for (QWidget* field : dialog->options().findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                if (field->isVisible() && !qobject_cast<QLabel*>(field)) {
                    QCOMPARE(field->mapTo(dialog, QPoint()).x(), path->mapTo(dialog, QPoint()).x());
                    ++seen;
                }
            QVERIFY(seen > 0);
        }
        dialog->close();
    }
};

const test::Registered<WindowExportOptionsTest> windowExportOptionsTest("window_export_options_test");
#include "window_export_options_test.moc"
