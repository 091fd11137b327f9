#pragma once

#include "panes/run_options_button.h"
#include "passes/unflatten/unflatten.h"

namespace sunder {

/// Options of the Hierarchy pane: torch compatibility, and implicit module inputs.
class HierarchyRunOptions final : public RunOptionsButton {
    Q_OBJECT

public:
    explicit HierarchyRunOptions(QWidget* parent = nullptr);
    /// Shows the options of a finished run.
    void show(const UnflattenOptions& options);

signals:
    void runRequested(const sunder::UnflattenOptions& options);

private:
    QAction* m_asUpstream;
    QAction* m_byBuffer;
    QAction* m_byAttribute;
};

} // namespace sunder
