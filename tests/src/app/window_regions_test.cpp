#include "layered_text.h"
#include "panels/search_field.h"
#include "panes/regions/region_card_model.h"
#include "panes/regions/regions_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QElapsedTimer>
#include <QMenu>
#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>

using namespace sunder;

namespace {

/// A chain of layers of three ops that repeat each other, behind an op and before another.
std::string layers(int count)
{
    return "x = placeholder() : 4\nfirst = call_function[torch.sin](x) : 4\n"
        + test::layersText({"bent_# = call_function[torch.mul](@, 2)", "mixed_# = call_function[torch.cos](@)",
                            "done_# = call_function[torch.tanh](@)"},
                           count, "first")
        + "last = call_function[torch.nn.functional.gelu](done_" + std::to_string(count - 1) + ") : 4\noutput(last)\n";
}

} // namespace

/// The Regions pane in the real window.
class WindowRegionsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_model = m_folder.filePath("layers.fxj");
        QVERIFY(writeFxJson(test::programFromText(layers(4)), m_model.toStdString()).has_value());
    }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void showsAGroupAsACardWithItsOccurrencesInOrder()
    {
        find(false);
        QCOMPARE(pane().cards().model()->rowCount(), 1);
        const QModelIndex card = pane().cards().model()->index(0, 0);
        QCOMPARE(card.data().toString(), QStringLiteral("R1 ×4"));
        QCOMPARE(card.data(RegionCardModel::DetailRole).toString(), QStringLiteral("saves 9 ops"));
        QCOMPARE(card.data(RegionCardModel::OpsRole).toString(), QStringLiteral("3 ops"));
        QVERIFY(card.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("3 ops each")));
        QCOMPARE(namesInRail(), (QStringList{"layers.0", "layers.1", "layers.2", "layers.3"}));
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        const QString why = pane().reasons().model()->index(0, 0).data().toString();
        QVERIFY2(why.contains(QStringLiteral("layers.0: first calls torch.sin, not torch.tanh")), qPrintable(why));
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
        m_window->document().hideRun(RegionsOutcome::kKind);
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
        pane().options().shareChoice().trigger();
        QTRY_VERIFY(m_window->document().shownRegions()->dedup.has_value());
        QTRY_VERIFY(pane().graph().nodeAt(0).isValid());
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        QTest::qWait(20);
        QVERIFY(pane().options().shareChoice().isChecked());
        QVERIFY2(pane().header().status().contains("proven equal"), qPrintable(pane().header().status()));
        QCOMPARE(pane().graph().graphId(), m_window->document().shownRegions()->dedup->subgraphs.front().graph);
        pane().tabs().setCurrentIndex(1);
        QVERIFY(pane().graphInFront() != &pane().graph());
        pane().tabs().setCurrentIndex(0);
        clickIn(pane().graph().canvas(), pane().graph().nodeAt(1));
        QCOMPARE(selected(), std::vector{node("mixed_0")});
    }

    void callsInTheMainGraphWearTheTagsOfTheirOccurrence()
    {
        find(true);
        const SharedSubgraph& shared = m_window->document().shownRegions()->dedup->subgraphs.front();
        QCOMPARE(shared.regions.size(), shared.calls.size());
        m_window->document().paint(std::array{node("bent_1"), node("mixed_1")}, 0);
        m_window->document().paint(std::array{node("done_1"), node("first")}, 1);
        pane().tabs().setCurrentIndex(1);
        CanvasWidget& main = pane().graphInFront()->canvas();
        QTRY_VERIFY(main.picture() != nullptr && !main.picture()->items.empty());
        const auto itemOfCall = [&](std::size_t occurrence) {
            const auto at = std::ranges::find(shared.regions, occurrence) - shared.regions.begin();
            return main.scene().itemOf(shared.calls[static_cast<std::size_t>(at)]);
        };
        const std::size_t painted = occurrenceWith("bent_1");
        QCOMPARE(main.scene().looks().strip(itemOfCall(painted)).size(), std::size_t(2));
        QVERIFY2(main.describeItem(itemOfCall(painted)).contains("stage0 67 % (2 ops), stage1 33 % (1 op)"),
                 qPrintable(main.describeItem(itemOfCall(painted))));
        QCOMPARE(main.scene().looks()[itemOfCall(occurrenceWith("bent_2"))].tag, PictureStyle::kUntagged);
        QCOMPARE(main.pictureStyle().tag(m_window->document().shownRegions()->dedup->program.rootGraph().find(intern("first"))),
                 1);

        m_window->searchField().setText(QStringLiteral("mixed_2")); // one call of four has it
        QVERIFY(main.scene().looks()[itemOfCall(occurrenceWith("mixed_2"))].found);
        QVERIFY(!main.scene().looks()[itemOfCall(painted)].found);
        m_window->searchField().clear();
        m_window->document().select({node("done_1")});
        QVERIFY(main.scene().looks()[itemOfCall(painted)].counterpart);
    }

    void announcesOnlyRowsThatChange()
    {
        find(false);
        QSignalSpy changes(pane().rail().model(), &QAbstractItemModel::dataChanged);
        QSignalSpy resets(pane().rail().model(), &QAbstractItemModel::modelReset);
        m_window->document().setHovered({node("bent_1"), node("mixed_1"), node("done_1")}); // all of an occurrence
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 1);
        QCOMPARE(changes[0][1].toModelIndex().row(), 1);
        m_window->document().setHovered({node("first")}); // of no occurrence
        QCOMPARE(changes.size(), 2);
        m_window->document().setHovered({node("last")});
        QCOMPARE(changes.size(), 2);
        QCOMPARE(resets.size(), 0);
    }

    void hoveringAThousandOccurrencesIsFast()
    {
        m_model = m_folder.filePath("thousand.fxj");
        QVERIFY(writeFxJson(test::programFromText(layers(1'000)), m_model.toStdString()).has_value());
        find(false);
        m_model = m_folder.filePath("layers.fxj");
        QCOMPARE(pane().rail().model()->rowCount(), 1'000);
        QTRY_COMPARE(namesInRail().value(999), QStringLiteral("layers.999"));
        constexpr int kHovers = 200;
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < kHovers; ++i) {
            const std::string layer = std::to_string(i);
            m_window->document().setHovered({node(("bent_" + layer).c_str())});
        }
        const double each = static_cast<double>(clock.nsecsElapsed()) / 1e6 / kHovers;
        qInfo("hover over one of 1,000 occurrences: %.3f ms", each);
        std::vector<NodeId> all;
        for (int i = 0; i < 1'000; ++i)
            all.push_back(node(("bent_" + std::to_string(i)).c_str()));
        clock.start();
        m_window->document().setHovered(std::move(all));
        const double whole = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        qInfo("hover over a place of all 1,000: %.3f ms", whole);
        QVERIFY2(each < 16 && whole < 50, qPrintable(QStringLiteral("%1 ms, %2 ms").arg(each).arg(whole)));
    }

    void hitsOfTheSearchAreMarkedInTheRepresentative()
    {
        find(false);
        m_window->searchField().setText(QStringLiteral("mixed_3"));
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(pane().graph().nodeAt(1)));
        m_window->searchField().clear();
        QVERIFY(pane().graph().canvas().pictureStyle().found.empty());
    }

    void worksByKeysAloneAndIsAnnounced()
    {
        find(false);
        pane().cards().setFocus();
        QStringList names; // of what Tab leads to
        for (int i = 0; i < 12 && !names.contains(pane().paintButton().accessibleName()); ++i) {
            names << QApplication::focusWidget()->accessibleName();
            QVERIFY2(!names.back().isEmpty(), QApplication::focusWidget()->metaObject()->className());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (const QWidget* widget :
             {static_cast<QWidget*>(&pane().reasons()), static_cast<QWidget*>(&pane().rail()),
              static_cast<QWidget*>(&pane().graph().canvas()), static_cast<QWidget*>(&pane().elsewhere())})
            QVERIFY2(names.contains(widget->accessibleName()), qPrintable(widget->accessibleName()));
        QAccessibleInterface* rail = QAccessible::queryAccessibleInterface(&pane().rail());
        QVERIFY(rail != nullptr && rail->tableInterface() != nullptr);
        QCOMPARE(rail->tableInterface()->rowCount(), 4);
        QTRY_COMPARE(rail->tableInterface()->cellAt(2, 0)->text(QAccessible::Name),
                     QStringLiteral("layers.2, occurrence 3 of 4"));
        pane().rail().setFocus();
        QTest::keyClick(&pane().rail(), Qt::Key_End);
        QCOMPARE(selected(), (std::vector{node("bent_3"), node("mixed_3"), node("done_3")}));
        pane().paintButton().setFocus();
        QTest::keyClick(&pane().paintButton(), Qt::Key_Space);
        QCOMPARE(m_window->document().tags()[node("bent_0")], m_window->document().activeTag());
    }

    void tabGoesThroughThePaneFromLeftToRight()
    {
        find(true);
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        QTRY_VERIFY(pane().graphInFront() != nullptr);
        pane().cards().setFocus();
        for (const QWidget* next :
             std::initializer_list<const QWidget*>{&pane().reasons(), &pane().rail(), pane().findChild<QTabBar*>(),
                                                   &pane().graphInFront()->canvas(), &pane().elsewhere()}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY2(next->hasFocus(), QApplication::focusWidget()->metaObject()->className());
        }
        m_window->sourcePane().canvas().setFocus();
        QWidget* at = nullptr;
        for (int i = 0; i < 20 && at != &pane().cards(); ++i) {
            m_window->actions().nextArea->trigger();
            at = QApplication::focusWidget();
        }
        QCOMPARE(at, &pane().cards()); // what one works with first
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
        m_window->actions().pass("findRegions")->trigger();
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
        m_window->actions().pass("findRegions")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().shownRegions() != nullptr, 60'000);
        QCOMPARE(pane().cards().model()->rowCount(), 1);
        QCOMPARE(pane().cards().model()->index(0, 0).data().toString(), QStringLiteral("R1 ×32"));
        QTRY_COMPARE_WITH_TIMEOUT(namesInRail().value(14), QStringLiteral("layers.14"), 60'000);
        opensTheLayerFitted();
        m_window->actions().pass("deduplicate")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->document().shownRegions()->dedup.has_value(), 60'000);
        opensTheLayerFitted();
    }

private:
    /// Its modules, with short names and their weights in them, all in sight; what all layers read is chips.
    void opensTheLayerFitted()
    {
        CanvasWidget& canvas = pane().graph().canvas();
        QTRY_VERIFY(canvas.picture() != nullptr && !canvas.picture()->items.empty());
        QTest::qWait(50);
        QStringList titles;
        for (const Item& item : canvas.picture()->items) {
            if (item.opCount > 0)
                titles << QString::fromStdString(item.title);
            QVERIFY2(QRectF(canvas.rect())
                         .contains(canvas.viewRectOf(ItemId(static_cast<std::uint32_t>(&item - canvas.picture()->items.data())))),
                     item.title.c_str());
        }
        QCOMPARE(titles, (QStringList{"input_layernorm", "self_attn", "add", "post_attention_layernorm", "mlp"}));
        QVERIFY(canvas.camera().zoom() >= 0.8);
        QVERIFY(std::ranges::count_if(canvas.picture()->items, [](const Item& item) { return item.title == "input"; }) == 1);
    }

    /// Which occurrence has this node.
    std::size_t occurrenceWith(const char* name)
    {
        const RegionGroup& group = m_window->document().shownRegions()->regions.groups.front();
        const auto at = std::ranges::find(group.nodes, node(name)) - group.nodes.begin();
        return static_cast<std::size_t>(at) / group.length;
    }

    RegionsPane& pane() { return m_window->regionsPane(); }
    const std::vector<NodeId>& selected() { return m_window->document().selection().source; }

    void find(bool share)
    {
        if (!m_window->document().isOpen())
            openModel();
        const int before = m_window->document().shownRun(RegionsOutcome::kKind);
        (share ? m_window->actions().pass("deduplicate") : m_window->actions().pass("findRegions"))->trigger();
        QTRY_VERIFY(m_window->document().shownRun(RegionsOutcome::kKind) != before);
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

const test::Registered<WindowRegionsTest> windowRegionsTest("window_regions_test");
#include "window_regions_test.moc"
