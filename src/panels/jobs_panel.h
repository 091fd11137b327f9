#pragma once

#include "jobs/jobs.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class JobsPanel;
}

/// What runs in the background and what has run, with progress and a way to stop it.
class JobsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit JobsPanel(Jobs& jobs, QWidget* parent = nullptr);
    ~JobsPanel() override;
    [[nodiscard]] QTreeView& view();

private:
    Jobs& m_jobs;
    std::unique_ptr<Ui::JobsPanel> m_ui;
};

} // namespace sunder
