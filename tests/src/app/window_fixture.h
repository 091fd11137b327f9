#pragma once

#include "app/autosave.h"
#include "app/disk_notices.h"
#include "app/main_window.h"
#include "app/project.h"
#include "app/workspace.h"
#include "dialogs/export_dialog.h"
#include "dialogs/message_dialog.h"
#include "io/fx_json/fx_json_writer.h"
#include "panels/notice_bar.h"
#include "panels/welcome_page.h"
#include "panes/source_pane.h"

#include "child_of.h"
#include "patience.h"
#include "test_support.h"

#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace sunder::test {

/// The real window, offscreen, driven by mouse and keyboard. Each test has a new window and a small model to open.
class WindowFixture : public QObject {
protected:
    void prepare()
    {
        QCoreApplication::setOrganizationName("sunder-test");
        QCoreApplication::setApplicationName("sunder-test");
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.filePath("settings"));
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toLocal8Bit()); // not that of concurrent tests
        m_model = m_folder.filePath("chain.fxj");
        writeModel("x = placeholder() : 2x3\n"
                   "first = aten.relu.default(x) : 2x3\n"
                   "second = aten.gelu.default(first) : 2x3\n"
                   "third = aten.tanh.default(second) : 2x3\n"
                   "fourth = aten.add.Tensor(third, first) : 2x3\n"
                   "output(fourth)\n");
    }

    /// Writes the model to open, in the notation of programFromText.
    void writeModel(const std::string& text) { QVERIFY(writeFxJson(programFromText(text), m_model.toStdString()).has_value()); }

    void showWindow()
    {
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kHangMs));
    }

    void closeWindow()
    {
        if (document().isOpen())
            forgetChanges(); // closing must not ask
        autosave().drop();
        m_window.reset();
    }

    /// Marks the document as saved, so that closing it or opening another model does not ask.
    void forgetChanges()
    {
        const QString before = document().tagsPath();
        document().markSaved(m_folder.filePath("saved.sunder"));
        document().markSaved(before);
    }

    /// Waits until no job runs and no event is pending.
    void settle()
    {
        QVERIFY(comes([this] {
            handlePending();
            return jobs().runningCount() == 0;
        }));
    }

    Document& document() const { return childOf<Document>(*m_window); }
    Jobs& jobs() const { return childOf<Jobs>(*m_window); }
    Workflow& workflow() const { return childOf<Workflow>(*m_window); }
    CustomOperators& customOperators() const { return childOf<CustomOperators>(*m_window); }
    const Actions& actions() const { return childOf<Actions>(*m_window); }
    Workspace& workspace() const { return childOf<Workspace>(*m_window); }
    SourcePane& sourcePane() const { return childOf<SourcePane>(*m_window); }
    Project& project() const { return childOf<Project>(*m_window); }
    Autosave& autosave() const { return childOf<Autosave>(*m_window); }
    /// Returns the only widget of this type in the window.
    template <typename T>
    T& widget() const
    {
        return childOf<T>(*m_window);
    }
    bool showsWelcome() const { return !childOf<WelcomePage>(*m_window).isHidden(); }

    NodeId node(const char* name) const { return document().graph().find(intern(name)); }

    void openModel()
    {
        m_window->openModel(m_model);
        QTRY_VERIFY(document().isOpen());
        QTRY_VERIFY(sourcePane().canvas().picture() != nullptr && !sourcePane().canvas().picture()->items.empty());
        settle(); // the canvas gets its size when the workspace is first shown
        sourcePane().canvas().fitAll();
    }

    void openSample()
    {
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QTRY_VERIFY(document().isOpen());
        QTRY_VERIFY(sourcePane().canvas().picture() != nullptr);
    }

    void paintBoth()
    {
        document().painting().paint(std::array{node("first"), node("second")}, 0);
        document().painting().paint(std::array{node("third"), node("fourth")}, 1);
    }

    void split()
    {
        paintBoth();
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
    }

    /// Splits the model by its current tags.
    SplitOutcomePtr splitSample()
    {
        actions().pass("split")->trigger();
        test::comes([this] { return document().runs().shownSplit() != nullptr; });
        return document().runs().shownSplit();
    }

    void click(const char* name) { clickIn(sourcePane().canvas(), node(name)); }

    void clickIn(CanvasWidget& canvas, NodeId id)
    {
        canvas.fitAll();
        const ItemId item = canvas.picture()->itemOf[id.index()];
        QVERIFY(item.isValid());
        const QPoint at = canvas.viewRectOf(item).center().toPoint();
        QTest::mouseMove(&canvas, at);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    }

    ExportDialog* exportDialog(const QString& format, const QString& path)
    {
        ExportDialog* dialog = openExport(format);
        dialog->setPath(path);
        QTest::mouseClick(&dialog->exportButton(), Qt::LeftButton);
        return dialog;
    }

    ExportDialog* openExport(const QString& format)
    {
        actions().exportAll->trigger();
        auto* dialog = m_window->findChild<ExportDialog*>();
        dialog->setFormat(format);
        return dialog;
    }

    NoticeBar& notice(const char* name) const { return childOf<NoticeBar>(*m_window, name); }
    DiskNotices& diskNotices() const { return childOf<DiskNotices>(*m_window); }
    QPushButton& diskButton(WatchedFile file, DiskNotices::Offer offer) { return diskNotices().buttonOf(file, offer); }

    MessageDialog* waitForBox()
    {
        MessageDialog* box = nullptr;
        comes([&] { return (box = m_window->findChild<MessageDialog*>()) != nullptr; });
        return box;
    }

    QTemporaryDir m_folder;
    QString m_model;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace sunder::test
