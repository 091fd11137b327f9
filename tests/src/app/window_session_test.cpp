#include "app/sight_text.h"
#include "app/workspace.h"
#include "panels/log_panel.h"
#include "panels/outline_panel.h"
#include "panels/tags_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QFile>
#include <QPlainTextEdit>

using namespace sunder;

/// Models open at the end of a session are open again at the next start.
class WindowSessionTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        showWindow();
    }
    void cleanup()
    {
        closeWindow();
        QSettings().clear();
    }

    void theModelIsThereAgainAsItWasLookedAt()
    {
        openSample();
        settle();
        sourceView().openAll();
        settle();
        CanvasWidget& before = sourcePane().canvas();
        before.setCamera(Camera(QPointF(120, 340), 0.75));
        const std::size_t items = before.picture()->items.size();
        startAgain();
        QTRY_VERIFY(document().isOpen());
        settle();
        CanvasWidget& after = sourcePane().canvas();
        QCOMPARE(after.picture()->items.size(), items);
        QCOMPARE(after.camera().zoom(), 0.75);
        QVERIFY(std::abs(after.camera().origin().x() - 120) < 30); // bars may have appeared or disappeared
    }

    void panelsOfTheSideAreAsHighAgain()
    {
        openSample();
        settle();
        const auto heights = [this] {
            const auto* outline = m_window->findChild<OutlinePanel*>();
            const auto* tags = m_window->findChild<TagsPanel*>();
            return std::pair(outline->height(), tags->height());
        };
        const auto before = heights();
        startAgain();
        QTRY_VERIFY(document().isOpen());
        settle();
        QCOMPARE(heights(), before);
    }

    void tagsOfAFileElsewhereComeAgainAndAreSavedThere()
    {
        openModel();
        paintBoth();
        const QString tags = m_folder.filePath("elsewhere.json");
        QVERIFY(workflow().saveTags(tags));
        startAgain();
        QTRY_COMPARE(document().tagsPath(), tags);
        QVERIFY(!document().isModified());
        QCOMPARE(document().tags()[node("third")], 1);
    }

    void nothingComesWhereThePersonWantsNone()
    {
        openModel();
        QSettings().setValue("reopens", false);
        startAgain();
        settle();
        QVERIFY(!document().isOpen());
    }

    void nothingComesWhereNothingWasOpen()
    {
        openModel();
        document().close();
        startAgain();
        settle();
        QVERIFY(!document().isOpen());
    }

    void aModelThatIsGoneIsSaid()
    {
        openModel();
        closeProperly();
        QVERIFY(QFile::remove(m_model));
        showWindow();
        m_window->reopenLastSession();
        QVERIFY(said("no longer exists"));
        QVERIFY(!document().isOpen());
    }

    void aModelThatIsAnotherNowIsShownFromItsFirstPicture()
    {
        openModel();
        closeProperly();
        QFile file(m_model);
        QVERIFY(file.open(QIODevice::Append) && file.write("\n\n") == 2);
        file.close();
        showWindow();
        m_window->reopenLastSession();
        QTRY_VERIFY(document().isOpen());
        QVERIFY(said("its view was reset"));
    }

    /// Otherwise a file that crashes the program would be opened at every start.
    void whatIsKeptIsForgottenBeforeItIsOpened()
    {
        openModel();
        closeProperly();
        showWindow();
        m_window->reopenLastSession();
        QVERIFY(!QSettings().contains("session/model"));
        settle();
    }

    void sightsAreReadAsTheyWereWritten()
    {
        openModel();
        const std::optional<GraphSight> sight = sourceView().sight();
        QVERIFY(sight.has_value());
        const std::optional<GraphSight> read = sightOfText(textOfSight(*sight));
        QVERIFY(read.has_value());
        QVERIFY(read->open == sight->open);
        QCOMPARE(read->columns->columnStarts.size(), sight->columns->columnStarts.size());
        QVERIFY(read->camera == sight->camera);
        QCOMPARE(read->view, sight->view);
        QCOMPARE(read->isFitted, sight->isFitted);
    }

    void sightsThatMakeNoSenseAreNone_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("zoom too large") << R"("zoom":1)" << R"("zoom":1e300)";
        QTest::newRow("zoom no number") << R"("zoom":1)" << R"("zoom":"1")";
        QTest::newRow("a view below nothing") << R"("width":5)" << R"("width":-5)";
        QTest::newRow("names no list") << R"("open":[])" << R"("open":{})";
        QTest::newRow("a name no text") << R"("open":[])" << R"("open":[7])";
        QTest::newRow("a name too long") << R"("open":[])" << R"("open":["%1"])";
        QTest::newRow("a column of no kind") << R"("columns":[])" << R"("columns":[{"key":"a","kind":99}])";
        QTest::newRow("a node below nothing") << R"("columns":[])" << R"("columns":[{"key":"a","kind":0,"node":-1}])";
        QTest::newRow("no JSON") << "{" << "[";
    }
    void sightsThatMakeNoSenseAreNone()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QString text =
            R"({"all":false,"closed":[],"columns":[],"deep":[],"fitted":true,"height":5,"open":[],"width":5,"x":0,"y":0,"zoom":1})";
        QVERIFY(sightOfText(text.toStdString()).has_value());
        text.replace(from, to.contains("%1") ? to.arg(QString(10'000, 'n')) : to);
        QVERIFY(!sightOfText(text.toStdString()).has_value());
    }

private:
    GraphView& sourceView() { return sourcePane().view(); }

    void closeProperly()
    {
        forgetChanges();
        QVERIFY(m_window->close());
        m_window.reset();
    }

    void startAgain()
    {
        closeProperly();
        showWindow();
        m_window->reopenLastSession();
    }

    bool said(const char* words) const
    {
        const auto texts = m_window->findChildren<QPlainTextEdit*>();
        return std::ranges::any_of(texts, [&](const QPlainTextEdit* text) { return text->toPlainText().contains(words); });
    }
};

const test::Registered<WindowSessionTest> windowSessionTest("window_session_test");
#include "window_session_test.moc"
