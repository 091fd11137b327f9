#pragma once

#include "passes/regions/find_regions.h"

#include <QToolButton>
#include <QWidget>

class QAction;
class QMenu;

namespace sunder {

/// The switch in the header of the Regions pane: only find them, or share them; by which key; as torch does. Shows how
/// the run in sight was made; another choice asks for another run.
class RegionRunOptions final : public QWidget {
    Q_OBJECT

public:
    explicit RegionRunOptions(QWidget* parent = nullptr);

    /// How the run was made. `hasTracked`: nodes of the model carry the keys of TorchDynamo's tracker.
    void show(const RegionOptions& options, bool share, bool hasTracked);
    /// There is no run: the buttons make the first one.
    void showNone();
    [[nodiscard]] QToolButton& findButton() { return *m_find; }
    [[nodiscard]] QToolButton& shareButton() { return *m_share; }
    [[nodiscard]] QMenu& menu() { return *m_menu; }

signals:
    void runRequested(const sunder::RegionOptions& options, bool share);

private:
    void refresh();
    void ask(const RegionOptions& options, bool share);

    QToolButton* m_find;
    QToolButton* m_share;
    QMenu* m_menu;
    QAction* m_tracked;
    QAction* m_structural;
    QAction* m_asUpstream;
    RegionOptions m_options;
    bool m_hasRun = false;
    bool m_isSharing = false;
    bool m_hasTracked = false;
};

} // namespace sunder
