#include "panels/tags_panel.h"

#include "menus.h"
#include "models/tag_model.h"
#include "models/tag_style_of.h"
#include "panel_fixture.h"
#include "panels/tag_list_view.h"
#include "patience.h"
#include "test_case.h"

#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QToolButton>

using namespace sunder;

/// The list of tags, without the window.
class TagsPanelTest final : public test::PanelFixture {
    Q_OBJECT

private slots:
    void init()
    {
        openChain();
        while (m_document->tagCount() > 0)
            m_document->tagList().remove(0);
        m_document->tagList().add("front");
        m_document->tagList().add("back");
        m_document->painting().paint(std::array{node("a"), node("b")}, 0);
        m_panel = std::make_unique<TagsPanel>(*m_document);
        m_panel->resize(300, 300);
        m_panel->show();
    }
    void cleanup() { m_panel.reset(); }

    void aClickMakesATagTheActiveOne()
    {
        click(0);
        QCOMPARE(m_document->activeTag(), 0);
        click(1);
        QCOMPARE(m_document->activeTag(), 1);
    }

    void aBackwardTagIsCalledAfterItsForwardTag()
    {
        QCOMPARE(row(0).data(TagModel::BackwardOfRole).toString(), QString());
        m_document->tagList().add("front_backward");
        m_document->tagList().add("other_backward"); // there is no tag "other"
        QCOMPARE(row(2).data(TagModel::BackwardOfRole).toString(), QString("front"));
        QCOMPARE(row(2).data().toString(), QString("front_backward"));
        QVERIFY(row(2).data(Qt::ToolTipRole).toString().startsWith("front_backward:"));
        QCOMPARE(row(3).data(TagModel::BackwardOfRole).toString(), QString());
    }

    void theLastRowLeadsToWhatIsUntagged()
    {
        QSignalSpy messages(m_panel.get(), &TagsPanel::message);
        click(2);
        QCOMPARE(selected(), std::vector{node("c")});
        QCOMPARE(messages.size(), 0);
        m_document->painting().paint(std::array{node("c")}, 1);
        emit m_panel->view().activated(row(2));
        QCOMPARE(messages.size(), 1);
        QCOMPARE(messages[0][0].toString(), QString("Every op has a tag."));
    }

    void whatHasNoTagIsRedOnlyWhenItIsMissing()
    {
        QVERIFY(row(2).data(TagModel::MissingRole).toBool()); // two of three ops are tagged
        QCOMPARE(row(2).data(Qt::DecorationRole).value<QColor>(), currentTheme().error);
        m_document->painting().erase(std::array{node("b")});
        QVERIFY(!row(2).data(TagModel::MissingRole).toBool());
        QCOMPARE(row(2).data(Qt::DecorationRole).value<QColor>(), currentTheme().dim);
    }

    void theLineIsWhereADroppedTagGoes_data()
    {
        QTest::addColumn<int>("over");
        QTest::addColumn<bool>("isLowerHalf");
        QTest::addColumn<int>("gap"); ///< before this row
        QTest::newRow("upper half of the first") << 0 << false << 0;
        QTest::newRow("lower half of the first") << 0 << true << 1;
        QTest::newRow("upper half of the second") << 1 << false << 1;
        QTest::newRow("lower half of the second") << 1 << true << 2;
        QTest::newRow("over untagged ops") << 2 << true << 2;
    }
    void theLineIsWhereADroppedTagGoes()
    {
        QFETCH(int, over);
        QFETCH(bool, isLowerHalf);
        QFETCH(int, gap);
        const auto& view = dynamic_cast<const TagListView&>(m_panel->view());
        const QRect at = view.visualRect(row(over));
        const QPoint mouse(at.center().x(), isLowerHalf ? at.bottom() - 5 : at.top() + 5);
        QCOMPARE(view.gapAt(mouse), view.visualRect(row(gap)).top());
    }

    void aDroppedTagIsTheCurrentOne()
    {
        m_panel->view().setCurrentIndex(row(1));
        QAbstractItemModel& model = *m_panel->view().model();
        const std::unique_ptr<QMimeData> dragged(model.mimeData({row(1)}));
        model.dropMimeData(dragged.get(), Qt::MoveAction, 0, 0, {});
        QCOMPARE(m_document->tagName(0), QString("back"));
        QCOMPARE(m_panel->view().currentIndex().row(), 0);
    }

    void aLongNameTakesTheRoomOfTheFigures()
    {
        const auto row0 = [this] {
            QListView& view = m_panel->view();
            return view.viewport()->grab(view.visualRect(row(0))).toImage();
        };
        const QImage two = row0();
        m_document->painting().paint(std::array{node("c")}, 0);
        QVERIFY(row0() != two); // "3 ops"
        const QString name = QString("n").repeated((m_panel->view().viewport()->width() - 90)
                                                   / m_panel->fontMetrics().horizontalAdvance('n'));
        QVERIFY(m_document->tagList().rename(0, name).isEmpty());
        const QImage three = row0();
        m_document->painting().erase(std::array{node("c")});
        QCOMPARE(row0(), three);
    }

    void addsATagByItsButton()
    {
        QTest::mouseClick(m_panel->findChild<QToolButton*>("addTag"), Qt::LeftButton);
        QCOMPARE(m_document->tagCount(), 3);
        QCOMPARE(m_document->activeTag(), 2);
        QCOMPARE(m_panel->view().model()->rowCount(), 4);
    }

    void offersWhatCanBeDoneWithATag()
    {
        const QStringList titles = openMenu(0);
        QVERIFY2(titles.contains("[Move up]") && titles.contains("Move down") && titles.contains("Color"),
                 qPrintable(titles.join(',')));
        openMenu(0, "Select its ops");
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
        openMenu(0, "Move down");
        QCOMPARE(m_document->tagName(1), QString("front"));
        QCOMPARE(m_document->tags()[node("a")], 1); // its ops follow
        openMenu(1, "Move up");
        QCOMPARE(m_document->tagName(0), QString("front"));
        openMenu(0, "Remove (its ops become untagged)");
        QCOMPARE(m_document->tagCount(), 1);
        QCOMPARE(m_document->tags()[node("a")], -1);
    }

    void goesBackToTheColorOfTheTheme()
    {
        m_document->tagList().recolor(1, Qt::red);
        QVERIFY(m_document->tagTraits()[1].color.own.isValid());
        openColors(1, "Theme color");
        QVERIFY(!m_document->tagTraits()[1].color.own.isValid());
    }

    void offersThePaletteAndChangesWithWhoHasAColor()
    {
        const QStringList titles = openColors(0);
        QCOMPARE(titles.first(), QString("Color 1"));
        QCOMPARE(titles.filter("Color ").size(), 8);
        QCOMPARE(titles.filter("swap with").size(), m_document->tagCount() - 1);
        const std::vector<TagTraits> before = m_document->tagTraits();
        const QString theirs = titles.filter("swap with").first();
        openColors(0, theirs);
        QCOMPARE(m_document->tagTraits()[0].color.hue, before[1].color.hue);
        QCOMPARE(m_document->tagTraits()[1].color.hue, before[0].color.hue);
        openColors(0, "Color 8");
        QCOMPARE(m_document->tagTraits()[0].color, (TagColor{.hue = 7, .isChosen = true}));
        m_document->undo();
        QCOMPARE(m_document->tagTraits()[0].color.hue, before[1].color.hue);
    }

    void offersOnlyATagMoreBesideTags()
    {
        QCOMPARE(test::chooseInMenu([this] { emit m_panel->view().customContextMenuRequested({5, 290}); }, "Add a tag"),
                 QStringList{"Add a tag"});
        QCOMPARE(m_document->tagCount(), 3);
    }

    void renamesTheActiveTagInPlace()
    {
        m_document->tagList().setActive(1);
        m_panel->renameActive();
        auto* field = m_panel->view().viewport()->findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        field->selectAll();
        QTest::keyClicks(field, "rear");
        QTest::keyClick(field, Qt::Key_Return);
        test::handlePending();
        QCOMPARE(m_document->tagName(1), QString("rear"));
    }

    void saysWhyANameIsRefused()
    {
        QSignalSpy messages(m_panel.get(), &TagsPanel::message);
        QVERIFY(!m_panel->view().model()->setData(row(1), "front", Qt::EditRole));
        QCOMPARE(messages.size(), 1);
        QCOMPARE(m_document->tagName(1), QString("back"));
    }

    void marksLockAndHideWithoutChoosingTheRow()
    {
        m_document->tagList().setActive(1);
        clickAt(TagDelegate::lock(rect(0)).center());
        QVERIFY(m_document->tagTraits()[0].isLocked);
        clickAt(TagDelegate::eye(rect(0)).center());
        QVERIFY(m_document->tagTraits()[0].isHidden);
        QCOMPARE(m_document->activeTag(), 1);
        QVERIFY(row(0).data(Qt::AccessibleTextRole).toString().endsWith(", locked, hidden"));
        clickAt(TagDelegate::eye(rect(1)).center(), Qt::AltModifier); // the only visible tag: shows all again
        QVERIFY(!m_document->tagTraits()[0].isHidden);
        clickAt(TagDelegate::eye(rect(1)).center(), Qt::AltModifier);
        QVERIFY(m_document->tagTraits()[0].isHidden && !m_document->tagTraits()[1].isHidden);
    }

    void keysMoveAndRemoveTheCurrentRow()
    {
        QListView& view = m_panel->view();
        view.setCurrentIndex(row(0));
        press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(m_document->tagName(1), QString("front"));
        QCOMPARE(view.currentIndex().row(), 1); // follows the tag
        press(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(m_document->tagName(0), QString("front"));
        press(Qt::Key_Return, Qt::AltModifier);
        QCOMPARE(selected(), (std::vector{node("a"), node("b")}));
        press(Qt::Key_Delete);
        QCOMPARE(m_document->tagCount(), 1);
        QCOMPARE(view.currentIndex().row(), 0);
    }

    void theCodeIsEditedInPlace()
    {
        m_document->tagList().setActive(0);
        m_panel->editActiveCode();
        auto* field = m_panel->view().viewport()->findChild<QLineEdit*>();
        QVERIFY(field != nullptr);
        QCOMPARE(field->accessibleName(), QString("Code of the tag"));
        QTest::keyClicks(field, "xyz9"); // at most three characters
        QTest::keyClick(field, Qt::Key_Return);
        test::handlePending();
        QCOMPARE(m_document->tagTraits()[0].code, QString("XYZ"));
        QCOMPARE(tagLooksOf(*m_document, currentTheme())[0].code, QString("XYZ"));
        m_panel->renameActive();
        QCOMPARE(m_panel->view().viewport()->findChild<QLineEdit*>()->accessibleName(), QString("Name of the tag"));
    }

    void hiddenTagsHaveNoColorInPictures()
    {
        m_document->tagList().setHidden(0, true);
        QCOMPARE(shownLooksOf(*m_document, currentTheme())[0].style.color, faintStyle(currentTheme()).color);
        QVERIFY(tagLooksOf(*m_document, currentTheme())[0].style.color != faintStyle(currentTheme()).color);
    }

    void theButtonProtectsWhatIsPainted()
    {
        auto* protect = m_panel->findChild<QToolButton*>("protect");
        QTest::mouseClick(protect, Qt::LeftButton);
        QVERIFY(m_document->tagState().protectsTagged);
        m_document->painting().setProtecting(false);
        QVERIFY(!protect->isChecked());
    }

    void aMenuMergesATagIntoAnother()
    {
        chooseInSubmenu(0, "Merge into", "back");
        QCOMPARE(m_document->tagCount(), 1);
        QCOMPARE(m_document->tags()[node("a")], 0);
        QCOMPARE(m_document->tagName(0), QString("back"));
    }

private:
    QRect rect(int at) const { return m_panel->view().visualRect(row(at)); }
    void clickAt(const QPoint& at, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(m_panel->view().viewport(), Qt::LeftButton, modifiers, at);
    }
    /// Triggers the shortcut of the list, with any focus.
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        const QKeySequence keys(modifiers | static_cast<Qt::Key>(key));
        for (QAction* action : m_panel->view().actions())
            if (action->shortcut() == keys)
                action->trigger();
    }

    QModelIndex row(int at) const { return m_panel->view().model()->index(at, 0); }

    void click(int at)
    {
        QTest::mouseClick(m_panel->view().viewport(), Qt::LeftButton, {}, m_panel->view().visualRect(row(at)).center());
    }

    QStringList openMenu(int at, const QString& chosen = {})
    {
        const QPoint place = m_panel->view().visualRect(row(at)).center();
        return test::chooseInMenu([&] { emit m_panel->view().customContextMenuRequested(place); }, chosen);
    }

    /// The menu of colors in the menu of a tag.
    QStringList openColors(int at, const QString& chosen = {}) { return chooseInSubmenu(at, "Color", chosen); }

    QStringList chooseInSubmenu(int at, const QString& title, const QString& chosen)
    {
        QStringList titles;
        QObject untilItIsOpen;
        QTimer::singleShot(0, &untilItIsOpen, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QAction* wanted = nullptr;
            for (const QMenu* colors : menu->findChildren<QMenu*>())
                for (QAction* action : colors->title() == title ? colors->actions() : QList<QAction*>()) {
                    if (!action->isSeparator())
                        titles << action->text();
                    if (!chosen.isEmpty() && action->text() == chosen)
                        wanted = action;
                }
            menu->close();
            if (wanted != nullptr)
                wanted->trigger();
        });
        emit m_panel->view().customContextMenuRequested(m_panel->view().visualRect(row(at)).center());
        return titles;
    }

    std::unique_ptr<TagsPanel> m_panel;
};

const test::Registered<TagsPanelTest> tagsPanelTest("tags_panel_test");
#include "tags_panel_test.moc"
