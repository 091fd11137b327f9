#include "panes/regions/regions_pane.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QMenu>

#include <algorithm>

using namespace sunder;

namespace {

/// Four layers of three ops that repeat each other, and a last one that has another constant in its first op.
const char* const kLayers = R"(
    x = placeholder() : 4
    first = sin(x) : 4
    bent_0 = mul(first, 2) : 4 @ layers.0 Layer
    mixed_0 = cos(bent_0) : 4 @ layers.0 Layer
    done_0 = tanh(mixed_0) : 4 @ layers.0 Layer
    bent_1 = mul(done_0, 2) : 4 @ layers.1 Layer
    mixed_1 = cos(bent_1) : 4 @ layers.1 Layer
    done_1 = tanh(mixed_1) : 4 @ layers.1 Layer
    bent_2 = mul(done_1, 2) : 4 @ layers.2 Layer
    mixed_2 = cos(bent_2) : 4 @ layers.2 Layer
    done_2 = tanh(mixed_2) : 4 @ layers.2 Layer
    bent_3 = mul(done_2, 2) : 4 @ layers.3 Layer
    mixed_3 = cos(bent_3) : 4 @ layers.3 Layer
    done_3 = tanh(mixed_3) : 4 @ layers.3 Layer
    last = gelu(done_3) : 4
    output(last)
)";

} // namespace

/// The Regions pane in the real window.
class WindowRegionsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_model = m_folder.filePath("layers.fxj");
        QVERIFY(writeFxJson(test::programFromText(kLayers), m_model.toStdString()).has_value());
    }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void showsAGroupAsACardWithItsOccurrencesInOrder()
    {
        find(false);
        QCOMPARE(pane().cards().model()->rowCount(), 1);
        const QModelIndex card = pane().cards().model()->index(0, 0);
        QCOMPARE(card.data().toString(), QStringLiteral("R1 ×4"));
        QCOMPARE(card.data(RegionCardModel::DetailRole).toString(), QStringLiteral("3 ops each · saves 9"));
        QCOMPARE(namesInRail(), (QStringList{"layers.0", "layers.1", "layers.2", "layers.3"}));
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        const QString why = pane().reasons().model()->index(0, 0).data().toString();
        QVERIFY2(why.contains(QStringLiteral("layers.0: first calls test.sin, not test.tanh")), qPrintable(why));
    }

    void modelsKeepTheirPromises()
    {
        find(false);
        QAbstractItemModelTester cards(pane().cards().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester rail(pane().rail().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester reasons(pane().reasons().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        m_window->document().select({node("mixed_2")});
        m_window->document().paint(std::array{node("mixed_2")}, 0);
        find(true);
        m_window->document().hideRun(ResultKind::regions);
        QCOMPARE(pane().cards().model()->rowCount(), 0);
    }

    void goesToAnOccurrenceByMouseAndKeys()
    {
        find(false);
        clickRow(pane().rail(), 2);
        QCOMPARE(selected(), (std::vector{node("bent_2"), node("mixed_2"), node("done_2")}));
        QTest::keyClick(&pane().rail(), Qt::Key_Down);
        QCOMPARE(selected(), (std::vector{node("bent_3"), node("mixed_3"), node("done_3")}));
        QTest::keyClick(&pane().rail(), Qt::Key_Home);
        QCOMPARE(selected(), (std::vector{node("bent_0"), node("mixed_0"), node("done_0")}));
        QVERIFY(m_window->sourcePane().canvas().pictureStyle().selected.contains(node("mixed_0")));
    }

    void linksTheRepresentativeWithTheOccurrenceInSight()
    {
        find(false);
        clickRow(pane().rail(), 1);
        clickIn(pane().graph().canvas(), pane().graph().nodeAt(1));
        QCOMPARE(selected(), std::vector{node("mixed_1")});
        QCOMPARE(nodesInList(), (QStringList{"mixed_0", "mixed_1", "mixed_2", "mixed_3"}));
        clickRow(pane().elsewhere(), 3);
        QCOMPARE(selected(), std::vector{node("mixed_3")});
        QCOMPARE(pane().rail().currentIndex().row(), 3);
        // And back: what is selected in the source is shown here.
        m_window->document().select({node("done_2")});
        QCOMPARE(pane().rail().currentIndex().row(), 2);
        QVERIFY(pane().graph().canvas().pictureStyle().selected.contains(pane().graph().nodeAt(2)));
    }

    void hoveringShowsThePlaceInAllOccurrences()
    {
        find(false);
        CanvasWidget& canvas = pane().graph().canvas();
        canvas.fitAll();
        const ItemId item = canvas.picture()->itemOf[pane().graph().nodeAt(0).index()];
        QTest::mouseMove(&canvas, canvas.viewRectOf(item).center().toPoint());
        QTRY_COMPARE(m_window->document().hovered(),
                     (std::vector{node("bent_0"), node("bent_1"), node("bent_2"), node("bent_3")}));
        QCOMPARE(nodesInList(), (QStringList{"bent_0", "bent_1", "bent_2", "bent_3"}));
    }

    void paintsAllOccurrencesInOneNamedStep()
    {
        find(false);
        m_window->document().setActiveTag(1);
        const int steps = m_window->document().undoStack().count();
        QTest::mouseClick(&pane().paintButton(), Qt::LeftButton, {}, QPoint(20, pane().paintButton().height() / 2));
        QCOMPARE(m_window->document().undoStack().count(), steps + 1);
        QCOMPARE(m_window->document().undoStack().undoText(), QStringLiteral("Paint R1 ×4: 12 ops"));
        for (const char* name : {"bent_0", "mixed_1", "done_3"})
            QCOMPARE(m_window->document().tags()[node(name)], 1);
        QCOMPARE(m_window->document().tags()[node("first")], -1);
        const auto shares = pane().rail().model()->index(0, 0).data(OccurrenceModel::SharesRole).value<TagShares>();
        QCOMPARE(shares.size(), 1U);
        QCOMPARE(shares.front().tag, 1);
        m_window->document().undoStack().undo();
        QCOMPARE(m_window->document().tags()[node("bent_0")], -1);
    }

    void offersAllOccurrencesForASelectionInOne()
    {
        find(false);
        m_window->document().select({node("mixed_1")});
        QMenu menu;
        pane().addOccurrenceActions(menu);
        QCOMPARE(menu.actions().size(), 1);
        QMenu* all = menu.actions().front()->menu();
        QVERIFY(all != nullptr);
        QVERIFY(menu.actions().front()->text().contains(QStringLiteral("R1 ×4")));
        all->actions().front()->trigger();
        QCOMPARE(selected().size(), 12U);
        m_window->document().select({node("first")});
        QMenu none;
        pane().addOccurrenceActions(none);
        QVERIFY(none.actions().isEmpty());
    }

    void switchesToDeduplicateAndShowsItsGraphs()
    {
        find(false);
        QTest::mouseClick(&pane().options().shareButton(), Qt::LeftButton);
        QTRY_VERIFY(m_window->document().shownRegions()->dedup.has_value());
        QTRY_VERIFY(pane().graph().nodeAt(0).isValid());
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        QTest::qWait(20);
        QVERIFY(pane().options().shareButton().isChecked());
        QVERIFY2(pane().header().status().contains("proven equal"), qPrintable(pane().header().status()));
        QCOMPARE(pane().graph().graphId(), m_window->document().shownRegions()->dedup->subgraphs.front().graph);
        clickIn(pane().graph().canvas(), pane().graph().nodeAt(1));
        QCOMPARE(selected(), std::vector{node("mixed_0")});
    }

    void leadsFromAReasonToTheNode()
    {
        find(false);
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        clickRow(pane().reasons(), 0);
        QVERIFY(std::ranges::find(selected(), node("first")) != selected().end());
    }

    void saysThatNothingRepeats()
    {
        test::WindowFixture::prepare(); // the chain
        m_window->openModel(m_folder.filePath("chain.fxj"));
        QTRY_VERIFY(m_window->document().isOpen());
        m_window->actions().findRegions->trigger();
        QTRY_VERIFY(m_window->document().shownRegions() != nullptr);
        QVERIFY(pane().isVisible());
        QVERIFY(pane().emptyText().contains(QStringLiteral("Nothing in this model repeats")));
        m_model = m_folder.filePath("layers.fxj");
    }

    void showsThirtyTwoDecoderLayersAsOneCard()
    {
        const QString model = QString::fromStdString(test::sharedFolder()) + QStringLiteral("/samples/models/decoder32.pt2");
        if (!QFile::exists(model))
            QSKIP("sample models are not there");
        m_window->openModel(model);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().isOpen(), 60'000);
        m_window->actions().findRegions->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().shownRegions() != nullptr, 60'000);
        QCOMPARE(pane().cards().model()->rowCount(), 1);
        QCOMPARE(pane().cards().model()->index(0, 0).data().toString(), QStringLiteral("R1 ×32"));
        QTRY_COMPARE_WITH_TIMEOUT(namesInRail().value(14), QStringLiteral("layers.14"), 60'000);
    }

private:
    RegionsPane& pane() { return m_window->regionsPane(); }
    const std::vector<NodeId>& selected() { return m_window->document().selection().source; }

    void find(bool share)
    {
        if (!m_window->document().isOpen())
            openModel();
        const int before = m_window->document().shownRun(ResultKind::regions);
        (share ? m_window->actions().deduplicate : m_window->actions().findRegions)->trigger();
        QTRY_VERIFY(m_window->document().shownRun(ResultKind::regions) != before);
        QVERIFY(pane().isVisible());
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        QTest::qWait(20);
    }

    static void clickRow(QListView& view, int row)
    {
        const QModelIndex index = view.model()->index(row, 0);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }

    QStringList namesInRail()
    {
        QStringList names;
        for (int row = 0; row < pane().rail().model()->rowCount(); ++row)
            names << pane().rail().model()->index(row, 0).data().toString();
        return names;
    }

    QStringList nodesInList()
    {
        QStringList names;
        for (int row = 0; row < pane().elsewhere().model()->rowCount(); ++row)
            names << pane().elsewhere().model()->index(row, 0).data(OccurrenceModel::NodeRole).toString();
        return names;
    }
};

QTEST_MAIN(WindowRegionsTest)
#include "window_regions_test.moc"
