#include "panels/inspector_panel.h"

#include "panel_fixture.h"
#include "test_case.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QShortcut>
#include <QSignalSpy>

using namespace sunder;

/// What is known of the selection, on its own.
class InspectorPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        m_panel = std::make_unique<InspectorPanel>(*m_document);
        m_panel->resize(400, 600);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void saysThatNothingIsSelected()
    {
        QVERIFY(!m_panel->view().isVisible());
        m_document->select({node("b")});
        QVERIFY(m_panel->view().isVisible());
        m_document->clearSelection();
        QVERIFY(!m_panel->view().isVisible());
    }

    void leadsToTheNodesThatItNames()
    {
        m_document->select({node("b")});
        QSignalSpy revealed(m_document.get(), &Document::revealRequested);
        const QModelIndex input = lineWith("a", model().index(0, 0));
        QVERIFY(input.isValid());
        emit m_panel->view().activated(input);
        QCOMPARE(selected(), std::vector{node("a")});
        QCOMPARE(revealed.size(), 1);
    }

    void opensAndClosesALineThatLeadsNowhere()
    {
        m_document->select({node("b")});
        QModelIndex group;
        for (int row = 0; row < model().rowCount() && !group.isValid(); ++row)
            if (model().rowCount(model().index(row, 0)) > 0)
                group = model().index(row, 0);
        QVERIFY(group.isValid());
        const bool isOpen = m_panel->view().isExpanded(group);
        emit m_panel->view().activated(group);
        QCOMPARE(m_panel->view().isExpanded(group), !isOpen);
        QCOMPARE(selected(), std::vector{node("b")});
    }

    void copiesTheValueOfALine()
    {
        m_document->select({node("b")});
        const QModelIndex first = model().index(0, 0);
        m_panel->view().setCurrentIndex(first);
        for (QShortcut* key : m_panel->view().findChildren<QShortcut*>())
            if (key->key() == QKeySequence(QKeySequence::Copy))
                emit key->activated();
        QCOMPARE(QGuiApplication::clipboard()->text(), first.siblingAtColumn(1).data().toString());
        QVERIFY(!QGuiApplication::clipboard()->text().isEmpty());
    }

    void followsTheTags()
    {
        m_document->addTag("mine");
        m_document->select({node("b")});
        const auto says = [this] { return lineWith("mine", model().index(0, 0)).isValid(); };
        QVERIFY(!says());
        m_document->paint(std::array{node("b")}, m_document->activeTag());
        QVERIFY(says());
    }

private:
    QAbstractItemModel& model() const { return *m_panel->view().model(); }

    /// The first line of this value, at whatever depth.
    QModelIndex lineWith(const QString& value, const QModelIndex& from) const
    {
        const QModelIndexList lines = model().match(from.siblingAtColumn(1), Qt::DisplayRole, value, 1,
                                                    Qt::MatchExactly | Qt::MatchCaseSensitive | Qt::MatchRecursive);
        return lines.isEmpty() ? QModelIndex() : lines.front();
    }

    std::unique_ptr<InspectorPanel> m_panel;
};

const test::Registered<InspectorPanelTest> inspectorPanelTest("inspector_panel_test");
#include "inspector_panel_test.moc"
