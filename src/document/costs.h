#pragma once

#include "document/document_part.h"

#include "analysis/cost/cost_figures.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// A figure per node that can be shown.
struct CostChoice {
    QString id;    ///< "flops", "bytes", "seconds", "data:NAME"; stable, for projects
    QString title; ///< "FLOPs"
    QString tip;
};

/// The costs of the open model: floating-point operations and bytes of each node and module, seconds on a device or from
/// measurements. Counted in a job when a view first wants them, and kept until the model or its sizes change. Changes are
/// announced as Change::costs.
class Costs final : private DocumentPart {
public:
    explicit Costs(Document& document) : DocumentPart(document) {}

    enum class State : quint8 { absent, underWay, known, failed };
    [[nodiscard]] State state() const { return m_state; }
    /// Returns why they are not known; for State::failed.
    [[nodiscard]] const QString& why() const { return m_why; }
    /// Starts to count unless the costs are known, being counted, or failed; counts again if the device has changed.
    void want();
    /// Counts again after a failure.
    void retry();

    /// Returns the counts; null while they are not known.
    [[nodiscard]] const ProgramCosts* counts() const { return m_known ? m_known->counts.get() : nullptr; }
    /// Returns the seconds; null without a device or measured costs.
    [[nodiscard]] const ProgramSeconds* seconds() const { return m_known && m_known->seconds ? &*m_known->seconds : nullptr; }
    /// Returns the measured costs that were read; without nodes if there are none.
    [[nodiscard]] const MeasuredCosts& measured() const { return *m_measured; }
    [[nodiscard]] const std::shared_ptr<const MeasuredCosts>& sharedMeasured() const { return m_measured; }
    /// Changes with each change of measured().
    [[nodiscard]] std::size_t measuredRead() const { return m_measuredRead; }
    /// Returns the origins of the nodes' seconds: "COSTS.json; cost model, H100 0". O(nodes).
    [[nodiscard]] QString originsOf(std::span<const NodeId> nodes) const;
    /// Returns the figures of a choice; null while they are not known, and for unknown ids.
    [[nodiscard]] CostFiguresPtr figures(const QString& id) const;
    /// Returns the figures that views can offer, also while they are being counted.
    [[nodiscard]] std::vector<CostChoice> choices() const;
    /// Describes the costs of nodes: "1.2 GFLOP (3.1%), 4.0 MB, 12.0 µs"; empty while they are not known.
    [[nodiscard]] QString describe(std::span<const NodeId> nodes) const;

    /// Returns the devices that seconds can be for: those with rates and a memory bandwidth.
    [[nodiscard]] std::vector<const Device*> timedDevices() const;
    /// Returns the device that seconds are for: the chosen one, or else the first of timedDevices(); null without any.
    [[nodiscard]] const Device* device() const;
    /// Chooses that device by its logical id; nothing: the first one. Counts its seconds if seconds are known.
    void setDevice(std::optional<std::int64_t> logicalId);
    /// Returns what setDevice() chose.
    [[nodiscard]] const std::optional<std::int64_t>& chosenDevice() const { return m_chosenDevice; }

    /// The id of the figure in lists: the outline and the search; empty: none.
    [[nodiscard]] const QString& listed() const { return m_listed; }
    void setListed(const QString& id);

    /// Reads a number per node from node data of Model Explorer, as another choice; failures are reported in the status bar.
    void readNumbers(const QString& path);
    /// Returns the numbers that were read.
    [[nodiscard]] const std::vector<CostFiguresPtr>& numbers() const { return m_numbers; }
    /// Reads measured costs (COSTS.json, CSV) in addition to those read before; failures are reported in the status bar.
    void readMeasured(const QString& path);
    /// Takes measured costs, the text of a COSTS.json, in addition to the earlier ones; failures are reported in the status bar.
    /// `source`: their origin, for display.
    void takeMeasured(const std::string& costs, const QString& source);
    /// Takes the measured costs and the node data of a project, as they are saved in it.
    void resume(const std::string& costs, const QString& source, const std::vector<std::string>& nodeData);

private:
    friend class Document;

    /// The result of the job.
    struct Known {
        std::shared_ptr<const ProgramCosts> counts = {};
        CostFiguresPtr flops = {};
        CostFiguresPtr bytes = {};
        std::optional<ProgramSeconds> seconds = {};
        CostFiguresPtr times = {};
        QString refusal = {}; ///< of seconds
    };

    /// Forgets the costs of the previous model.
    void reset();
    /// Forgets the costs for the previous sizes or operators.
    void recount();
    void start();
    void addMeasured(const std::string& costs, const QString& source, std::function<void()> done);
    using NumberFigures = std::vector<CostFiguresPtr>;
    void measure(const QString& title, std::function<Result<MeasuredCosts>(const Program&)> work, std::function<void()> done);
    void readNumbers(const QString& title, std::function<Result<NumberFigures>(const Program&)> work, std::function<void()> done);
    [[nodiscard]] std::vector<CostChoice> countedChoices() const;
    void take(Result<std::shared_ptr<const Known>> found);
    [[nodiscard]] static Result<std::shared_ptr<const Known>> count(const Program& program, Known known,
                                                                    const std::optional<Device>& device,
                                                                    const MeasuredCosts& measured, ProgressMonitor& monitor);

    State m_state = State::absent;
    QString m_why;
    std::shared_ptr<const Known> m_known; ///< while other seconds are computed, the previous ones
    std::optional<std::int64_t> m_chosenDevice;
    std::optional<Device> m_deviceOf; ///< device of the seconds
    std::shared_ptr<const MeasuredCosts> m_measured = std::make_shared<const MeasuredCosts>(); ///< never null
    std::size_t m_measuredRead = 0; ///< number of changes
    std::vector<std::string> m_measuredPaths; ///< files that were read in addition to …
    std::shared_ptr<const MeasuredCosts> m_measuredBefore = m_measured; ///< … the costs that were taken
    std::vector<CostFiguresPtr> m_numbers; ///< different names
    QString m_listed;
    JobId m_job;
};

} // namespace sunder
