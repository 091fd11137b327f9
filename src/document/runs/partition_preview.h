#pragma once

#include "document/document.h"

namespace sunder {

/// Preview of the shown partition for the current device table. Recomputed in the background after each change; a new job
/// replaces the running one. It enters the history only with keep().
class PartitionPreview final : public QObject {
    Q_OBJECT

public:
    PartitionPreview(Document& document, Jobs& jobs, QObject* parent = nullptr);

    enum class State : quint8 {
        none,    ///< no partition is shown, or it was made for these devices
        running,
        ready,
        refused, ///< the model does not fit these devices, see why()
    };
    [[nodiscard]] State state() const { return m_state; }
    /// Null unless ready, or running with an earlier outcome still shown.
    [[nodiscard]] const SplitOutcomePtr& outcome() const { return m_outcome; }
    /// Returns its run number in the document; 0 without an outcome.
    [[nodiscard]] int run() const { return m_run; }
    [[nodiscard]] const QString& why() const { return m_why; }
    /// Adds the preview to the history as a run.
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
    SplitOutcomePtr m_base;           ///< the shown partition
    std::vector<Device> m_devices;    ///< devices of the preview
    SplitOutcomePtr m_outcome;
    int m_run = 0;
    QString m_why;
    JobId m_job;
};

} // namespace sunder
