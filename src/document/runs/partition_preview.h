#pragma once

#include "document/document.h"

namespace sunder {

/// What the partition that is shown would be on the devices as they stand in the table now: made again in the
/// background whenever they change, the newest wins. Nothing of it goes into the history until it is kept.
class PartitionPreview final : public QObject {
    Q_OBJECT

public:
    PartitionPreview(Document& document, Jobs& jobs, QObject* parent = nullptr);

    enum class State : quint8 {
        none,    ///< no partition is shown, or the devices are those that it was made for
        running,
        ready,
        refused, ///< the model does not fit these devices: why() says it
    };
    [[nodiscard]] State state() const { return m_state; }
    /// Null unless ready, or running while an earlier one is there to look at.
    [[nodiscard]] const SplitOutcomePtr& outcome() const { return m_outcome; }
    /// What Document knows it by; 0 without an outcome.
    [[nodiscard]] int run() const { return m_run; }
    [[nodiscard]] const QString& why() const { return m_why; }
    /// Makes it a run of the history.
    void keep();

signals:
    void changed();

private:
    void update();
    void start(const SplitOutcomePtr& base);
    void set(State state, SplitOutcomePtr outcome = nullptr, const QString& why = {});
    void setOutcome(SplitOutcomePtr outcome);

    Document& m_document;
    Jobs& m_jobs;
    State m_state = State::none;
    SplitOutcomePtr m_base;           ///< the partition that is shown
    std::vector<Device> m_devices;    ///< what the preview is for
    SplitOutcomePtr m_outcome;
    int m_run = 0;
    QString m_why;
    JobId m_job;
};

} // namespace sunder
