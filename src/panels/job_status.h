#pragma once

#include "jobs/jobs.h"

#include <QTimer>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class JobStatus;
}

/// The running job in the status line: title, progress, and a button that cancels it. Appears if a job takes longer than a
/// moment.
class JobStatus final : public QWidget {
    Q_OBJECT

public:
    explicit JobStatus(Jobs& jobs, QWidget* parent = nullptr);
    ~JobStatus() override;

private:
    void refresh();

    Jobs& m_jobs;
    JobId m_shown;
    QTimer m_delay;
    std::unique_ptr<Ui::JobStatus> m_ui;
};

} // namespace sunder
