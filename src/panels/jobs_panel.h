#pragma once

#include "jobs/jobs.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

namespace sunder {

namespace Ui {
class JobsPanel;
}

/// The running and finished background jobs, with progress and a cancel button.
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
