#pragma once

#include "document/runs/split_outcome.h"
#include "jobs/jobs.h"
#include "tagging/tag_check.h"

#include <QObject>

#include <functional>
#include <span>

namespace sunder {

/// Looks at the tags after every change: at once, or in a job where the model is large.
class TagWatch final : public QObject {
    Q_OBJECT

public:
    /// What there is to look at. References stay as long as nothing changes.
    struct Subject {
        SnapshotPtr snapshot; ///< null: nothing is open
        const TagAssignment& tags;
        int activeTag = -1;
        bool splitWanted = false; ///< ops without a tag stand in its way
        std::span<const Device> devices = {};
        SplitOutcomePtr partition = {}; ///< what is in sight, a run or a preview, if a partitioner made it
        SplitOutcomePtr split = {}; ///< of these tags, so that its problems are problems of the tags; null when there is none
    };

    /// `subject` is asked whenever a look begins. Without `jobs` every look is at once.
    TagWatch(std::function<Subject()> subject, Jobs* jobs, QObject* parent);

    /// Whether a look at this model is the work of a job, as is other work of its size.
    [[nodiscard]] bool isLarge(const SnapshotPtr& snapshot) const;
    /// Of the last look; isLooking() while a newer one is under way.
    [[nodiscard]] const TagCheck& last() const { return m_last; }
    [[nodiscard]] bool isLooking() const { return m_looking; }

    /// Another model, which was looked at before.
    void reset(TagCheck check);
    /// Something changed. Done when it returns, or later: then ended().
    void look();
    /// The same where only words and repairs depend on what changed.
    void lookAtProblems();
    /// There are so many tags now; what was counted of the others is forgotten until the job ends.
    void forgetTotals(std::size_t tags);

signals:
    void ended();

private:
    void lookLater();
    [[nodiscard]] DeviceQuestion questionOf(const Subject& subject) const;
    [[nodiscard]] LegalityStatePtr stateOf(const Subject& subject) const;
    void take(TagCheck check, const SnapshotPtr& snapshot);

    std::function<Subject()> m_subject;
    Jobs* m_jobs;
    TagCheck m_last;
    SnapshotPtr m_stateOf; ///< the model that m_last's state of legality is of; a job that is under way has it for itself
    SnapshotPtr m_graphOf; ///< the model that m_last's tables of costs are of
    bool m_looking = false;
    std::uint64_t m_revision = 0; ///< grows with all that a look depends on
};

} // namespace sunder
