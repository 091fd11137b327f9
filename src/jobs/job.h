#pragma once

#include "support/id.h"

#include <QString>

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

} // namespace sunder
