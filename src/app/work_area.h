#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QSplitter>

#include <vector>

class QSettings;

namespace sunder {

class DevicesPanel;
class FileChangeBar;
class InspectorPanel;
class LogPanel;
class MatchesPanel;
class RulesPanel;
class AssumedSizes;
class BottomPanel;
class AssumptionBar;
class OutlinePanel;
class ProblemsPanel;
class RunsPanel;
class StepsPanel;
class TagsPanel;
class Workspace;

/// What one sees of an open model: the panes, a column of panels beside them, and tabs below. A column | the rest. The panels
/// divide the height of the column by need when a model opens; after that only whoever moves a splitter or sizes the window
/// changes heights.
class WorkArea final : public QSplitter {
    Q_OBJECT

public:
    WorkArea(Document& document, Jobs& jobs, QWidget* parent = nullptr);

    [[nodiscard]] Workspace& panes() { return *m_panes; }
    [[nodiscard]] FileChangeBar& modelChangeBar() { return *m_modelChange; }
    [[nodiscard]] FileChangeBar& tagsChangeBar() { return *m_tagsChange; }
    [[nodiscard]] AssumedSizes& assumedSizes() { return *m_sizes; }
    [[nodiscard]] OutlinePanel& outline() { return *m_outline; }
    [[nodiscard]] TagsPanel& tags() { return *m_tags; }
    [[nodiscard]] DevicesPanel& devices() { return *m_devices; }
    [[nodiscard]] InspectorPanel& inspector() { return *m_inspector; }
    [[nodiscard]] ProblemsPanel& problems() { return *m_problems; }
    [[nodiscard]] RunsPanel& runs() { return *m_runs; }
    [[nodiscard]] StepsPanel& steps() { return *m_steps; }
    [[nodiscard]] MatchesPanel& matches() { return *m_matches; }
    [[nodiscard]] RulesPanel& rules() { return *m_rules; }
    [[nodiscard]] LogPanel& log() { return *m_log; }

    void setSideVisible(bool visible) { m_side->setVisible(visible); }
    void setBottomVisible(bool visible);
    /// Brings that tab to the front; the focus goes to the runs, the steps and what comes after.
    void showProblems();
    void showRuns();
    void showSteps();
    void showMatches();
    void showRules();
    /// How many problems there are stands on their tab.
    void showProblemCount(int count);

    /// Sizes as at first, in a window of this size; docks in their first places.
    void reset(const QSize& window);
    void saveSizes(QSettings& settings) const;
    /// Of an earlier session. False when they are of another version of the window and were left.
    bool restoreSizes(const QSettings& settings);
    /// What Ctrl+Tab goes through, in this order.
    [[nodiscard]] std::vector<QWidget*> areas() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildSide(Document& document, Jobs& jobs);
    void buildRest(Document& document, Jobs& jobs);
    void buildBottom(Document& document, Jobs& jobs);
    /// Heights that the panels of the side are to have, of what they show now.
    void learnNeeds();
    /// Heights of the side's panels by these needs.
    void shareSide();

    QSplitter* m_side; ///< outline / tags / devices / inspector
    OutlinePanel* m_outline = nullptr;
    TagsPanel* m_tags = nullptr;
    DevicesPanel* m_devices = nullptr;
    InspectorPanel* m_inspector = nullptr;
    QSplitter* m_rest; ///< panes / tabs
    FileChangeBar* m_modelChange = nullptr; ///< above the panes
    FileChangeBar* m_tagsChange = nullptr;
    AssumedSizes* m_sizes = nullptr;
    AssumptionBar* m_assumptions = nullptr;
    Workspace* m_panes = nullptr; ///< source | results
    BottomPanel* m_bottom = nullptr;
    ProblemsPanel* m_problems = nullptr;
    RunsPanel* m_runs = nullptr;
    StepsPanel* m_steps = nullptr;
    MatchesPanel* m_matches = nullptr;
    RulesPanel* m_rules = nullptr;
    QList<int> m_sideNeeds; ///< pixels
    bool m_isSideChosen = false; ///< somebody moved a splitter: heights are those until the layout is reset
    LogPanel* m_log = nullptr;
};

} // namespace sunder
