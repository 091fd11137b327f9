#include "panels/jobs_panel.h"

#include "models/job_model.h"
#include "panels/job_status.h"
#include "panels/log_panel.h"
#include "patience.h"
#include "test_case.h"

#include <QLabel>
#include <QProgressBar>
#include <QSemaphore>
#include <QTest>
#include <QToolButton>

using namespace sunder;

/// Jobs in the panel, the status line, and the log.
class JobsPanelTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { m_gate = std::make_shared<QSemaphore>(); } // a new gate, since a cancelled job may not have taken the last one

    void listsTheNewestFirstWithoutQuietOnes()
    {
        Jobs jobs;
        JobsPanel panel(jobs);
        start(jobs, "first");
        start(jobs, "a picture", true);
        start(jobs, "second");
        m_gate->release(3);
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(titles(panel), (QStringList{"second", "first"}));
    }

    void deleteStopsAJob()
    {
        Jobs jobs;
        JobsPanel panel(jobs);
        panel.resize(600, 200);
        panel.show();
        start(jobs, "endless");
        panel.view().setCurrentIndex(panel.view().model()->index(0, JobModel::TitleColumn));
        panel.view().actions().front()->trigger();
        m_gate->release();
        QTRY_COMPARE(jobs.runningCount(), 0);
        QCOMPARE(jobs.list().front().state, JobState::cancelled);
    }

    void drawsHowFarAJobIs()
    {
        Jobs jobs;
        JobsPanel panel(jobs);
        panel.resize(600, 200);
        panel.show();
        start(jobs, "half done");
        const QModelIndex time = panel.view().model()->index(0, JobModel::TimeColumn);
        const QImage before = panel.view().viewport()->grab(panel.view().visualRect(time)).toImage();
        QTRY_COMPARE(time.data(JobModel::PermilleRole).toInt(), 500);
        QVERIFY(panel.view().viewport()->grab(panel.view().visualRect(time)).toImage() != before);
        m_gate->release();
        QTRY_COMPARE(jobs.runningCount(), 0);
    }

    void theStatusSaysWhatRunsAndStopsIt()
    {
        Jobs jobs;
        QWidget window;
        JobStatus status(jobs, &window);
        window.show();
        QVERIFY(!status.isVisible());
        start(jobs, "a long one");
        QTRY_VERIFY(status.isVisible()); // after a short delay
        QTRY_COMPARE(status.findChild<QLabel*>("said")->text(), QString("a long one: in the middle"));
        QCOMPARE(status.findChild<QProgressBar*>()->value(), 500);
        status.findChild<QToolButton*>("cancelJob")->click();
        m_gate->release();
        QTRY_VERIFY(!status.isVisible());
        QCOMPARE(jobs.list().front().state, JobState::cancelled);
    }

    void theLogSaysNamesAsTheyAre()
    {
        LogPanel log;
        log.add(QStringLiteral("<b>a\u202Eb"));
        log.add(QStringLiteral("later"));
        const QStringList lines = log.toPlainText().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].endsWith(QStringLiteral("  <b>a\\u202eb")), qPrintable(lines[0]));
        QVERIFY(lines[1].endsWith("later"));
    }

private:
    /// Starts a job that reports half of its work and waits for the gate.
    void start(Jobs& jobs, const QString& title, bool isQuiet = false)
    {
        jobs.start<int>(
            {.key = title, .title = title, .quiet = isQuiet},
            [gate = m_gate](ProgressMonitor& monitor) -> Result<int> {
                monitor.report(0.5, "in the middle");
                gate->acquire();
                if (monitor.isCancelled())
                    return fail(ErrorCode::cancelled, "Canceled.");
                return 0;
            },
            nullptr, [](Result<int>) {});
    }

    static QStringList titles(JobsPanel& panel)
    {
        QStringList found;
        for (int row = 0; row < panel.view().model()->rowCount(); ++row)
            found << panel.view().model()->index(row, JobModel::TitleColumn).data().toString();
        return found;
    }

    std::shared_ptr<QSemaphore> m_gate;
};

const test::Registered<JobsPanelTest> jobsPanelTest("jobs_panel_test");
#include "jobs_panel_test.moc"
