#pragma once

#include "jobs/jobs.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace sunder {

/// The job that runs, in the status line: what it does, how far it is, and a button that stops it. Appears when a
/// job takes longer than a moment.
class JobStatus final : public QWidget {
    Q_OBJECT

public:
    explicit JobStatus(Jobs& jobs, QWidget* parent = nullptr);

private:
    void refresh();

    Jobs& m_jobs;
    JobId m_shown;
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer m_delay;
};

} // namespace sunder
