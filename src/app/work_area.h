#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QSplitter>

#include <vector>

class QSettings;

namespace sunder {

class DevicesPanel;
class InspectorPanel;
class LogPanel;
class MatchesPanel;
class NoticeBar;
class RulesPanel;
class AssumedSizes;
class BottomPanel;
class AssumptionBar;
class OutlinePanel;
class ProblemsPanel;
class RunsPanel;
class SideColumn;
class StepsPanel;
class TagsPanel;
class Workspace;

/// Views of an open model: the panes, a side column of panels, and tabs below. When a model opens, the panels divide the column
/// height by need. After that only resizing a splitter or the window changes heights. In a low window, panels are folded until they
/// are wanted.
class WorkArea final : public QSplitter {
    Q_OBJECT

public:
    WorkArea(Document& document, Jobs& jobs, QWidget* parent = nullptr);

    [[nodiscard]] Workspace& panes() { return *m_panes; }
    [[nodiscard]] NoticeBar& modelNotice() { return *m_modelChange; }
    [[nodiscard]] NoticeBar& tagsNotice() { return *m_tagsChange; }
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

    void setSideVisible(bool visible);
    void setBottomVisible(bool visible);
    /// Raises a tab. All of these except showProblems() also give it the focus.
    void showProblems();
    void showRuns();
    void showSteps();
    void showMatches();
    void showRules();
    /// Shows the number of problems on their tab.
    void showProblemCount(int count);

    /// Restores the default sizes for a window of this size, and the default docks.
    void reset(const QSize& window);
    void saveSizes(QSettings& settings) const;
    /// Restores the sizes of an earlier session. Returns false if they are from another layout version and were ignored.
    bool restoreSizes(const QSettings& settings);
    /// Returns the areas in the order of Ctrl+Tab.
    [[nodiscard]] std::vector<QWidget*> areas() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildSide(Document& document, Jobs& jobs);
    void buildRest(Document& document, Jobs& jobs);
    void buildBottom(Document& document, Jobs& jobs);
    /// Computes the needed heights of the side panels from their content.
    void learnNeeds();
    /// Gives the bottom panel its height after it was folded or unfolded.
    void shareRest();

    SideColumn* m_side; ///< outline / tags / devices / inspector
    OutlinePanel* m_outline = nullptr;
    TagsPanel* m_tags = nullptr;
    DevicesPanel* m_devices = nullptr;
    InspectorPanel* m_inspector = nullptr;
    QSplitter* m_rest; ///< panes / tabs
    NoticeBar* m_modelChange = nullptr; ///< above the panes
    NoticeBar* m_tagsChange = nullptr;
    AssumedSizes* m_sizes = nullptr;
    AssumptionBar* m_assumptions = nullptr;
    Workspace* m_panes = nullptr; ///< source | results
    BottomPanel* m_bottom = nullptr;
    ProblemsPanel* m_problems = nullptr;
    RunsPanel* m_runs = nullptr;
    StepsPanel* m_steps = nullptr;
    MatchesPanel* m_matches = nullptr;
    RulesPanel* m_rules = nullptr;
    LogPanel* m_log = nullptr;
};

} // namespace sunder
