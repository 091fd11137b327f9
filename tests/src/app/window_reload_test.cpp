#include "app/disk_watch.h"
#include "app/project.h"
#include "panels/notice_bar.h"
#include "panes/submodules/submodules_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>
#include <QStatusBar>

using namespace sunder;

namespace {

/// Layers of four ops each: p0, q0, r0, s0, p1 …
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

/// Has none of the layers' ops.
const std::string kOther = "x = placeholder()\nother = aten.sin.default(x)\nmore = aten.cos.default(other)\noutput(more)\n";

} // namespace

/// A file that changes while it is open is read again as an undo step; no tag is lost for good.
class WindowReloadTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QSettings().clear();
        m_project = m_folder.filePath("chain.sunder");
        QFile::remove(m_project);
        writeModel(layers(3));
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void isAStepThatBringsTheModelItsTagsAndItsRunsBack()
    {
        paintLayers();
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        const SnapshotPtr before = document().snapshot();
        const TagAssignment tags = document().tags();
        const int steps = document().steps().index();
        writeModel(layers(2));
        reload();
        QVERIFY(!document().isOf(before));
        QVERIFY(document().runs().list().empty());
        QVERIFY(!widget<SubmodulesPane>().isVisible());
        QCOMPARE(document().steps().undoText(), QString("Reload chain.fxj"));
        QCOMPARE(document().steps().index(), steps + 1);
        document().painting().paint(std::array{node("q0")}, 1);

        actions().undo->trigger();
        actions().undo->trigger();
        QVERIFY(document().isOf(before));
        QCOMPARE(document().tags().tagOf, tags.tagOf);
        QCOMPARE(document().runs().list().size(), 1U);
        QVERIFY(document().runs().shownSplit() != nullptr && document().runs().isSplitCurrent());
        QVERIFY(widget<SubmodulesPane>().isVisible());
        QTRY_COMPARE(sourcePane().view().program().get(), &before->program);
        QCOMPARE(document().checks().report().untagged.size(), 0U);
        actions().undo->trigger(); // also undoes the step before
        QVERIFY(document().checks().report().untagged.size() > 0);

        document().goToStep(document().steps().count());
        QVERIFY(!document().isOf(before));
        QCOMPARE(document().tags()[node("q0")], 1);
        QVERIFY(document().runs().list().empty());
    }

    void otherWeightsAloneAreNothingToSave()
    {
        const SnapshotPtr before = document().snapshot();
        writeModel(layers(3));
        workflow().reloadModel();
        QTRY_VERIFY(!document().isOf(before));
        QVERIFY(!document().isModified());
        QVERIFY(document().steps().canUndo());
    }

    void manyLossesAreAskedAboutFirst()
    {
        paintLayers();
        const SnapshotPtr before = document().snapshot();
        writeModel(kOther);
        MessageDialog* box = reloadAndAsk();
        QVERIFY(box != nullptr);
        QCOMPARE(box->headline(), QString("12 of 12 tagged ops are no longer in the file."));
        box->button("Cancel")->click();
        settle();
        QVERIFY(document().isOf(before));
        QCOMPARE(document().checks().report().untagged.size(), 0U);
        QVERIFY(notice("modelNotice").isVisible());
    }

    void fewLossesAreNot()
    {
        paintLayers();
        const SnapshotPtr before = document().snapshot();
        writeModel(layers(2));
        reload();
        QVERIFY(!document().isOf(before));
        QVERIFY(m_window->findChild<MessageDialog*>() == nullptr);
    }

    void lostTagsComeBackWithTheOps()
    {
        paintLayers();
        const auto before = namedTags();
        writeModel(kOther);
        MessageDialog* box = reloadAndAsk();
        QVERIFY(box != nullptr);
        box->button("Reload")->click();
        settle();
        QVERIFY(document().graph().find(intern("other")));
        document().painting().paint(std::array{node("other")}, 1);
        writeModel(layers(3));
        reload();
        QCOMPARE(namedTags(), before);
        QVERIFY2(said().contains("12 ops that were lost before are back with their tags."), qPrintable(said()));
        QCOMPARE(document().basis().lost.size(), 1U); // the tag of `other`
        actions().undo->trigger();
        QVERIFY(document().graph().find(intern("other")));
        QCOMPARE(document().basis().lost.size(), 1U); // the tags of the layers
    }

    void lostTagsAreInTheProject()
    {
        paintLayers();
        const auto before = namedTags();
        writeModel(kOther);
        MessageDialog* box = reloadAndAsk();
        QVERIFY(box != nullptr);
        box->button("Reload")->click();
        settle();
        QVERIFY(workflow().saveProject(project().state(), m_project));
        openProject();
        QCOMPARE(document().basis().lost.size(), 1U);
        writeModel(layers(3));
        openProject();
        QCOMPARE(namedTags(), before);
        QVERIFY(document().basis().lost.empty());
    }

    void whatIsUnsavedIsStillKeptForACrash()
    {
        paintLayers();
        writeModel(layers(2));
        reload();
        QSignalSpy saved(&autosave(), &Autosave::saved);
        autosave().write();
        QTRY_VERIFY(!saved.isEmpty());
        QVERIFY(QFile::exists(autosave().path()));
        actions().undo->trigger();
        QVERIFY(QFile::exists(autosave().path()));
    }

private:
    /// Paints all ops: the first layer with stage0, the others with stage1.
    void paintLayers()
    {
        std::vector<NodeId> first;
        std::vector<NodeId> others;
        for (const NodeId id : document().graph().nodes())
            if (document().snapshot()->isCall(id))
                (document().graph()[id].name.view().ends_with('0') ? first : others).push_back(id);
        document().painting().paint(first, 0);
        document().painting().paint(others, 1);
    }

    QMap<QString, QString> namedTags()
    {
        QMap<QString, QString> named;
        for (const auto& [name, tag] : tagPairs(document().graph(), document().tags()))
            named[QString::fromStdString(name.str())] = QString::fromStdString(tag.str());
        return named;
    }

    void clickReload()
    {
        diskNotices().watch().check();
        QTRY_VERIFY(notice("modelNotice").isVisible());
        QTest::mouseClick(&diskButton(WatchedFile::model, DiskNotices::Offer::reload), Qt::LeftButton);
    }

    void reload()
    {
        const SnapshotPtr before = document().snapshot();
        clickReload();
        QTRY_VERIFY(!document().isOf(before));
        settle();
    }

    MessageDialog* reloadAndAsk()
    {
        clickReload();
        return waitForBox();
    }

    void openProject()
    {
        QSignalSpy opened(&workflow(), &Workflow::projectOpened);
        m_window->openModel(m_project);
        QTRY_COMPARE(opened.count(), 1);
        settle();
    }

    QString said()
    {
        QStringList all;
        for (const auto* label : m_window->statusBar()->findChildren<QLabel*>())
            all << label->toolTip() << label->accessibleName();
        return all.join(QLatin1Char('|')).simplified(); // tooltips are wrapped
    }

    QString m_project;
};

const test::Registered<WindowReloadTest> windowReloadTest("window_reload_test");
#include "window_reload_test.moc"
