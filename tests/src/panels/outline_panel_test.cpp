#include "panels/outline_panel.h"

#include "models/outline_model.h"
#include "panel_fixture.h"
#include "patience.h"
#include "test_case.h"

#include <QKeyEvent>
#include <QLabel>
#include <QSignalSpy>

using namespace sunder;

/// The tree of modules and nodes, without the window.
class OutlinePanelTest final : public test::PanelFixture {
    Q_OBJECT

private:
    void openChain()
    {
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText("x = placeholder() : 4\n"
                                                                                             "a = relu(x) : 4 @ enc ReLU\n"
                                                                                             "b = gelu(a) : 4 @ enc ReLU\n"
                                                                                             "c = tanh(b) : 4\n"
                                                                                             "output(c)\n"))),
                         "/tmp/chain.fxj");
    }

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        openChain();
        m_panel = std::make_unique<OutlinePanel>(*m_document, m_jobs);
        m_panel->resize(300, 400);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void choosingARowSelectsItsNodes()
    {
        m_panel->view().setCurrentIndex(model().indexOf(QString("enc")));
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
        QCOMPARE(m_document->marks().selection().what, QString("enc"));
        m_panel->view().setCurrentIndex(model().indexOf(node("c")));
        QCOMPARE(selected(), std::vector{node("c")});
    }

    void showsASelectionAtTheNearestRowInSight()
    {
        m_panel->view().collapseAll();
        m_panel->view().expand(model().index(0, 0));
        m_document->marks().select({node("b")});
        QCOMPARE(m_panel->view().currentIndex(), model().indexOf(QString("enc"))); // is not expanded automatically
        QCOMPARE(selected(), std::vector{node("b")});                              // and does not change the selection
        m_panel->view().expand(model().indexOf(QString("enc")));
        m_document->marks().select({node("a")});
        QCOMPARE(m_panel->view().currentIndex(), model().indexOf(node("a")));
    }

    void showsTheRowsOfASelectionMadeElsewhere()
    {
        m_panel->view().expandAll();
        m_document->marks().select({node("a"), node("c")});
        QCOMPARE(highlighted(), (QStringList{"a", "c"}));
        m_document->marks().select({node("a"), node("b")}); // they are the whole module
        QCOMPARE(highlighted(), QStringList{"enc"});
        m_document->marks().clear();
        QVERIFY(highlighted().isEmpty());
    }

    void theFilterLeavesMatchesAndWhatTheyAreIn()
    {
        const auto rows = [&] {
            QStringList names;
            for (QModelIndex at = model().index(0, 0); at.isValid(); at = m_panel->view().indexBelow(at))
                names += at.data().toString();
            return names;
        };
        const QStringList before = rows();
        QTest::keyClicks(&m_panel->filter(), "TANH"); // an operator, case-insensitive
        QCOMPARE(rows(), (QStringList{"chain", "c"}));
        m_panel->filter().setText("enc"); // a module, including its contents
        QVERIFY(!m_panel->view().isExpanded(model().indexOf(QString("enc"))));
        QCOMPARE(rows(), (QStringList{"chain", "enc"}));
        m_panel->view().expand(model().indexOf(QString("enc")));
        QCOMPARE(rows(), (QStringList{"chain", "enc", "a", "b"}));
        QVERIFY(!model().indexOf(node("c")).isValid());
        m_panel->filter().setText("gelu"); // inside a module, which is expanded
        QCOMPARE(rows(), (QStringList{"chain", "enc", "b"}));
        QVERIFY(selected().empty()); // filtering does not select
        m_panel->filter().setText("there is none");
        QCOMPARE(rows(), QStringList{"chain"});
        const auto* nothing = m_panel->findChild<QLabel*>("nothing");
        QVERIFY(nothing->isVisible() && !m_panel->view().isVisible());
        QCOMPARE(nothing->text(), QString("No matches"));
        m_document->marks().select({node("c")});
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get(), test::kHangMs));
        m_panel->filter().setFocus();
        QTest::keyClick(&m_panel->filter(), Qt::Key_Escape);
        QVERIFY(m_panel->filter().text().isEmpty());
        QVERIFY(!nothing->isVisible() && m_panel->view().isVisible());
        QCOMPARE(rows(), before);
        QCOMPARE(m_panel->view().currentIndex(), model().indexOf(node("c")));
        m_panel->filter().setText("gelu");
        QTest::keyClick(&m_panel->filter(), Qt::Key_Down);
        QVERIFY(m_panel->view().hasFocus());
        QCOMPARE(selected(), std::vector{node("b")}); // the first match
        m_panel->filter().setText("enc");
        openChain(); // another model resets the filter
        QVERIFY(m_panel->filter().text().isEmpty());
    }

    void shiftAndControlSelectAsInAFileManager()
    {
        m_panel->view().expandAll();
        click(model().indexOf(node("a")));
        QCOMPARE(selected(), std::vector{node("a")});
        click(model().indexOf(node("b")), Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
        click(model().indexOf(node("c")), Qt::ControlModifier);
        QCOMPARE(selected(), (std::vector{node("a"), node("b"), node("c")}));
        click(model().indexOf(node("a")), Qt::ControlModifier); // again: removes it
        QCOMPARE(selected(), (std::vector{node("b"), node("c")}));
        QCOMPARE(highlighted(), (QStringList{"b", "c"}));
    }

    void arrowsWithShiftSelectMore()
    {
        m_panel->view().expandAll();
        click(model().indexOf(node("a")));
        QTest::keyClick(&m_panel->view(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
        QTest::keyClick(&m_panel->view(), Qt::Key_Up);
        QCOMPARE(selected(), std::vector{node("a")});
    }

    void theMenuIsAboutTheRowThatWasClicked()
    {
        m_panel->view().expandAll();
        click(model().indexOf(node("a")));
        click(model().indexOf(node("c")), {}, Qt::RightButton);
        QCOMPARE(selected(), std::vector{node("c")});
    }

    void theMenuIsAboutTheRowEvenWhereItShowsASelectionInside()
    {
        m_panel->view().collapseAll();
        m_panel->view().expand(model().index(0, 0));
        m_document->marks().select({node("b")});
        const QModelIndex enc = model().indexOf(QString("enc"));
        QCOMPARE(m_panel->view().currentIndex(), enc);
        QSignalSpy menus(m_panel.get(), &OutlinePanel::menuRequested);
        const QPoint at = m_panel->view().visualRect(enc).center();
        click(enc, {}, Qt::RightButton);
        emit m_panel->view().customContextMenuRequested(at);
        QCOMPARE(menus.size(), 1);
        QCOMPARE(menus[0][1].toString(), QString("enc"));
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
    }

    void controlASelectsTheRows()
    {
        m_panel->view().expandAll();
        click(model().indexOf(node("c")));
        QKeyEvent asked(QEvent::ShortcutOverride, Qt::Key_A, Qt::ControlModifier);
        asked.ignore();
        QCoreApplication::sendEvent(&m_panel->view(), &asked);
        QVERIFY(asked.isAccepted()); // the list takes the key before the window
        QTest::keyClick(&m_panel->view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(selected().size(), m_document->graph().size());
        QVERIFY(highlighted().contains("a") && highlighted().contains("enc"));
    }

    void everyRowOfALargeSelectionIsHighlighted()
    {
        constexpr int kOps = 14'000;
        std::string lines = "n0 = placeholder()\n";
        for (int i = 1; i <= kOps; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ")\n";
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText(lines + "output(n1)\n"))),
                         "/tmp/large.fxj");
        QCOMPARE(model().rowCount(), 1);
        std::vector<NodeId> odd;
        for (int i = 1; i <= kOps; i += 2)
            odd.push_back(node(("n" + std::to_string(i)).c_str()));
        m_document->marks().select(odd);
        QCOMPARE(highlighted().size(), kOps / 2);
        QVERIFY(m_panel->view().selectionModel()->isSelected(model().indexOf(odd.back())));
    }

    void activatingARowLeadsThere()
    {
        QSignalSpy activated(m_panel.get(), &OutlinePanel::activated);
        emit m_panel->view().activated(model().indexOf(QString("enc")));
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toString(), QString("enc"));
        QCOMPARE(activated[0][1].value<std::vector<NodeId>>(), (std::vector{node("a"), node("b")}));
    }

    void aLargeModelIsSortedByAJob()
    {
        std::string lines = "n0 = placeholder()\n";
        for (int i = 1; i <= 21'000; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ")\n";
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText(lines + "output(n21000)\n"))),
                         "/tmp/large.fxj");
        QCOMPARE(model().rowCount(), 0);
        QTRY_COMPARE(model().rowCount(), 1);
        QVERIFY(m_panel->view().isExpanded(model().index(0, 0)));
        QVERIFY(model().indexOf(node("n21000")).isValid());
        m_document->close();
        QCOMPARE(model().rowCount(), 0);
    }

private:
    void click(const QModelIndex& row, Qt::KeyboardModifiers keys = {}, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mouseClick(m_panel->view().viewport(), button, keys, m_panel->view().visualRect(row).center());
    }
    QStringList highlighted() const
    {
        QStringList names;
        for (const QModelIndex& index : m_panel->view().selectionModel()->selection().indexes())
            if (index.column() == OutlineModel::NameColumn)
                names << index.data().toString();
        names.sort();
        return names;
    }
    OutlineModel& model() const { return *qobject_cast<OutlineModel*>(m_panel->view().model()); }

    Jobs m_jobs;
    std::unique_ptr<OutlinePanel> m_panel;
};

const test::Registered<OutlinePanelTest> outlinePanelTest("outline_panel_test");
#include "outline_panel_test.moc"
