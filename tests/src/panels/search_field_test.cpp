#include "panels/search_field.h"

#include "models/search_model.h"
#include "panel_fixture.h"
#include "patience.h"
#include "test_case.h"

#include <QFrame>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>
#include <QWidget>

using namespace sunder;

/// The search field for nodes, without the window.
class SearchFieldTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        show();
    }
    void cleanup() { m_window.reset(); }

    void showsWhatItFindsWhileOneTypes()
    {
        QSignalSpy found(m_field, &SearchField::found);
        QTest::keyClicks(m_field, "op:gelu");
        QCOMPARE(m_field->model().hits(), std::vector{node("b")});
        QVERIFY(popup().isVisible());
        QVERIFY2(count().startsWith("1 node"), qPrintable(count()));
        QCOMPARE(found.back()[0].value<std::vector<NodeId>>(), std::vector{node("b")});
        m_field->setText("nothing has this name");
        QVERIFY2(count().startsWith("No node matches nothing"), qPrintable(count()));
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(!popup().isVisible());
        QVERIFY(found.back()[0].value<std::vector<NodeId>>().empty());
    }

    void allHitsHaveRoomBesideALongQuery()
    {
        m_field->setText("op:gelu|tanh|relu|silu|softmax|sigmoid|layer_norm|embedding|linear|convolution|gelu|tanh|relu|silu");
        const auto* list = popup().findChild<QListView*>("list");
        QVERIFY(list->model()->rowCount() >= 3);
        const QRect last = list->visualRect(list->model()->index(list->model()->rowCount() - 1, 0));
        QVERIFY2(last.bottom() < list->viewport()->height(),
                 qPrintable(QString("%1 of %2").arg(last.bottom()).arg(list->viewport()->height())));
        for (const char* name : {"query", "count"}) {
            const auto* label = popup().findChild<QLabel*>(name);
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
            QVERIFY2(popup().rect().contains(label->mapTo(&popup(), label->rect().bottomRight())), name);
        }
    }

    void explainsMistakesAndWhatNothingIs()
    {
        m_field->setText("opp:gelu");
        QVERIFY2(count().contains("did you mean op:?"), qPrintable(count()));
        m_field->setText("op:gel");
        QCOMPARE(count(), QString("No node matches op:gel; there is op:gelu"));
    }

    /// Otherwise the keys that correct it would be commands of the graph, such as P to paint.
    void enterKeepsTheFocusInAQueryWithoutHits()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        m_field->setFocus();
        QTest::keyClicks(m_field, "opp:gelu");
        for (const Qt::KeyboardModifier modifier : {Qt::NoModifier, Qt::ControlModifier, Qt::AltModifier}) {
            QTest::keyClick(m_field, Qt::Key_Return, modifier);
            QVERIFY(m_field->hasFocus() && popup().isVisible());
            QVERIFY2(count().contains("did you mean op:?"), qPrintable(count()));
        }
        m_field->setText("op:gelu");
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(!popup().isVisible());
    }

    void tabCompletesTheLastWord()
    {
        QTest::keyClicks(m_field, "op:ge");
        QTest::keyClick(m_field, Qt::Key_Tab);
        QCOMPARE(m_field->text(), QString("op:gelu"));
        QCOMPARE(m_field->model().hits(), std::vector{node("b")});
        m_field->clear();
        QTest::keyClicks(m_field, "ta");
        QTest::keyClick(m_field, Qt::Key_Tab);
        QCOMPARE(m_field->text(), QString("tag:"));
    }

    /// Alt with a digit is reserved for bookmarks, with any focus.
    void anotherTagIsChosenFromTheMenuOfTheButton()
    {
        m_field->setText("op:gelu|tanh");
        QTest::keyClick(m_field, Qt::Key_1, Qt::AltModifier);
        QCOMPARE(m_document->tags()[node("b")], -1);
        m_field->setText("op:gelu|tanh"); // without the shortcuts of a window, the digit was typed here
        auto* paint = popup().findChild<QToolButton*>("paint");
        const auto choose = [&](const QString& title) {
            emit paint->menu()->aboutToShow();
            for (QAction* action : paint->menu()->actions())
                if (action->text() == title)
                    action->trigger();
        };
        choose("Paint all with stage0");
        QCOMPARE(m_document->tags()[node("b")], 0);
        QCOMPARE(m_document->tags()[node("c")], 0);
        QCOMPARE(m_document->tags()[node("a")], -1);
        QCOMPARE(selected(), (std::vector{node("b"), node("c")}));
        choose("Erase their tags");
        QCOMPARE(m_document->tags()[node("b")], -1);
    }

    void offersWhatToSearchByAndTheLastSearches()
    {
        QSettings().remove("search/recent");
        m_field->setText("op:gelu");
        QTest::keyClick(m_field, Qt::Key_Return);
        m_field->setText("op:nothing");
        QTest::keyClick(m_field, Qt::Key_Return); // no matches: not added to recent searches
        m_field->clear();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), test::kHangMs));
        m_field->clearFocus();
        m_field->setFocus();
        auto* offers = popup().findChild<QTreeWidget*>("offers");
        QVERIFY(popup().isVisible() && offers->isVisible());
        QCOMPARE(offers->topLevelItem(0)->text(0), QString("op:gelu"));
        const QRect last = offers->visualItemRect(offers->topLevelItem(offers->topLevelItemCount() - 1));
        QVERIFY2(last.bottom() < offers->viewport()->height(),
                 qPrintable(QString::number(last.bottom()))); // all visible without scrolling
        QStringList queries;
        for (int row = 0; row < offers->topLevelItemCount(); ++row)
            queries << offers->topLevelItem(row)->text(0);
        for (const char* prefix : {"op:", "class:", "module:", "tag:", "name:", "shape:", "dtype:", "bytes>", "weights>"})
            QVERIFY2(queries.contains(prefix), prefix);
        QVERIFY(!queries.contains("op:nothing"));
        QTest::keyClick(m_field, Qt::Key_Down);
        QTest::keyClick(m_field, Qt::Key_Return);
        QCOMPARE(m_field->text(), QString("op:gelu"));
        QVERIFY(!offers->isVisible());
        QCOMPARE(m_field->model().hits(), std::vector{node("b")});
    }

    void aLongQueryIsReadInThePopup()
    {
        auto* query = popup().findChild<QLabel*>("query");
        m_field->setText("op:gelu");
        QVERIFY(query->isHidden());
        const QString longQuery = "op:gelu|tanh -module:layers.0.attention.self.query shape:[1, *, 16] bytes>1MB";
        m_field->setText(longQuery);
        QVERIFY(query->isVisible());
        QCOMPARE(query->text(), longQuery);
    }

    void altAndEnterOrTheButtonPaintsAllHitsWithTheActiveTag()
    {
        m_document->tagList().setActive(1);
        m_field->setText("op:gelu|tanh");
        auto* paint = popup().findChild<QToolButton*>("paint");
        QCOMPARE(paint->text(), QString("Paint 2 ops with stage1"));
        QTest::keyClick(m_field, Qt::Key_Return, Qt::AltModifier);
        QCOMPARE(m_document->tags()[node("b")], 1);
        QCOMPARE(m_document->steps().undoText(), QString("Paint hits of op:gelu|tanh with stage1: 2 ops"));
        paint->click();
        QCOMPARE(m_document->tags()[node("c")], 1);
        m_document->tagList().setActive(0);
        QCOMPARE(paint->text(), QString("Paint 2 ops with stage0"));
    }

    void aChosenHitIsToBeOpened()
    {
        QSignalSpy chosen(m_field, &SearchField::chosen);
        m_field->setText("op:gelu");
        QTest::keyClick(m_field, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<NodeId>(), node("b"));
    }

    void arrowsPreviewAndReturnGoesThere()
    {
        QSignalSpy revealed(&m_document->marks(), &Marks::revealRequested);
        m_field->setText("tag:none");
        QCOMPARE(m_field->model().rowCount(), 3);
        QTest::keyClick(m_field, Qt::Key_Down);
        QCOMPARE(selected(), std::vector{node("a")});
        QTest::keyClick(m_field, Qt::Key_PageDown);
        QCOMPARE(selected(), std::vector{node("c")});
        QTest::keyClick(m_field, Qt::Key_Down); // it is the last one
        QCOMPARE(selected(), std::vector{node("c")});
        QTest::keyClick(m_field, Qt::Key_Up);
        QCOMPARE(selected(), std::vector{node("b")});
        QTest::keyClick(m_field, Qt::Key_PageUp);
        QCOMPARE(selected(), std::vector{node("a")});
        QCOMPARE(revealed.size(), 5);
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(!popup().isVisible());
        QCOMPARE(selected(), std::vector{node("a")});
    }

    void controlReturnSelectsAll()
    {
        m_field->setText("tag:none");
        QTest::keyClick(m_field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(selected(), (std::vector{node("a"), node("b"), node("c")}));
    }

    void escapeForgetsTheSearch()
    {
        m_field->setText("a");
        QTest::keyClick(m_field, Qt::Key_Escape);
        QVERIFY(m_field->text().isEmpty());
        QVERIFY(!popup().isVisible());
    }

    void aClickOnAHitGoesThere()
    {
        m_field->setText("op:tanh");
        auto& list = *popup().findChild<QListView*>();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(list.model()->index(0, 0)).center());
        QCOMPARE(selected(), std::vector{node("c")});
        QVERIFY(!popup().isVisible());
    }

    void thePopupStaysBelowTheFieldInTheWindow()
    {
        m_field->setText("a");
        m_window->resize(820, 300);
        QVERIFY(m_window->rect().contains(popup().geometry()));
        QVERIFY(popup().geometry().top() >= m_field->geometry().bottom());
    }

    void anotherModelEndsTheSearch()
    {
        m_field->setText("op:tanh");
        m_document->close();
        QVERIFY(m_field->text().isEmpty());
        QVERIFY(!m_field->isEnabled());
    }

    /// Return pressed before the matches are ready takes effect when they arrive.
    void returnWaitsForTheHitsOfALargeModel()
    {
        std::string lines = "n0 = placeholder()\n";
        for (int i = 1; i <= 31'000; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ")\n";
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText(lines + "output(n31000)\n"))),
                         "/tmp/large.fxj");
        m_field->setText("n30999");
        QTest::keyClick(m_field, Qt::Key_Return);
        QVERIFY(selected().empty());
        QTRY_COMPARE(selected(), std::vector{node("n30999")});
    }

private:
    void show()
    {
        m_window = std::make_unique<QWidget>();
        m_window->resize(900, 600);
        m_field = new SearchField(*m_document, m_jobs, m_window.get());
        m_field->setGeometry(600, 10, 200, 26);
        m_window->show();
        m_field->setFocus();
    }

    QFrame& popup() const { return *m_window->findChild<QFrame*>("searchPopup"); }
    QString count() const { return popup().findChild<QLabel*>("count")->text(); }

    Jobs m_jobs;
    std::unique_ptr<QWidget> m_window;
    SearchField* m_field = nullptr;
};

const test::Registered<SearchFieldTest> searchFieldTest("search_field_test");
#include "search_field_test.moc"
