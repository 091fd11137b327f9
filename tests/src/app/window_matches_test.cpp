#include "app/actions.h"
#include "app/work_area.h"
#include "models/match_model.h"
#include "models/rules_model.h"
#include "panels/matches_panel.h"
#include "panels/rules_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

using namespace sunder;

namespace {

using Show = MatchModel::Show;

/// The model of the fixture with one more op and another activation.
const char* const kLater = "x = placeholder() : 2x3\n"
                           "first = aten.relu.default(x) : 2x3\n"
                           "added = aten.exp.default(first) : 2x3\n"
                           "second = aten.silu.default(added) : 2x3\n"
                           "third = aten.tanh.default(second) : 2x3\n"
                           "fourth = aten.add.Tensor(third, first) : 2x3\n"
                           "output(fourth)\n";

/// A chain of equal layers.
std::string layers(int count)
{
    std::string text = "x = placeholder()\n";
    std::string from = "x";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        const std::string at = " @ layers." + n + " Layer\n";
        text += "p" + n + " = relu(" + from + ")" + at + "q" + n + " = gelu(p" + n + ")" + at;
        text += "r" + n + " = tanh(q" + n + ")" + at + "s" + n + " = exp(r" + n + ")" + at;
        from = "s" + n;
    }
    return text + "output(" + from + ")\n";
}

} // namespace

/// Tags on a re-exported model, and rules, in the window.
class WindowMatchesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        showWindow();
        openModel();
        document().painting().paint(std::array{node("first"), node("second")}, 0);
        document().painting().paint(std::array{node("third"), node("fourth")}, 1);
        settle();
    }
    void cleanup() { closeWindow(); }

    void aModelThatIsReadAgainKeepsTagsByWhatOpsAre()
    {
        reloadAs(kLater);
        QCOMPARE(tagAt("first"), QString("stage0"));
        QCOMPARE(tagAt("third"), QString("stage1"));
        QCOMPARE(tagAt("second"), QString("stage0")); // replaces the old second op
        QCOMPARE(model().count(Show::identity), 3);
        QVERIFY(matches().isVisible()); // opened because some matches need review
        actions().showMatches->trigger();
        QVERIFY(matches().findChild<QPushButton*>("accept")->isEnabled()); // by keyboard alone
        QCOMPARE(model().count(Show::lost), 1);
        QVERIFY(document().isModified());
    }

    void aModelThatIsReadAgainAsItWasSaysNothing()
    {
        reloadAs({});
        QVERIFY(!matches().isVisible());
        QCOMPARE(tagAt("second"), QString("stage0"));
        QCOMPARE(model().count(Show::open), 0);
    }

    void aRowLeadsToItsOpAndIsAcceptedAndThatIsUndone()
    {
        reloadAs("x = placeholder() : 2x3\nfirst = aten.relu.default(x) : 2x3\nsecond = aten.gelu.default(first) : 2x3\n"
                 "added = aten.exp.default(second) : 2x3\nthird = aten.tanh.default(added) : 2x3\n"
                 "fourth = aten.add.Tensor(third, first) : 2x3\noutput(fourth)\n");
        QCOMPARE(model().count(Show::open), 1);
        QCOMPARE(tagAt("added"), QString());
        choose(0);
        QCOMPARE(document().marks().selection().source, std::vector{node("added")});
        press("accept");
        QCOMPARE(tagAt("added"), QString("stage0")); // the tag of its input
        QCOMPARE(model().count(Show::open), 0);
        QCOMPARE(model().count(Show::accepted), 1);
        document().undo();
        QCOMPARE(tagAt("added"), QString());
        QCOMPARE(model().count(Show::open), 1);
    }

    void anotherTagIsChosenForARow()
    {
        reloadAs(kLater);
        choose(0);
        QMenu menu;
        matches().fillOthers(menu);
        for (QAction* action : menu.actions())
            if (action->text().contains("stage1"))
                action->trigger();
        QCOMPARE(document().tags()[document().marks().selection().source.front()], 1);
    }

    void allInTheListAreAcceptedAtOnce()
    {
        reloadAs(kLater);
        const int open = model().count(Show::open);
        QVERIFY(open > 0);
        const int steps = document().steps().count();
        press("acceptAll");
        QCOMPARE(model().count(Show::open), 0);
        QCOMPARE(document().steps().count(), steps + 1);
    }

    void whatIsLostLeadsToWhereItWas()
    {
        reloadAs("x = placeholder() : 2x3\nfirst = aten.relu.default(x) : 2x3\nthird = aten.tanh.default(first) : 2x3\n"
                 "fourth = aten.add.Tensor(third, first) : 2x3\noutput(fourth)\n");
        auto* kind = matches().findChild<QComboBox*>("kind");
        kind->setCurrentIndex(static_cast<int>(Show::lost));
        emit kind->activated(static_cast<int>(Show::lost));
        QCOMPARE(model().rowCount(), 1);
        choose(0);
        QVERIFY(!document().marks().selection().source.empty());
        QVERIFY(!matches().findChild<QPushButton*>("accept")->isEnabled());
    }

    void tagsOfAnotherExportAreTakenOverAndUndone()
    {
        const QString other = m_folder.filePath("later.fxj");
        QVERIFY(writeFxJson(test::programFromText(kLater), other.toStdString()).has_value());
        write(m_folder.filePath("later.tags.json"),
              R"({"order":["a","b"],"tags":{"first":"a","added":"a","second":"b","third":"b","fourth":"b"}})");
        workflow().takeTagsOver(other);
        settle();
        QCOMPARE(tagAt("first"), QString("a"));
        QCOMPARE(tagAt("fourth"), QString("b"));
        QVERIFY(document().basis().transfer != nullptr);
        document().undo();
        QCOMPARE(tagAt("first"), QString("stage0"));
        QVERIFY(document().basis().transfer == nullptr);
    }

    void opsOfALayerAreOneLine()
    {
        reloadAs(layers(2));
        for (const char* name : {"p0", "q0", "r0", "s0"})
            document().painting().paint(std::array{node(name)}, 0);
        for (const char* name : {"p1", "q1", "r1", "s1"})
            document().painting().paint(std::array{node(name)}, 1);
        reloadAs(layers(3));
        QCOMPARE(model().count(Show::open), 12);
        QCOMPARE(model().rowCount(), 3);
        const QModelIndex first = model().index(0, 0);
        QCOMPARE(first.data().toString(), QString("4 ops in layers.0"));
        const QString why = first.siblingAtColumn(MatchModel::WhyColumn).data().toString();
        QVERIFY2(why.startsWith("may match ops in layers.0"), qPrintable(why));
        QCOMPARE(model().rowCount(first), 4);
        const QModelIndex within = model().index(1, 0, first);
        QCOMPARE(within.data().toString(), QString("q0 in layers.0"));
        QCOMPARE(model().parent(within), first);
        choose(0);
        QCOMPARE(document().marks().selection().source.size(), 4U);
        matches().view().expand(first);
        matches().view().setCurrentIndex(within);
        press("accept");
        QCOMPARE(model().count(Show::open), 11);
        QCOMPARE(matches().view().currentIndex().parent(), model().index(0, 0)); // at the same position in the remaining list
        const QModelIndex second = model().index(model().rowCount() - 1, 0);
        matches().view().setCurrentIndex(second);
        press("accept");
        QCOMPARE(model().count(Show::open), 7);
        QVERIFY(!model().summary().contains("nothing left"));
        press("acceptAll");
        QCOMPARE(model().count(Show::open), 0);
        QVERIFY(model().summary().endsWith("nothing left to review"));
    }

    void aRuleSaysWhatItTakesAndPaintsBelowStrokes()
    {
        document().painting().erase(std::array{node("third")});
        const int row = rules().add(-1);
        rules().setData(rules().index(row, RulesModel::OpColumn), "tanh", Qt::EditRole);
        rules().setData(rules().index(row, RulesModel::TagColumn), "head", Qt::EditRole);
        settle();
        QVERIFY2(rules().index(row, RulesModel::TakesColumn).data().toString().startsWith("1 op"),
                 qPrintable(rules().index(row, RulesModel::TakesColumn).data().toString()));
        const int steps = document().steps().count();
        QCOMPARE(steps, document().steps().index());
        rules().setData(rules().index(row, RulesModel::OpColumn), "*", Qt::EditRole);
        QSignalSpy said(&document(), &Document::messageEmitted);
        rulesPanel().view().setCurrentIndex(rules().index(row, RulesModel::OpColumn));
        rulesPanel().findChild<QPushButton*>("apply")->click();
        settle();
        QCOMPARE(said.size(), 1);
        QCOMPARE(said[0][0].toString(), QString("Applied 1 rule: 1 op changed. Painted by hand and kept: 3 ops."));
        QCOMPARE(tagAt("third"), QString("head"));
        QCOMPARE(rulesPanel().view().currentIndex().row(), row);
        QCOMPARE(tagAt("first"), QString("stage0"));
        QCOMPARE(document().steps().count(), steps + 1);
        document().undo();
        QCOMPARE(tagAt("third"), QString());
        QCOMPARE(rules().rowCount(), 0); // as last applied
    }

    void theCurrentRuleIsMarkedInTheGraph()
    {
        actions().showRules->trigger();
        const int row = rules().add(-1);
        rules().setData(rules().index(row, RulesModel::OpColumn), "relu|tanh", Qt::EditRole);
        rules().setData(rules().index(row, RulesModel::OpColumn), "relu", Qt::EditRole);
        rulesPanel().view().setCurrentIndex(rules().index(row, 0));
        settle();
        QCOMPARE(document().marks().found(), std::vector{node("first")});
        rulesPanel().hide();
        QVERIFY(document().marks().found().empty());
    }

    void aRuleThatMeansNothingSaysWhy()
    {
        const int row = rules().add(-1);
        rules().setData(rules().index(row, RulesModel::ModuleColumn), "a..b", Qt::EditRole);
        settle();
        QVERIFY(rules().index(row, RulesModel::TakesColumn).data().toString().startsWith("module has an empty element"));
        QVERIFY(!rulesPanel().findChild<QPushButton*>("apply")->isEnabled());
    }

    void aRuleForAModuleThatDoesNotExistSaysWhatWouldMatch()
    {
        forgetChanges();
        writeModel("x = placeholder() : 2x3\n"
                   "first = aten.relu.default(x) : 2x3 @ model.layers.0 Layer\n"
                   "second = aten.gelu.default(first) : 2x3 @ model.layers.0 Layer\n"
                   "third = aten.tanh.default(second) : 2x3 @ model.layers.1 Layer\n"
                   "fourth = aten.add.Tensor(third, first) : 2x3\n"
                   "output(fourth)\n");
        openModel();
        const int row = rules().add(-1);
        const auto takes = [&](const char* module) {
            rules().setData(rules().index(row, RulesModel::ModuleColumn), module, Qt::EditRole);
            settle();
            return rules().index(row, RulesModel::TakesColumn).data().toString();
        };
        QCOMPARE(takes("layers.0"), QString("no ops: no module has the path layers.0, but **.layers.0 matches"));
        QCOMPARE(takes("block"), QString("no ops: no module has the path block"));
        QVERIFY(takes("**.layers.0").startsWith("2 ops"));
    }

    void rulesAreKeptOverReadingTheModelAgainAndFollowARenamedTag()
    {
        document().tagSources().applyRules({.rules = {{.op = "tanh", .tag = "stage1"}}});
        settle();
        QVERIFY(document().tagList().rename(1, "tail").isEmpty());
        QCOMPARE(document().basis().rules.rules.front().tag, std::string("tail"));
        reloadAs(kLater);
        QCOMPARE(document().basis().rules.rules.front().tag, std::string("tail"));
        QCOMPARE(rules().rowCount(), 1);
    }

private:
    MatchesPanel& matches() { return *m_window->findChild<MatchesPanel*>(); }
    const MatchModel& model() { return matches().model(); }
    RulesPanel& rulesPanel() { return *m_window->findChild<RulesPanel*>(); }
    RulesModel& rules() { return rulesPanel().model(); }

    void press(const char* button) { matches().findChild<QPushButton*>(button)->click(); }
    void choose(int row)
    {
        const QModelIndex index = model().index(row, 0);
        matches().view().setCurrentIndex(index);
        emit matches().view().activated(index);
    }

    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// Replaces the file and reads it again; without a text, with the same contents.
    void reloadAs(const std::string& text)
    {
        if (!text.empty()) {
            QFile::remove(m_model);
            QVERIFY(writeFxJson(test::programFromText(text), m_model.toStdString()).has_value());
        }
        workflow().reloadModel();
        settle();
    }

    QString tagAt(const char* name) { return document().tagName(document().tags()[node(name)]); }
};

const test::Registered<WindowMatchesTest> windowMatchesTest("window_matches_test");
#include "window_matches_test.moc"
