#pragma once

#include "document/runs/split_outcome.h"
#include "jobs/jobs.h"
#include "tagging/tag_check.h"

#include <QObject>

#include <functional>
#include <span>

namespace sunder {

/// Checks the tags after every change: synchronously, or in a job for a large model.
class TagWatch final : public QObject {
    Q_OBJECT

public:
    /// Input of a check. The references are valid until the document changes.
    struct Subject {
        SnapshotPtr snapshot; ///< null if no model is open
        const TagAssignment& tags;
        int activeTag = -1;
        bool splitWanted = false; ///< untagged ops are problems
        std::span<const Device> devices = {};
        SplitOutcomePtr partition = {}; ///< the visible run or preview, if a partitioner made it
        SplitOutcomePtr split = {}; ///< split by the current tags, whose problems are problems of the tags; null if there is none
    };

    /// Calls `subject` at the start of each check. Without `jobs`, all checks are synchronous.
    TagWatch(std::function<Subject()> subject, Jobs* jobs, QObject* parent);

    /// Returns whether a check of this model, or work of similar size, runs in a job.
    [[nodiscard]] bool isLarge(const SnapshotPtr& snapshot) const;
    /// Returns the last check; see isChecking() for a check in progress.
    [[nodiscard]] const TagCheck& last() const { return m_last; }
    [[nodiscard]] bool isChecking() const { return m_isChecking; }

    /// Starts with another model and its completed check.
    void reset(TagCheck check);
    /// Checks after a change. Completes before returning, or emits ended() later.
    void check();
    /// Checks after a change that affects only problem texts and fixes.
    void updateProblems();
    /// Resets the totals to this number of tags until the running check ends.
    void forgetTotals(std::size_t tags);

signals:
    void ended();

private:
    void scheduleCheck();
    [[nodiscard]] DeviceQuestion questionOf(const Subject& subject) const;
    [[nodiscard]] LegalityStatePtr stateOf(const Subject& subject) const;
    void take(TagCheck check, const SnapshotPtr& snapshot);

    std::function<Subject()> m_subject;
    Jobs* m_jobs;
    TagCheck m_last;
    SnapshotPtr m_stateOf; ///< model of the legality state in m_last, which a running job uses exclusively
    SnapshotPtr m_graphOf; ///< model of the cost tables in m_last
    bool m_isChecking = false;
    std::uint64_t m_revision = 0; ///< incremented with every change of the input of a check
};

} // namespace sunder
