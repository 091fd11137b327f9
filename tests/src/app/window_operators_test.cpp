#include "dialogs/operators_dialog.h"
#include "panels/log_panel.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace sunder;

namespace {

const QByteArray kSchemas = "# of the small model\n"
                            "test::relu(Tensor x) -> Tensor\n"
                            "test::gelu(Tensor x) -> Tensor\n"
                            "test::tanh(Tensor x) -> Tensor\n"
                            "test::add(Tensor x, Tensor y) -> Tensor\n";

} // namespace

/// Schemas of custom operators in the window: used, kept for the next start, and removed again.
class WindowOperatorsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        writeModel("x = placeholder() : 2x3\n"
                   "first = relu(x) : 2x3\n"
                   "second = gelu(first) : 2x3\n"
                   "third = tanh(second) : 2x3\n"
                   "fourth = add(third, first) : 2x3\n"
                   "output(fourth)\n");
        QSettings().remove("operators/file");
        m_schemas = m_folder.filePath("schemas.txt");
        write(kSchemas);
        showWindow();
    }
    void cleanup() { closeWindow(); }

    void saysHowToGiveSchemasOfUnknownOperators()
    {
        openModel();
        split();
        QCOMPARE(report().unknownOperators.size(), std::size_t(4));
        const QString tip = widget<SubmodulesPane>().header().statusDetail();
        QVERIFY2(tip.contains("torch.ops.test.relu is unknown"), qPrintable(tip));
        QVERIFY2(tip.contains("Passes › Custom operators…"), qPrintable(tip));
        QVERIFY(m_window->findChild<LogPanel*>()->toPlainText().contains("Passes › Custom operators…"));
        QVERIFY(!tip.contains("--operators")); // an option of the command line
    }

    void verifiesTheOpenModelAgain()
    {
        openModel();
        split();
        const int steps = document().steps().count();
        CanvasWidget& canvas = sourcePane().canvas();
        canvas.setCamera(canvas.camera().pannedBy({10, 10})); // a fitted graph would be laid out again for a different size
        settle();
        const auto picture = canvas.picture();
        take();
        QTRY_VERIFY(report().unknownOperators.empty());
        QCOMPARE(report().verdict, Verdict::same);
        QVERIFY(report().notes.empty());
        QCOMPARE(document().runs().list().size(), std::size_t(1));
        QCOMPARE(document().steps().count(), steps);
        QCOMPARE(document().tags()[node("first")], 0);
        QVERIFY(document().runs().isSplitCurrent());
        QCOMPARE(canvas.picture(), picture);
        QTRY_VERIFY(!widget<SubmodulesPane>().header().statusDetail().contains("is unknown"));
        customOperators().take({});
        QTRY_COMPARE(report().unknownOperators.size(), std::size_t(4));
        QVERIFY(document().snapshot()->program.operators == nullptr);
    }

    void verifiesAgainWhatComesBackByUndo()
    {
        openModel();
        split();
        document().runs().discard(1);
        take();
        QTRY_VERIFY(document().snapshot()->program.operators != nullptr);
        document().undo();
        QTRY_VERIFY(document().runs().find(1) != nullptr && document().runs().find(1)->result->report.unknownOperators.empty());
    }

    void holdsForModelsThatAreOpenedAfterwards()
    {
        take();
        openModel();
        QVERIFY(document().snapshot()->program.operators == customOperators().library());
        split();
        QVERIFY(report().unknownOperators.empty());
    }

    void isRememberedForTheNextStart()
    {
        take();
        m_window.reset();
        showWindow();
        openModel();
        QCOMPARE(customOperators().path(), m_schemas);
        QTRY_VERIFY(document().snapshot()->program.operators != nullptr);
        customOperators().take({});
        m_window.reset();
        showWindow();
        QVERIFY(customOperators().path().isEmpty());
    }

    void saysWhatIsWrongInAFileAndWhere()
    {
        take();
        const auto library = customOperators().library();
        write("test::relu(Tensor x) -> Tensor\ntest::gelu(Tensor x -> Tensor\n");
        customOperators().readAgain();
        const MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("schemas.txt") && box->explanation().contains("line 2"),
                 qPrintable(box->explanation()));
        QVERIFY(box->explanation().contains("The schemas that were loaded before stay in use."));
        QVERIFY(customOperators().library() == library);
    }

    void aRememberedFileThatIsGoneIsSaidAndKept()
    {
        take();
        m_window.reset();
        QVERIFY(QFile::remove(m_schemas));
        showWindow();
        const MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("schemas.txt"), qPrintable(box->explanation()));
        QCOMPARE(customOperators().path(), m_schemas);
        OperatorsDialog* dialog = show();
        QVERIFY2(dialog->state().text().startsWith("Not read: "), qPrintable(dialog->state().text()));
        write(kSchemas);
        dialog->readAgainButton().click();
        QTRY_VERIFY(dialog->state().text().startsWith("4 schemas"));
    }

    void theDialogShowsFileStateAndUnknownOperators()
    {
        openModel();
        OperatorsDialog* dialog = show();
        QCOMPARE(dialog->file().text(), QStringLiteral("No file chosen."));
        QVERIFY(!dialog->removeButton().isEnabled());
        QTRY_COMPARE(dialog->unknown().toPlainText(),
                     QStringLiteral("torch.ops.test.relu\ntorch.ops.test.gelu\ntorch.ops.test.tanh\ntorch.ops.test.add"));
        take();
        QVERIFY(dialog->file().text().contains("schemas.txt"));
        QVERIFY2(dialog->state().text().startsWith("4 schemas"), qPrintable(dialog->state().text()));
        QTRY_VERIFY(!dialog->unknown().isVisible());
        dialog->removeButton().click();
        QCOMPARE(dialog->file().text(), QStringLiteral("No file chosen."));
        QTRY_VERIFY(dialog->unknown().isVisible());
    }

    void returnPressesTheButtonThatHasTheFocus()
    {
        openModel();
        take();
        OperatorsDialog* dialog = show();
        QVERIFY(QTest::qWaitForWindowActive(dialog, test::kHangMs));
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            QVERIFY2(button->autoDefault(), qPrintable(button->text()));
        dialog->readAgainButton().setFocus();
        QSignalSpy presses(&dialog->readAgainButton(), &QPushButton::clicked);
        QTest::keyClick(&dialog->readAgainButton(), Qt::Key_Return);
        QCOMPARE(presses.size(), 1);
        QVERIFY(dialog->isVisible());
    }

private:
    void write(const QByteArray& text)
    {
        QFile file(m_schemas);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }

    void take()
    {
        customOperators().take(m_schemas);
        QTRY_VERIFY(customOperators().library() != nullptr);
    }

    OperatorsDialog* show()
    {
        actions().customOperators->trigger();
        return m_window->findChild<OperatorsDialog*>();
    }

    const VerifyReport& report() { return document().runs().shownSplit()->report; }

    QString m_schemas;
};

const test::Registered<WindowOperatorsTest> windowOperatorsTest("window_operators_test");
#include "window_operators_test.moc"
