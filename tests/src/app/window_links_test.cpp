#include "app/workspace.h"
#include "panels/search_field.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QMenu>

using namespace sunder;

/// Links between panes: selection, zoom, and which of them are remembered.
class WindowLinksTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        showWindow();
        openModel();
        split();
        QTRY_VERIFY(result().picture() != nullptr);
    }
    void cleanup() { closeWindow(); }

    void aPaneFollowsWhatIsSelectedInTheSource()
    {
        showPart(1);
        result().setCamera(kElsewhere);
        document().marks().select({node("third")});
        QVERIFY(result().camera() != kElsewhere);
        QCOMPARE(result().camera().zoom(), kElsewhere.zoom());
    }

    void aPaneStaysWhenItIsToldTo()
    {
        showPart(1);
        pane().linkButton().followAction(Following::stay)->trigger();
        result().setCamera(kElsewhere);
        document().marks().select({node("third")});
        document().marks().reveal();
        QCOMPARE(result().camera(), kElsewhere);
        QVERIFY(result().pictureStyle().selected.contains(inPart("third")));
        document().marks().select({node("first")}); // is in the other part
        QCOMPARE(pane().tabs().currentIndex(), 2);
    }

    void aPaneKeepsTheSelectionInTheMiddle()
    {
        showPart(1);
        pane().linkButton().followAction(Following::center)->trigger();
        document().marks().select({node("third")});
        const QRectF at = result().viewRectOf(result().scene().itemOf(inPart("third")));
        QVERIFY((at.center() - QRectF(result().rect()).center()).manhattanLength() < 2);
    }

    void theSourceStaysButComesWhenASearchAsksForIt()
    {
        CanvasWidget& source = sourcePane().canvas();
        sourcePane().linkButton().followAction(Following::stay)->trigger();
        source.setCamera(kElsewhere);
        document().marks().selectIn(1, {{pane().currentView()->graphId(), NodeId(0U)}});
        document().marks().reveal();
        QCOMPARE(source.camera(), kElsewhere);
        widget<SearchField>().setText(QStringLiteral("third"));
        QTest::keyClick(&widget<SearchField>(), Qt::Key_Return);
        QVERIFY(source.camera() != kElsewhere);
    }

    void panesThatAreLockedHaveOneZoom()
    {
        lock();
        CanvasWidget& source = sourcePane().canvas();
        source.zoomBy(1.5);
        QCOMPARE(result().camera().zoom(), source.camera().zoom());
        QTest::keyClick(&result(), Qt::Key_Plus);
        QCOMPARE(source.camera().zoom(), result().camera().zoom());
        showPart(1); // a locked pane that comes into view takes over the zoom
        QTRY_COMPARE(result().camera().zoom(), source.camera().zoom());
    }

    void hitsOfASearchAreCountedAtThePartsThatHaveThem()
    {
        widget<SearchField>().setText(QStringLiteral("op:gelu"));
        QCOMPARE(pane().tabs().tabText(1), QStringLiteral("stage0 (1)"));
        QCOMPARE(pane().tabs().tabText(2), QStringLiteral("stage1")); // it only reads the value of gelu
        const NodeId call = pane().currentView()->program()->rootGraph().find(intern("stage0"));
        QVERIFY(result().pictureStyle().found.contains(call)); // it contains the match
        widget<SearchField>().clear();
        QCOMPARE(pane().tabs().tabText(1), QStringLiteral("stage0"));
        QVERIFY(!result().pictureStyle().found.contains(call));
    }

    void hoveringAnOpMarksTheCallOfItsPart()
    {
        document().marks().setHovered({node("third")});
        QVERIFY(
            result().pictureStyle().counterparts.contains(pane().currentView()->program()->rootGraph().find(intern("stage1"))));
    }

    void zoomCommandsMeanThePaneWithTheFocus()
    {
        CanvasWidget& source = sourcePane().canvas();
        const double before = source.camera().zoom();
        pane().tabs().setFocus(); // anywhere in the pane
        const double zoom = result().camera().zoom();
        actions().zoomIn->trigger();
        QVERIFY(result().camera().zoom() > zoom);
        QCOMPARE(source.camera().zoom(), before);
        widget<SearchField>().setFocus(); // in no pane
        actions().zoomIn->trigger();
        QVERIFY(source.camera().zoom() > before);
    }

    void howPanesAreLinkedIsRemembered()
    {
        lock();
        pane().linkButton().followAction(Following::center)->trigger();
        closeWindow();
        showWindow();
        QCOMPARE(pane().following(), Following::center);
        QVERIFY2(pane().linkButton().accessibleDescription().contains(QStringLiteral("zooms with Source")),
                 qPrintable(pane().linkButton().accessibleDescription()));
    }

private:
    const Camera kElsewhere{QPointF(5'000, 5'000), 0.5};

    SubmodulesPane& pane() { return widget<SubmodulesPane>(); }
    CanvasWidget& result() { return pane().currentView()->canvas(); }

    void showPart(int part)
    {
        pane().tabs().setCurrentIndex(part + 1);
        QTRY_VERIFY(pane().currentView() != nullptr && result().picture() != nullptr && !result().picture()->items.empty());
    }

    NodeId inPart(const char* name)
    {
        for (const NodeRef ref : document().runs().counterpartsIn(1, {node(name)}))
            if (ref.graph == pane().currentView()->graphId())
                return ref.node;
        return {};
    }

    /// Locks as a user does: the entry for the source in the menu of the pane's link.
    void lock()
    {
        QMenu* menu = pane().linkButton().menu();
        emit menu->aboutToShow();
        for (QAction* action : menu->actions())
            if (action->text() == QStringLiteral("Lock zoom with Source"))
                action->trigger();
    }
};

const test::Registered<WindowLinksTest> windowLinksTest("window_links_test");
#include "window_links_test.moc"
