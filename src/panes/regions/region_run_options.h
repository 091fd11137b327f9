#pragma once

#include "panes/run_options_button.h"
#include "passes/regions/find_regions.h"

namespace sunder {

/// Options of the Regions pane: only find regions, or share them; by which key; as torch does.
class RegionRunOptions final : public RunOptionsButton {
    Q_OBJECT

public:
    explicit RegionRunOptions(QWidget* parent = nullptr);

    /// How the run was made. `hasTracked`: nodes of the model carry the keys of TorchDynamo's tracker.
    void show(const RegionOptions& options, bool share, bool hasTracked);
    /// There is no run: a choice makes the first one.
    void showNone();
    [[nodiscard]] QAction& shareChoice() { return *m_share; }

signals:
    void runRequested(const sunder::RegionOptions& options, bool share);

private:
    void refresh();
    void ask(const RegionOptions& options, bool share);

    QAction* m_find;
    QAction* m_share;
    QAction* m_tracked;
    QAction* m_structural;
    QAction* m_asUpstream;
    RegionOptions m_options;
    bool m_hasRun = false;
    bool m_isSharing = false;
    bool m_hasTracked = false;
};

} // namespace sunder
