#include "models/elided_label.h"
#include "panes/regions/region_cards_panel.h"
#include "regions_fixture.h"
#include "test_case.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QFontDatabase>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

using namespace sunder;

/// The Regions pane in the real window.
class WindowRegionsTest final : public test::RegionsFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareLayers(); }
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
        QVERIFY2(why.contains(QStringLiteral("in layers.0, the input first calls torch.sin, not torch.tanh as elsewhere")),
                 qPrintable(why));
    }

    void sumsUpWhichOpsAreNotShared()
    {
        find(true);
        QVERIFY2(pane().side().restTitle() == QStringLiteral("2 not shared"), qPrintable(pane().side().restTitle()));
        QListView& rest = pane().side().rest();
        QCOMPARE(rest.model()->rowCount(), 2);
        // named after the module of its reader
        QCOMPARE(rest.model()->index(0, 0).data().toString(), QStringLiteral("1 op in layers.*"));
        const QModelIndex outside = rest.model()->index(1, 0);
        QCOMPARE(outside.data().toString(), QStringLiteral("1 op outside all modules"));
        QVERIFY(rest.isVisible());
        rest.scrollTo(outside);
        QTest::mouseClick(rest.viewport(), Qt::LeftButton, {}, rest.visualRect(outside).center());
        QCOMPARE(selected(), std::vector{node("last")});
    }

    void namesOfOccurrencesGrowWithThePane()
    {
        const QScopedValueRollback model(m_model, layersIn("encoder.stack", "a_rather_long_name_of_an_op"));
        find(false);
        const int before = pane().elsewhere().width();
        pane().resize(pane().width() + 600, pane().height()); // like a maximized pane
        QVERIFY2(pane().elsewhere().width() > before,
                 qPrintable(QString("%1, was %2").arg(pane().elsewhere().width()).arg(before)));
        const auto titles = pane().findChildren<ElidedLabel*>(QStringLiteral("title"));
        QVERIFY(std::ranges::any_of(titles, [](const ElidedLabel* title) {
            return title->line() == QStringLiteral("Occurrences") && title->text() == title->line();
        }));
        pane().resize(3000, pane().height()); // the graph gets what the names do not need
        const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        QVERIFY2(pane().elsewhere().width() < fixed.horizontalAdvance("layers.0 a_rather_long_name_of_an_op_0") + 120,
                 qPrintable(QString::number(pane().elsewhere().width())));
    }

    void theListOfOccurrencesIsAsNarrowAsItsNames()
    {
        const QScopedValueRollback model(m_model, layersIn("encoder", "op"));
        find(false);
        QTRY_COMPARE(namesInRail().value(1), QStringLiteral("encoder.layers.1"));
        const QModelIndex row = pane().elsewhere().model()->index(1, 0);
        QCOMPARE(row.data(OccurrenceModel::ShortRole).toString(), QStringLiteral("layers.1"));
        const auto places = pane().findChildren<ElidedLabel*>(QStringLiteral("place"));
        QVERIFY(std::ranges::any_of(places, [](const ElidedLabel* place) { return place->line() == "4 in encoder"; }));
        pane().resize(1600, pane().height());
        settle();
        const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        QVERIFY2(pane().elsewhere().width() < fixed.horizontalAdvance("layers.1 op_1s") + 90,
                 qPrintable(QString::number(pane().elsewhere().width())));
    }

    void theButtonBelowTheOccurrencesNamesTheTagIfThereIsRoom()
    {
        find(false);
        QWidget* holder = paintAll().parentWidget();
        holder->resize(holder->minimumSizeHint().width(), holder->height());
        QCOMPARE(paintAll().text(), QStringLiteral("Paint all"));
        holder->resize(300, holder->height());
        QCOMPARE(paintAll().text(), QStringLiteral("Paint all: S0"));
    }

    void modelsKeepTheirPromises()
    {
        find(false);
        QAbstractItemModelTester cards(pane().cards().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester rail(pane().rail().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester reasons(pane().reasons().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        document().marks().select({node("mixed_2")});
        document().painting().paint(std::array{node("mixed_2")}, 0);
        find(true);
        document().runs().hide(RegionsOutcome::kKind);
        QCOMPARE(pane().cards().model()->rowCount(), 0);
    }

    void paintsAllOccurrencesInOneNamedStep()
    {
        find(false);
        document().tagList().setActive(1);
        const int steps = document().steps().count();
        QTest::mouseClick(&pane().paintButton(), Qt::LeftButton, {}, QPoint(20, pane().paintButton().height() / 2));
        QCOMPARE(document().steps().count(), steps + 1);
        QCOMPARE(document().steps().undoText(), QStringLiteral("Paint R1 ×4 with stage1: 12 ops"));
        for (const char* name : {"bent_0", "mixed_1", "done_3"})
            QCOMPARE(document().tags()[node(name)], 1);
        QCOMPARE(document().tags()[node("first")], -1);
        const auto shares = pane().rail().model()->index(0, 0).data(OccurrenceModel::SharesRole).value<TagShares>();
        QCOMPARE(shares.size(), 1U);
        QCOMPARE(shares.front().tag, 1);
        document().undo();
        QCOMPARE(document().tags()[node("bent_0")], -1);
    }

    void offersAllOccurrencesForASelectionInOne()
    {
        find(false);
        document().marks().select({node("mixed_1")});
        QMenu menu;
        pane().addOccurrenceActions(menu);
        QCOMPARE(menu.actions().size(), 1);
        QMenu* all = menu.actions().front()->menu();
        QVERIFY(all != nullptr);
        QVERIFY(menu.actions().front()->text().contains(QStringLiteral("R1 ×4")));
        all->actions().front()->trigger();
        QCOMPARE(selected().size(), 12U);
        document().marks().select({node("first")});
        QMenu none;
        pane().addOccurrenceActions(none);
        QVERIFY(none.actions().isEmpty());
    }

    void keepsOtherOptionsWhenOneIsChosen()
    {
        find(false);
        const auto shown = [this] { return document().runs().shown<RegionsOutcomePtr>(); };
        pane().options().action("asUpstream").trigger();
        QTRY_COMPARE(shown()->options, (PassOptions{{"asUpstream", true}}));
        QTRY_VERIFY(pane().options().action("asUpstream").isChecked());
        pane().options().action("key=structural").trigger();
        QTRY_COMPARE(shown()->options, (PassOptions{{"asUpstream", true}, {"key", "structural"}}));
        QCOMPARE(shown()->pass, QString("findRegions"));
        QTRY_VERIFY(pane().options().action("key=structural").isChecked() && pane().options().action("asUpstream").isChecked());
        pane().options().action("key=").trigger();
        QTRY_COMPARE(shown()->options, (PassOptions{{"asUpstream", true}}));
    }

    void switchesToDeduplicateAndShowsItsGraphs()
    {
        find(false);
        pane().options().action("deduplicate").trigger();
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>()->dedup.has_value());
        QTRY_VERIFY(pane().graph().nodeAt(0).isValid());
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        settle();
        QVERIFY(pane().options().action("deduplicate").isChecked());
        QVERIFY2(pane().header().status().endsWith(" · equivalent"), qPrintable(pane().header().status()));
        QCOMPARE(pane().graph().graphId(), document().runs().shown<RegionsOutcomePtr>()->dedup->subgraphs.front().graph);
        pane().tabs().setCurrentIndex(1);
        QVERIFY(pane().graphInFront() != &pane().graph());
        pane().tabs().setCurrentIndex(0);
        clickIn(pane().graph().canvas(), pane().graph().nodeAt(1));
        QCOMPARE(selected(), std::vector{node("mixed_0")});
    }

    void worksByKeysAloneAndIsAnnounced()
    {
        find(false);
        pane().cards().setFocus();
        QStringList names; // reached by Tab
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
        QCOMPARE(document().tags()[node("bent_0")], document().activeTag());
    }

    void tabGoesThroughThePaneFromLeftToRight()
    {
        find(true);
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        QTRY_VERIFY(pane().graphInFront() != nullptr);
        pane().cards().setFocus();
        for (const QWidget* next : std::initializer_list<const QWidget*>{&pane().reasons(), &pane().side().rest(), &pane().rail(),
                                                                         pane().findChild<QTabBar*>(),
                                                                         &pane().graphInFront()->canvas(), &pane().elsewhere()}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY2(next->hasFocus(), QApplication::focusWidget()->metaObject()->className());
        }
        sourcePane().canvas().setFocus();
        QWidget* at = nullptr;
        for (int i = 0; i < 20 && at != &pane().cards(); ++i) {
            actions().nextArea->trigger();
            at = QApplication::focusWidget();
        }
        QCOMPARE(at, &pane().cards()); // the first area to work with
    }

    void saysThatNothingRepeats()
    {
        prepare(); // the chain
        m_window->openModel(m_folder.filePath("chain.fxj"));
        QTRY_VERIFY(document().isOpen());
        actions().pass("findRegions")->trigger();
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>() != nullptr);
        QVERIFY(pane().isVisible());
        QVERIFY(pane().emptyText().contains(QStringLiteral("The model has no repeated regions")));
        m_model = m_folder.filePath("layers.fxj");
    }

    void showsThirtyTwoDecoderLayersAsOneCard()
    {
        const QString model = QString::fromStdString(test::sharedFolder()) + QStringLiteral("/samples/models/decoder32.pt2");
        if (!QFile::exists(model))
            QSKIP("sample models are not there");
        m_window->openModel(model);
        QTRY_VERIFY(document().isOpen());
        actions().pass("findRegions")->trigger();
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>() != nullptr);
        QCOMPARE(pane().cards().model()->rowCount(), 1);
        QCOMPARE(pane().cards().model()->index(0, 0).data().toString(), QStringLiteral("R1 ×32"));
        QTRY_COMPARE(namesInRail().value(14), QStringLiteral("layers.14"));
        opensTheLayerFitted();
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        QVERIFY2(pane().reasons().width() >= 150, qPrintable(QString::number(pane().reasons().width())));
        QVERIFY2(pane().graph().width() > pane().reasons().width() + 40, qPrintable(QString::number(pane().graph().width())));
        const QFontMetrics fixed(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        QVERIFY(pane().elsewhere().width() > fixed.horizontalAdvance("layers.14 linear_12"));
        const QListView& rest = pane().side().rest(); // takes no space that the reasons need
        QVERIFY(rest.height() <= rest.visualRect(rest.model()->index(rest.model()->rowCount() - 1, 0)).bottom() + 4);
        actions().pass("deduplicate")->trigger();
        QTRY_VERIFY(document().runs().shown<RegionsOutcomePtr>()->dedup.has_value());
        opensTheLayerFitted();
    }

private:
    QToolButton& paintAll() { return *pane().findChild<QToolButton*>(QStringLiteral("paint")); }

    /// Writes a model with four layers of three ops in a module. Returns its path.
    QString layersIn(const std::string& module, const std::string& op)
    {
        std::string lines = "x = placeholder() : 4\n";
        std::string from = "x";
        for (int layer = 0; layer < 4; ++layer)
            for (const char* target : {"torch.sin", "torch.cos", "torch.tanh"}) {
                const std::string name = op + '_' + std::to_string(layer) + target[6];
                lines += name + " = call_function[" + target + "](" + from + ") : 4 @ " + module + ".layers."
                    + std::to_string(layer) + " Layer\n";
                from = name;
            }
        QString path = m_folder.filePath(QStringLiteral("layers_in.fxj"));
        if (!writeFxJson(test::programFromText(lines + "output(" + from + ")\n"), path.toStdString()))
            qFatal("%s cannot be written", qPrintable(path));
        return path;
    }

    /// Opens a layer with its modules, short names, and weights, all visible; values read by all layers are chips.
    void opensTheLayerFitted()
    {
        CanvasWidget& canvas = pane().graph().canvas();
        QTRY_VERIFY(canvas.picture() != nullptr && !canvas.picture()->items.empty());
        settle();
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
};

const test::Registered<WindowRegionsTest> windowRegionsTest("window_regions_test");
#include "window_regions_test.moc"
