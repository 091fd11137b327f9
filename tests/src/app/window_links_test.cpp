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
        m_window->document().marks().select({node("third")});
        QVERIFY(result().camera() != kElsewhere);
        QCOMPARE(result().camera().zoom(), kElsewhere.zoom());
    }

    void aPaneStaysWhenItIsToldTo()
    {
        showPart(1);
        pane().linkButton().followAction(Following::stay)->trigger();
        result().setCamera(kElsewhere);
        m_window->document().marks().select({node("third")});
        m_window->document().marks().reveal();
        QCOMPARE(result().camera(), kElsewhere);
        QVERIFY(result().pictureStyle().selected.contains(inPart("third")));
        m_window->document().marks().select({node("first")}); // is in the other part
        QCOMPARE(pane().tabs().currentIndex(), 2);
    }

    void aPaneKeepsTheSelectionInTheMiddle()
    {
        showPart(1);
        pane().linkButton().followAction(Following::center)->trigger();
        m_window->document().marks().select({node("third")});
        const QRectF at = result().viewRectOf(result().scene().itemOf(inPart("third")));
        QVERIFY((at.center() - QRectF(result().rect()).center()).manhattanLength() < 2);
    }

    void theSourceStaysButComesWhenASearchAsksForIt()
    {
        CanvasWidget& source = m_window->sourcePane().canvas();
        m_window->sourcePane().linkButton().followAction(Following::stay)->trigger();
        source.setCamera(kElsewhere);
        m_window->document().marks().selectIn(1, {{pane().currentView()->graphId(), NodeId(0U)}});
        m_window->document().marks().reveal();
        QCOMPARE(source.camera(), kElsewhere);
        m_window->searchField().setText(QStringLiteral("third"));
        QTest::keyClick(&m_window->searchField(), Qt::Key_Return);
        QVERIFY(source.camera() != kElsewhere);
    }

    void panesThatAreLockedHaveOneZoom()
    {
        lock();
        CanvasWidget& source = m_window->sourcePane().canvas();
        source.zoomBy(1.5);
        QCOMPARE(result().camera().zoom(), source.camera().zoom());
        QTest::keyClick(&result(), Qt::Key_Plus);
        QCOMPARE(source.camera().zoom(), result().camera().zoom());
        showPart(1); // a locked pane that comes into view takes over the zoom
        QTRY_COMPARE(result().camera().zoom(), source.camera().zoom());
    }

    void hitsOfASearchAreCountedAtThePartsThatHaveThem()
    {
        m_window->searchField().setText(QStringLiteral("op:gelu"));
        QCOMPARE(pane().tabs().tabText(1), QStringLiteral("stage0 (1)"));
        QCOMPARE(pane().tabs().tabText(2), QStringLiteral("stage1")); // it only reads the value of gelu
        const NodeId call = pane().currentView()->program()->rootGraph().find(intern("stage0"));
        QVERIFY(result().pictureStyle().found.contains(call)); // it contains the match
        m_window->searchField().clear();
        QCOMPARE(pane().tabs().tabText(1), QStringLiteral("stage0"));
        QVERIFY(!result().pictureStyle().found.contains(call));
    }

    void hoveringAnOpMarksTheCallOfItsPart()
    {
        m_window->document().marks().setHovered({node("third")});
        QVERIFY(
            result().pictureStyle().counterparts.contains(pane().currentView()->program()->rootGraph().find(intern("stage1"))));
    }

    void zoomCommandsMeanThePaneWithTheFocus()
    {
        CanvasWidget& source = m_window->sourcePane().canvas();
        const double before = source.camera().zoom();
        pane().tabs().setFocus(); // anywhere in the pane
        const double zoom = result().camera().zoom();
        m_window->actions().zoomIn->trigger();
        QVERIFY(result().camera().zoom() > zoom);
        QCOMPARE(source.camera().zoom(), before);
        m_window->searchField().setFocus(); // in no pane
        m_window->actions().zoomIn->trigger();
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

    SubmodulesPane& pane() { return m_window->submodulesPane(); }
    CanvasWidget& result() { return pane().currentView()->canvas(); }

    void showPart(int part)
    {
        pane().tabs().setCurrentIndex(part + 1);
        QTRY_VERIFY(pane().currentView() != nullptr && result().picture() != nullptr && !result().picture()->items.empty());
    }

    NodeId inPart(const char* name)
    {
        for (const NodeRef ref : m_window->document().runs().counterpartsIn(1, {node(name)}))
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
