#pragma once

#include "support/id.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <vector>

namespace sunder {

using JobId = Id<struct JobTag>; ///< Increases with every job, so a newer job has a greater id.

enum class JobState : quint8 { running, done, failed, cancelled };

/// Description of a job for Jobs::start().
struct JobSpec {
    QString key;        ///< a new job cancels the running job with the same key and drops its result
    QString title;      ///< title for the user, e.g. "Read decoder32.pt2"
    bool quiet = false; ///< hides the job from the list unless it fails or takes long (images)
    /// The job writes files, so it ends only when its work has returned. Other jobs end for the user as soon as they are
    /// canceled, even if their work keeps running until its next check.
    bool leavesFiles = false;
};

/// Whether the owner of a job reports its error. Not if the job was canceled: Jobs::canceled is the only report of that.
inline bool isFault(const Error& error)
{
    return error.code != ErrorCode::cancelled;
}

/// Entry of the job list.
struct JobInfo {
    JobId id;
    QString key;
    QString title;
    QString step;         ///< current step
    int permille = -1;    ///< progress in permille; −1 if unknown
    JobState state = JobState::running;
    QString message;      ///< error message of a failed job
    qint64 milliseconds = 0; ///< wall time of an ended job
    bool quiet = false;
};

/// Runs work outside the GUI thread. A job receives all its inputs by value, reports progress, and can be canceled. Its result is
/// delivered in the GUI thread, unless a newer job with the same key has replaced it.
class Jobs final : public QObject {
    Q_OBJECT

public:
    explicit Jobs(QObject* parent = nullptr);
    ~Jobs() override;

    /// Starts `work`. `done` is called in this object's thread with the result, or with ErrorCode::cancelled if the user canceled
    /// the job. It is not called if the job was replaced or `context` was destroyed. Exceptions become errors.
    template <typename T>
    JobId start(const JobSpec& spec, std::function<Result<T>(ProgressMonitor&)> work, QObject* context,
                std::function<void(Result<T>)> done)
    {
        auto outcome = std::make_shared<Result<T>>(fail(ErrorCode::cancelled, "Canceled."));
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
        task.abandon = [hand] { hand(fail(ErrorCode::cancelled, "Canceled.")); };
        return launch(spec, std::move(task));
    }

    /// Releases a large value in a background thread, since freeing the last reference can take long.
    static void discard(std::shared_ptr<const void> value);
    /// Same for a value, if there are jobs; otherwise destroys it now.
    template <typename T>
    static void discard(const Jobs* jobs, T value)
    {
        if (jobs != nullptr)
            discard(std::make_shared<const T>(std::move(value)));
    }

    /// Calls `done` soon, even if the work runs until its next check. For a job that writes files, calls `done` after the work
    /// has returned.
    void cancel(JobId id);
    void cancelAll();
    /// Cancels a job whose result is no longer wanted: neither calls `done` nor reports the job as canceled.
    void drop(JobId id);
    [[nodiscard]] bool isRunning(const QString& key) const;
    [[nodiscard]] int runningCount() const;

    /// Running and recently ended jobs, oldest first.
    [[nodiscard]] const std::vector<JobInfo>& list() const { return m_infos; }

signals:
    void aboutToAdd(int row);
    void added(int row);
    void changed(int row);
    void aboutToRemove(int row);
    void removed(int row);
    /// Emitted when a job has ended, after its result was delivered.
    void ended(const sunder::JobInfo& info);
    /// Emitted before ended() for a job that the user can see and canceled. Not for a job that a newer one replaced.
    void canceled(const sunder::JobInfo& info);

private:
    struct Task {
        std::function<std::optional<Error>(ProgressMonitor&)> run;
        std::function<void(const Error&)> fail;
        std::function<void()> deliver;
        std::function<void()> abandon; ///< reports the job as canceled while its work may still run
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
