#pragma once

#include "support/id.h"

#include <QString>

namespace sunder {

using JobId = Id<struct JobTag>; ///< Grows with every job: the greater id is the newer job.

enum class JobState : quint8 { running, done, failed, cancelled };

/// What one asks of Jobs.
struct JobSpec {
    QString key;        ///< jobs of one key replace each other: the newer cancels the older, whose result is dropped
    QString title;      ///< for people: "Read decoder32.pt2"
    bool quiet = false; ///< not worth a line in the list unless it fails or takes long (pictures)
    /// It leaves something on the disk, so that only its end says whether it did. Others are over for the person as soon as
    /// they are cancelled, however long the work takes until it asks.
    bool leavesFiles = false;
};

/// What the list of jobs shows of one.
struct JobInfo {
    JobId id;
    QString key;
    QString title;
    QString step;         ///< what it does now
    int permille = -1;    ///< how far it is; −1: not known
    JobState state = JobState::running;
    QString message;      ///< why it failed
    qint64 milliseconds = 0; ///< wall time, once it has ended
    bool quiet = false;
};

} // namespace sunder
