#pragma once

#include "panes/run_options_button.h"
#include "passes/regions/find_regions.h"

namespace sunder {

/// Options of the Regions pane: find regions only, or share them; the key; torch compatibility.
class RegionRunOptions final : public RunOptionsButton {
    Q_OBJECT

public:
    explicit RegionRunOptions(QWidget* parent = nullptr);

    /// Shows the options of a run. `hasTracked`: nodes of the model have keys from TorchDynamo's graph region tracker.
    void show(const RegionOptions& options, bool share, bool hasTracked);
    /// Shows the defaults because there is no run; a choice starts the first one.
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
