#include "jobs/jobs.h"

#include "diagnostics/logging.h"
#include "support/progress_monitor.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QPromise>
#include <QtConcurrentRun>

#include <algorithm>

namespace sunder {
namespace {

/// Forwards progress to a QPromise, at most 30 times a second, and the promise's cancellation to the core.
class PromiseMonitor final : public ProgressMonitor {
public:
    explicit PromiseMonitor(QPromise<void>& promise);
    void report(double fraction, std::string_view what) override;
    [[nodiscard]] bool isCancelled() const override;

private:
    QPromise<void>& m_promise;
    QElapsedTimer m_sinceReport;
};

constexpr int kWhole = 1000;
constexpr qint64 kReportEveryMs = 33;

PromiseMonitor::PromiseMonitor(QPromise<void>& promise) : m_promise(promise)
{
    m_promise.setProgressRange(0, kWhole);
}

void PromiseMonitor::report(double fraction, std::string_view what)
{
    if (m_sinceReport.isValid() && m_sinceReport.elapsed() < kReportEveryMs)
        return;
    m_sinceReport.start();
    const int permille = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWhole);
    m_promise.setProgressValueAndText(permille, QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())));
}

bool PromiseMonitor::isCancelled() const
{
    return m_promise.isCanceled();
}
constexpr std::size_t kKeptInList = 100;

/// Quiet jobs are logged at debug level unless they failed.
void log(const JobInfo& job, const char* what)
{
    if (job.quiet && job.state != JobState::failed)
        qCDebug(logJobs, "%s %s", what, qUtf8Printable(job.title));
    else
        qCInfo(logJobs, "%s: %s", what, qUtf8Printable((job.title + QLatin1Char(' ') + job.message).trimmed()));
}

} // namespace

struct Jobs::Running {
    JobId id;
    QString key;
    Task task;
    std::shared_ptr<std::optional<Error>> error = std::make_shared<std::optional<Error>>();
    QFutureWatcher<void>* watcher = nullptr; ///< owned by Jobs
    QElapsedTimer clock;
    bool stale = false; ///< replaced by a newer job of its key; the result is dropped
    bool leavesFiles = false;
    bool abandoned = false; ///< reported as canceled before the work returned
};

Jobs::Jobs(QObject* parent) : QObject(parent)
{
    // More threads than cores: an image can be rendered while a file is verified.
    m_pool.setMaxThreadCount(std::max(4, QThread::idealThreadCount()));
}

Jobs::~Jobs()
{
    for (const auto& running : m_running) {
        running->watcher->disconnect(this);
        running->watcher->cancel();
    }
    m_pool.waitForDone();
}

JobId Jobs::launch(const JobSpec& spec, Task task)
{
    for (const auto& older : m_running)
        if (older->key == spec.key)
            drop(older->id);

    auto running = std::make_unique<Running>();
    const JobId id(m_nextId++);
    running->id = id;
    running->key = spec.key;
    running->leavesFiles = spec.leavesFiles;
    running->task = std::move(task);
    running->clock.start();

    forgetOldest();
    const int row = static_cast<int>(m_infos.size());
    emit aboutToAdd(row);
    m_infos.push_back({.id = id, .key = spec.key, .title = spec.title, .quiet = spec.quiet});
    emit added(row);
    log(m_infos.back(), "started");

    auto* watcher = running->watcher = new QFutureWatcher<void>(this);
    const auto showProgress = [this, id, watcher] {
        const int at = rowOf(id);
        if (at < 0)
            return;
        m_infos[static_cast<std::size_t>(at)].permille = watcher->progressValue();
        m_infos[static_cast<std::size_t>(at)].step = watcher->progressText();
        emit changed(at);
    };
    connect(watcher, &QFutureWatcher<void>::progressValueChanged, this, showProgress);
    connect(watcher, &QFutureWatcher<void>::progressTextChanged, this, showProgress);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, id] { finish(id); });

    const auto run = [work = running->task.run, stop = running->task.fail, error = running->error](QPromise<void>& promise) {
        PromiseMonitor monitor(promise);
        try {
            *error = work(monitor);
        } catch (const std::bad_alloc&) {
            *error = Error{ErrorCode::refused, "There is not enough memory.", {}};
            stop(**error);
        } catch (const std::exception& e) {
            *error = Error{ErrorCode::refused, std::string("The job ended unexpectedly: ") + e.what(), {}};
            stop(**error);
        }
    };
    m_running.push_back(std::move(running));
    watcher->setFuture(QtConcurrent::run(&m_pool, run));
    return id;
}

void Jobs::finish(JobId id)
{
    const auto at = std::find_if(m_running.begin(), m_running.end(), [&](const auto& r) { return r->id == id; });
    if (at == m_running.end())
        return;
    const std::unique_ptr<Running> running = std::move(*at);
    m_running.erase(at);
    running->watcher->disconnect(this);
    running->watcher->deleteLater(); // the watcher is on the call stack

    if (running->abandoned) {
        m_pool.start([work = std::move(running->task.run)]() mutable { work = nullptr; });
        return;
    }
    const int row = rowOf(id);
    JobInfo& info = m_infos[static_cast<std::size_t>(row)];
    const std::optional<Error>& error = *running->error;
    const bool cancelled = running->stale || (error ? !isFault(*error) : running->watcher->isCanceled());
    end(info, cancelled ? JobState::cancelled : error ? JobState::failed : JobState::done, running->clock);
    if (error && !cancelled)
        info.message = QString::fromStdString(describe(*error));
    const JobInfo copy = info;
    log(info, cancelled ? "canceled" : error ? "failed" : "done");
    emit changed(row);
    if (!running->stale) {
        if (cancelled)
            running->task.fail(Error{ErrorCode::cancelled, "Canceled.", {}});
        running->task.deliver();
        if (cancelled && !copy.quiet)
            emit canceled(copy);
    }
    emit ended(copy);
    // Destroy the work in the pool: it may hold the last reference to a closed model.
    m_pool.start([work = std::move(running->task.run)]() mutable { work = nullptr; });
}

void Jobs::end(JobInfo& info, JobState state, const QElapsedTimer& clock)
{
    info.milliseconds = clock.elapsed();
    info.permille = -1;
    info.step.clear();
    info.state = state;
}

/// Ends a job for the user at once and drops the result of its work.
void Jobs::abandon(JobId id)
{
    const auto at = std::find_if(m_running.begin(), m_running.end(), [&](const auto& r) { return r->id == id; });
    if (at == m_running.end() || (*at)->stale)
        return;
    Running& running = **at;
    running.stale = running.abandoned = true;
    const int row = rowOf(id);
    JobInfo& info = m_infos[static_cast<std::size_t>(row)];
    end(info, JobState::cancelled, running.clock);
    const JobInfo copy = info;
    log(info, "canceled");
    const std::function<void()> tell = running.task.abandon; // the callback may start another job
    emit changed(row);
    tell();
    if (!copy.quiet)
        emit canceled(copy);
    emit ended(copy);
}

void Jobs::discard(std::shared_ptr<const void> value)
{
    static QThreadPool pool; // not Qt's global pool: waiting for that would block the window
    if (value)
        pool.start([held = std::move(value)]() mutable { held.reset(); });
}

void Jobs::cancel(JobId id)
{
    for (const auto& running : m_running)
        if (running->id == id) {
            running->watcher->cancel();
            if (!running->leavesFiles)
                QMetaObject::invokeMethod(this, [this, id] { abandon(id); }, Qt::QueuedConnection);
        }
}

void Jobs::drop(JobId id)
{
    for (const auto& running : m_running)
        if (running->id == id) {
            running->stale = true;
            running->watcher->cancel();
        }
}

void Jobs::cancelAll()
{
    std::vector<JobId> all;
    for (const auto& running : m_running)
        all.push_back(running->id);
    for (const JobId id : all)
        cancel(id);
}

bool Jobs::isRunning(const QString& key) const
{
    return std::any_of(m_running.begin(), m_running.end(),
                       [&](const auto& running) { return running->key == key && !running->stale; });
}

int Jobs::runningCount() const
{
    return static_cast<int>(m_running.size());
}

void Jobs::forgetOldest()
{
    if (m_infos.size() < kKeptInList)
        return;
    const auto old = std::find_if(m_infos.begin(), m_infos.end(),
                                  [](const JobInfo& info) { return info.state != JobState::running; });
    if (old == m_infos.end())
        return;
    const int row = static_cast<int>(old - m_infos.begin());
    emit aboutToRemove(row);
    m_infos.erase(old);
    emit removed(row);
}

int Jobs::rowOf(JobId id) const
{
    const auto at = std::find_if(m_infos.begin(), m_infos.end(), [&](const JobInfo& info) { return info.id == id; });
    return at == m_infos.end() ? -1 : static_cast<int>(at - m_infos.begin());
}

} // namespace sunder

#include "moc_jobs.cpp"
