#pragma once

#include "canvas/timeline_content.h"
#include "document/document.h"
#include "jobs/jobs.h"
#include "panes/pane.h"
#include "panes/timeline/sweep_page.h"

#include <memory>
#include <optional>

namespace sunder {

namespace Ui {
class TimelinePane;
}

class TimelineView;

/// The timetable of the pipeline that the tags make: a lane per device with compute, transfers, and memory. It follows tags, devices,
/// and costs while it is visible. A second page compares schedules.
class TimelinePane final : public Pane {
    Q_OBJECT

public:
    TimelinePane(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~TimelinePane() override;

    [[nodiscard]] TimelineView& view();
    /// Returns the shown schedule, for exports; null if there is none.
    [[nodiscard]] std::shared_ptr<const PlannedSchedule> plan() const;
    [[nodiscard]] std::shared_ptr<const Drawing> drawing() const override;
    [[nodiscard]] bool zooms() override { return plan() != nullptr; }
    void zoomBy(double factor) override;
    void showAll() override;
    [[nodiscard]] double zoom() override;
    void setZoom(double zoom) override;
    void refreshTheme() override;
    /// Shows the timetable of these tags instead of the document's; null: the document's again.
    void showProposal(const TagAssignment* tags);
    [[nodiscard]] std::string viewState() const override;
    void restoreViewState(JsonValue kept) override;

signals:
    void balanceRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What a job makes: the model also if the schedule is refused.
    struct Made {
        std::shared_ptr<const PipelineModel> model = {};
        TimelineContent content = {};
        std::optional<Error> refusal = {};
    };
    /// The choices in the bar.
    struct Choices {
        PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
        std::uint32_t microBatches = 8;
        std::uint32_t perDevice = 0; ///< stages; 0: as the schedule needs
    };

    void connectChoices();
    void documentChanged(Changes what);
    [[nodiscard]] Choices choices() const;
    [[nodiscard]] std::uint64_t statesPerParameter() const;
    [[nodiscard]] const TagAssignment& shownTags() const { return m_other ? m_other->tags : document().tags(); }
    [[nodiscard]] Document& document() const { return m_document; }
    [[nodiscard]] static Made make(const Program& program, const TagAssignment& tags, const PipelineModelOptions& options,
                                   const Choices& choices, std::shared_ptr<const PipelineModel> model, ProgressMonitor& monitor);
    /// Computes the timetable in a job, now or once the pane is visible.
    void refresh();
    void take(Made made);
    void showWhy(const QString& why);
    void showPage();
    void showFooter();
    void showLooks();
    void showSelection();
    void showNotice();
    /// Shows another cut than the document's tags; nothing: the tags again.
    void showOther(std::optional<SweepCut> cut);
    void openRow(const SweepPtr& sweep, int row, bool isOfTags);
    void useTags();
    void pick(int stage);
    void hover(int stage);
    void findTags();
    /// Returns the tag of a stage in the shown tags; −1: none.
    [[nodiscard]] int tagOfStage(int stage) const;

    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::TimelinePane> m_ui;
    std::shared_ptr<const PipelineModel> m_model; ///< null: to be computed
    std::vector<int> m_tagOf; ///< per stage of the model, see tagOfStage()
    std::optional<SweepCut> m_other; ///< shown instead of the document's tags
    std::size_t m_measuredRead = 0; ///< Costs::measuredRead() of the model
    bool m_isProposal = false; ///< it comes from a dialog
    bool m_isStale = true;
};

} // namespace sunder
