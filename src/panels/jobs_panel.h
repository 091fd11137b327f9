#pragma once

#include "jobs/jobs.h"

#include <QTreeView>
#include <QWidget>

namespace sunder {

/// What runs in the background and what has run, with progress and a way to stop it.
class JobsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit JobsPanel(Jobs& jobs, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView& view() { return *m_view; }

private:
    Jobs& m_jobs;
    QTreeView* m_view;
};

} // namespace sunder
