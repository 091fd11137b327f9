#include "canvas/item_description.h"
#include "panels/log_panel.h"
#include "panels/outline_panel.h"
#include "panels/search_field.h"
#include "support/visible_text.h"
#include "text/shown_text.h"
#include "window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>

#include <set>

using namespace sunder;

namespace {

/// In every name, so that what the model says can be told from what the program says.
const QString kMark = QStringLiteral("Q7");

QStringList hostileNames()
{
    return {QStringLiteral("Q7<img src=file:///nowhere/zero>"),
            QStringLiteral("<b>Q7</b><br>"),
            QStringLiteral("Q7&amp;"),
            QStringLiteral("Q7&cut & paste&"),
            QStringLiteral("Q7\x1b[31mred\x07\n\r\tend"),
            QStringLiteral("Q7\u202Etxt.exe\u202C\u200B\u2028"),
            QStringLiteral("Q7 %1 %2 %3 %n %L1"),
            QStringLiteral("Q7[*]"),
            QStringLiteral("Q7") + QString(10'000, QLatin1Char('x')),
            QStringLiteral("Q7\"'`;--")};
}

QByteArray line(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

/// A chain of calls in which everything that a file may name is named so.
QByteArray hostileModel()
{
    const QStringList names = hostileNames();
    const auto node = [&](qsizetype i) { return names[i % names.size()] + QString::number(i); };
    QByteArray file = line({{"k", "fx-json"}, {"v", QJsonArray{1, 0}}, {"min", QJsonArray{1, 0}}, {"producer", names[0]}});
    for (qsizetype i = 0; i < names.size(); ++i) {
        file += line({{"k", "str"}, {"id", int(i)}, {"s", QStringLiteral("File \"%1.py\", line 7\n%1").arg(names[i])}});
        file += line({{"k", "stack"},
                      {"id", int(i)},
                      {"mods", QJsonArray{QJsonArray{"root", "", names[(i + 1) % names.size()]},
                                          QJsonArray{"m" + node(i), "m" + node(i).remove('.'), "cls." + names[i]}}}});
    }
    file += line({{"k", "module"}, {"path", ""}, {"cls", names[1]}});
    for (qsizetype i = 0; i < names.size(); ++i)
        file += line({{"k", "module"}, {"path", "m" + node(i).remove('.')}, {"cls", "cls." + names[i]}});
    file += line({{"k", "graph"}, {"id", "g0"}, {"module", ""}});
    const QJsonObject value{{"tensor", QJsonObject{{"dtype", "float32"}, {"shape", QJsonArray{4, QJsonObject{{"sym", names[3]}, {"hint", 4}}}}}}};
    const qsizetype count = 2 * names.size();
    for (qsizetype i = 0; i < count; ++i) {
        const bool isInput = i == 0;
        file += line({{"k", "node"},
                      {"g", "g0"},
                      {"name", node(i)},
                      {"op", isInput ? "placeholder" : "call_function"},
                      {"target", isInput ? node(i) : i % 3 == 0 ? "ops." + names[i % names.size()] : QStringLiteral("torch.relu")},
                      {"args", isInput ? QJsonArray() : QJsonArray{QJsonObject{{"n", node(i - 1)}}}},
                      {"kwargs", QJsonArray()},
                      {"val", value},
                      {"type", names[i % names.size()]},
                      {"mods", int(i % names.size())},
                      {"trace", int(i % names.size())}});
    }
    file += line({{"k", "node"}, {"g", "g0"}, {"name", "output"}, {"op", "output"}, {"target", "output"},
                  {"args", QJsonArray{QJsonObject{{"n", node(count - 1)}}}}, {"kwargs", QJsonArray()}});
    file += line({{"k", "end"}, {"nodes", int(count + 1)}});
    return file;
}

bool isShowable(const QString& text)
{
    return isVisible(text.toStdString(), Lines::keep);
}

/// Letters that Alt calls, taken from a name of the model.
bool hasForeignMnemonic(QString text)
{
    if (!text.contains(kMark) && !text.contains(QStringLiteral("amp;")))
        return false;
    return text.remove(QStringLiteral("&&")).contains(QLatin1Char('&'));
}

/// Everything that widgets of a window say, and how; faults are collected.
class Walk {
public:
    QStringList faults;
    int texts = 0;
    int foreign = 0; ///< of those, with something of the model in them

    void widget(QWidget& widget)
    {
        const QString name = QLatin1String(widget.metaObject()->className()) + QLatin1Char('#') + widget.objectName();
        text(name, widget.toolTip());
        tip(name, widget.toolTip());
        text(name, widget.statusTip());
        text(name, widget.whatsThis());
        text(name, widget.accessibleName());
        text(name, widget.accessibleDescription());
        text(name, widget.windowTitle());
        if (const auto* label = qobject_cast<QLabel*>(&widget)) {
            text(name, label->text());
            label->ensurePolished();
            if (label->textFormat() != Qt::PlainText && (label->textFormat() == Qt::AutoText || label->text().contains(kMark)))
                fault(name, "is not plain", label->text());
        }
        if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) {
            text(name, button->text());
            mnemonic(name, button->text());
        }
        if (const auto* tabs = qobject_cast<QTabBar*>(&widget))
            for (int i = 0; i < tabs->count(); ++i) {
                text(name, tabs->tabText(i));
                mnemonic(name, tabs->tabText(i));
                text(name, tabs->tabToolTip(i));
                tip(name, tabs->tabToolTip(i));
            }
        if (const auto* combo = qobject_cast<QComboBox*>(&widget))
            for (int i = 0; i < combo->count(); ++i)
                text(name, combo->itemText(i));
        if (const auto* edit = qobject_cast<QPlainTextEdit*>(&widget))
            text(name, edit->toPlainText());
        if (const auto* view = qobject_cast<QAbstractItemView*>(&widget); view != nullptr && view->model() != nullptr)
            rows(name, *view->model(), {});
        for (const QAction* action : widget.actions())
            this->action(name, *action);
    }

    void action(const QString& where, const QAction& action)
    {
        text(where, action.text());
        mnemonic(where, action.text());
        if (action.text().size() > 250)
            fault(where, "is too long for a menu", action.text());
        text(where, action.toolTip());
        tip(where, action.toolTip());
        if (action.menu() != nullptr && m_seen.insert(action.menu()).second)
            for (const QAction* below : action.menu()->actions())
                this->action(where + " > " + action.text(), *below);
    }

    void accessible(QAccessibleInterface* interface, int depth = 0)
    {
        if (interface == nullptr || !interface->isValid() || depth > 30)
            return;
        for (const QAccessible::Text kind : {QAccessible::Name, QAccessible::Description, QAccessible::Value, QAccessible::Help})
            text("accessible", interface->text(kind));
        for (int i = 0; i < std::min(interface->childCount(), 500); ++i)
            accessible(interface->child(i), depth + 1);
    }

    void text(const QString& where, const QString& said)
    {
        ++texts;
        foreign += said.contains(kMark) ? 1 : 0;
        if (!isShowable(said))
            fault(where, "shows what cannot be seen", said);
    }

    void tip(const QString& where, const QString& said)
    {
        for (const QString& line : said.split('\n'))
            if (line.size() > 200)
                fault(where, "has a tip that is too wide", said);
    }

private:
    void mnemonic(const QString& where, const QString& said)
    {
        if (hasForeignMnemonic(said))
            fault(where, "takes a mnemonic from a name", said);
    }

    void rows(const QString& where, const QAbstractItemModel& model, const QModelIndex& parent)
    {
        for (int row = 0; row < std::min(model.rowCount(parent), 200); ++row)
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::StatusTipRole), int(Qt::WhatsThisRole),
                                       int(Qt::AccessibleTextRole), int(Qt::AccessibleDescriptionRole), int(Qt::EditRole)})
                    text(where, index.data(role).toString());
                tip(where, index.data(Qt::ToolTipRole).toString());
                if (column == 0)
                    rows(where, model, index);
            }
    }

    void fault(const QString& where, const char* what, const QString& said)
    {
        faults << QStringLiteral("%1 %2: %3").arg(where, QLatin1String(what), said.left(120));
    }

    std::set<const QMenu*> m_seen;
};

} // namespace

/// Names out of files are shown as they are: never as markup, as mnemonics, as controls, and never so long that the window
/// cannot be used.
class WindowHostileNamesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        m_hostile = m_folder.filePath("Q7<b>&model[*]\u202Efxj.fxj");
        QFile file(m_hostile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(hostileModel());
    }

    void init()
    {
        m_walk = {};
        showWindow();
        m_window->openModel(m_hostile);
        QTRY_VERIFY2(m_window->document().isOpen(), "the model of hostile names was not opened");
        QTRY_VERIFY(m_window->sourcePane().canvas().picture() != nullptr);
        QTest::qWait(50);
    }
    void cleanup() { closeWindow(); }

    void everythingSaysNamesAsTheyAre()
    {
        Document& document = m_window->document();
        renameTags();
        document.setDevices({{.name = hostileNames()[0].toStdString(), .availableBytes = 1e9, .logicalId = 0},
                             {.name = hostileNames()[4].toStdString(), .availableBytes = 1e9, .logicalId = 1},
                             {.name = hostileNames()[8].toStdString(), .availableBytes = 1e9, .logicalId = 2}},
                            "devices");
        const std::vector<NodeId> all = document.graph().order();
        document.paint(std::span(all).first(all.size() / 2 - 1), 1); // against the order of tags: problems with names in them
        document.paint(std::span(all).last(all.size() / 2), 0);
        walk();
        document.paint(std::span(all).first(all.size() / 2), 0);
        document.paint(std::span(all).subspan(all.size() / 2), 1);
        m_window->workflow().split({});
        QTRY_VERIFY2(document.shownSplit() != nullptr, qPrintable(m_window->findChild<LogPanel*>()->toPlainText()));
        m_window->workflow().findRegions({}, false);
        QTRY_VERIFY(m_window->jobs().runningCount() == 0);
        document.select({all[3]});
        walk();
        document.select(all);
        m_window->searchField().setText(kMark);
        walk();
        m_window->actions().partition->trigger();
        m_window->actions().exportAll->trigger();
        walk();
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            dialog->close();
        QVERIFY(m_walk.foreign > 500);
        report();
    }

    void noNameMakesTheWindowWide()
    {
        renameTags();
        Document& document = m_window->document();
        document.select({document.graph().order()[8]});
        const std::vector<NodeId> all = document.graph().order();
        document.paint(std::span(all).first(9), 1);
        document.paint(std::span(all).subspan(9), 0);
        m_window->workflow().split({});
        QTest::qWait(200);
        QVERIFY2(m_window->minimumSizeHint().width() <= 720, qPrintable(QString::number(m_window->minimumSizeHint().width())));
        m_window->resize(800, 600);
        QTest::qWait(20);
        QCOMPARE(m_window->width(), 800);
    }

    void tooltipsAreTextAndFitOnAScreen()
    {
        CanvasWidget& canvas = m_window->sourcePane().canvas();
        m_window->actions().openAll->trigger();
        QTest::qWait(100);
        canvas.fitAll();
        Walk walk;
        const auto& items = canvas.picture()->items;
        int tips = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const ItemId item(static_cast<std::uint32_t>(i));
            const QPoint at = canvas.viewRectOf(item).center().toPoint();
            tips += showsAPlainTip(canvas, at, walk) ? 1 : 0;
        }
        QVERIFY(tips > 5);
        auto* outline = m_window->outlinePanel().findChild<QAbstractItemView*>();
        for (int row = 0; row < std::min(6, outline->model()->rowCount()); ++row)
            showsAPlainTip(*outline->viewport(), outline->visualRect(outline->model()->index(row, 0)).center(), walk);
        m_walk.faults += walk.faults;
        report();
    }

    void messagesAreText()
    {
        emit m_window->workflow().failed(hostileNames()[0], hostileNames().join(' '));
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QTest::qWait(50);
        QVERIFY2(box->width() < 1600, qPrintable(QString::number(box->width())));
        QVERIFY(box->text().contains("<img src="));
        walk();
        report();
    }

    void menusShowNamesAsTheyAre()
    {
        renameTags();
        m_window->document().select({m_window->document().graph().order()[3]});
        QMenu* seen = nullptr;
        Walk walk;
        QTimer::singleShot(100, this, [&] {
            seen = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (seen == nullptr)
                return;
            for (const QAction* action : seen->actions())
                walk.action("menu", *action);
            seen->close();
        });
        emit m_window->outlinePanel().menuRequested(m_window->mapToGlobal(QPoint(100, 100)));
        QVERIFY(seen != nullptr);
        QVERIFY(walk.foreign > 0);
        m_walk.faults += walk.faults;
        report();
    }

    void shortensAndFolds()
    {
        const QString longest(10'000, QLatin1Char('x'));
        QVERIFY(brief(longest).size() <= 80);
        QVERIFY(caption(longest).size() <= 60);
        for (const QString& line : folded(longest + ' ' + longest).split('\n'))
            QVERIFY(line.size() <= 110);
        QCOMPARE(folded("a b\nc"), QStringLiteral("a b\nc"));
        QCOMPARE(caption("a & b"), QStringLiteral("a && b"));
        QCOMPARE(visible(QStringLiteral("a\u202Eb\n")), QStringLiteral("a\\u202eb\\n"));
        QCOMPARE(brief(QString(100, QChar(0xD83D)) + QChar(0xDE42), 20).size(), 20);
    }

private:
    void renameTags()
    {
        Document& document = m_window->document();
        const QStringList names{hostileNames()[0], hostileNames()[3], hostileNames()[4], hostileNames()[8]};
        TagAssignment tags = document.tags();
        tags.order.clear();
        for (const QString& name : names)
            tags.order.push_back(intern(QString(name).remove('.').toStdString()));
        document.setTags(std::move(tags), "tags");
    }

    void walk()
    {
        QTest::qWait(150);
        const auto all = [&] {
            for (QWidget* widget : QApplication::allWidgets())
                m_walk.widget(*widget);
        };
        all();
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>())
            for (int tab = 0; tab < tabs->count(); ++tab)
                tabs->setCurrentIndex(tab);
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
            if (!dock->isHidden()) {
                dock->raise();
                for (QTabBar* tabs : dock->findChildren<QTabBar*>())
                    for (int tab = 0; tab < tabs->count(); ++tab) {
                        tabs->setCurrentIndex(tab);
                        QTest::qWait(20);
                    }
            }
        QTest::qWait(100);
        all();
        m_walk.accessible(QAccessible::queryAccessibleInterface(m_window.get()));
    }

    /// A tooltip at this place comes as text; false: none comes.
    static bool showsAPlainTip(QWidget& widget, QPoint at, Walk& walk)
    {
        QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
        QApplication::sendEvent(&widget, &help);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* tip = qobject_cast<QLabel*>(top); tip != nullptr && tip->inherits("QTipLabel") && tip->isVisible()) {
                walk.widget(*tip);
                if (tip->width() > 1000 || tip->height() > 800)
                    walk.faults << "a tip is larger than a screen";
                tip->hide();
                return true;
            }
        return false;
    }

    void report()
    {
        m_walk.faults.removeDuplicates();
        for (const QString& fault : m_walk.faults)
            qWarning("%s", qPrintable(fault));
        QCOMPARE(m_walk.faults.size(), 0);
    }

    QString m_hostile;
    Walk m_walk;
};

QTEST_MAIN(WindowHostileNamesTest)
#include "window_hostile_names_test.moc"
