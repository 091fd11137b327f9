#pragma once

#include "jobs/job.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <vector>

namespace sunder {

/// Work off the window's thread. A job gets all it needs by value, reports progress, can be cancelled, and its result
/// is handed over in the window's thread, unless a newer job of the same key has made it stale.
class Jobs final : public QObject {
    Q_OBJECT

public:
    explicit Jobs(QObject* parent = nullptr);
    ~Jobs() override;

    /// Starts `work`. `done` is called in this object's thread with the result, with ErrorCode::cancelled when the
    /// person stopped it, and not at all when it became stale or `context` is gone. Exceptions become errors.
    template <typename T>
    JobId start(const JobSpec& spec, std::function<Result<T>(ProgressMonitor&)> work, QObject* context,
                std::function<void(Result<T>)> done)
    {
        auto outcome = std::make_shared<Result<T>>(fail(ErrorCode::cancelled, "Cancelled."));
        auto hand = [done = std::move(done), guard = QPointer<QObject>(context)](Result<T> result) {
            if (guard)
                done(std::move(result));
        };
        Task task;
        task.run = [outcome, work = std::move(work)](ProgressMonitor& monitor) {
            *outcome = work(monitor);
            return outcome->has_value() ? std::optional<Error>() : std::optional<Error>(outcome->error());
        };
        task.fail = [outcome](const Error& error) { *outcome = tl::unexpected<Error>(error); };
        task.deliver = [outcome, hand] { hand(std::move(*outcome)); };
        task.abandon = [hand] { hand(fail(ErrorCode::cancelled, "Cancelled.")); };
        return launch(spec, std::move(task));
    }

    /// Lets go of something large in the background: where nobody else holds it, freeing it takes long.
    static void discard(std::shared_ptr<const void> value);

    /// `done` is told soon, also where the work goes on until it next asks; of a job that leaves files when it has ended.
    void cancel(JobId id);
    void cancelAll();
    [[nodiscard]] bool isRunning(const QString& key) const;
    [[nodiscard]] int runningCount() const;

    /// Oldest first; ended jobs stay for a while.
    [[nodiscard]] const std::vector<JobInfo>& list() const { return m_infos; }

signals:
    void aboutToAdd(int row);
    void added(int row);
    void changed(int row);
    void aboutToRemove(int row);
    void removed(int row);
    /// A job has ended, after its result was handed over.
    void ended(const sunder::JobInfo& info);

private:
    struct Task {
        std::function<std::optional<Error>(ProgressMonitor&)> run;
        std::function<void(const Error&)> fail;
        std::function<void()> deliver;
        std::function<void()> abandon; ///< says that it was cancelled while the work may still go on
    };
    struct Running;

    JobId launch(const JobSpec& spec, Task task);
    void finish(JobId id);
    void abandon(JobId id);
    void end(JobInfo& info, JobState state, const QElapsedTimer& clock);
    void forgetOldest();
    [[nodiscard]] int rowOf(JobId id) const;

    QThreadPool m_pool;
    std::vector<JobInfo> m_infos;
    std::vector<std::unique_ptr<Running>> m_running;
    std::uint32_t m_nextId = 0;
};

} // namespace sunder
