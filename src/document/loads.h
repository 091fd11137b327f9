#pragma once

#include "document/document_part.h"

#include "passes/balance/balance_program.h"

#include <QString>

#include <functional>
#include <optional>

namespace sunder {

/// The loads of any tags: seconds of compute and transfers, and the memory of each stage on its device. Stages are on the devices
/// of the model in order, or on as many equal devices if there are none. The costs are computed in a job when a view first wants
/// them. Changes are announced as Change::costs.
class Loads final : private DocumentPart {
public:
    explicit Loads(Document& document) : DocumentPart(document) {}

    enum class State : quint8 { absent, underWay, known, failed };
    [[nodiscard]] State state() const { return m_state; }
    /// Returns why they are not known; for State::failed.
    [[nodiscard]] const QString& why() const { return m_why; }
    /// Starts to compute the costs unless they are known or under way for the current devices, sizes, and number of tags.
    void want();
    /// Measures tags by problem(). Nothing while that is not known, for ops without a tag, and for more stages than devices.
    /// O(nodes + readers).
    [[nodiscard]] std::optional<CutLoads> of(const TagAssignment& tags) const;
    /// Returns the costs that want() computed; null while they are not known.
    [[nodiscard]] const BalancePlanPtr& problem() const { return m_problem; }
    /// Returns the device of each stage as an index into problem()'s devices; empty: in order.
    [[nodiscard]] std::vector<std::uint32_t> order() const;

    /// Uses the options of a balanced cut that became the tags: number of stages instead of devices, order of devices, overlap,
    /// and boundaries at modules.
    void follow(const BalanceOptions& options, const BalancePlan& plan);
    /// Whether tags of this model came from a balanced cut, so that views show their loads.
    [[nodiscard]] bool areOfInterest() const { return m_areOfInterest; }
    /// Explains in a job the stage of an op in these tags, in the words of `sunder-cli balance --why`.
    void explainOp(NodeId op, const TagAssignment& tags, std::function<void(const QString&)> done);
    /// Explains in a job what limits the stage of a tag, and what moving its first and last op would change.
    void explainTag(std::int32_t tag, const TagAssignment& tags, std::function<void(const QString&)> done);
    /// Explains in a job the stage of a device (an index).
    void explainDevice(std::uint32_t device, const TagAssignment& tags, std::function<void(const QString&)> done);

private:
    friend class Document;

    void reset();
    [[nodiscard]] BalanceOptions options() const;
    [[nodiscard]] bool isFor(const BalanceOptions& options) const;
    using Words = std::function<QString(const Program&, const BalancePlan&)>;
    void explain(const TagAssignment& tags, Words words, std::function<void(const QString&)> done);

    State m_state = State::absent;
    QString m_why;
    BalancePlanPtr m_problem;
    SnapshotPtr m_of; ///< what the problem was made of …
    BalanceOptions m_options; ///< … and for, without measured costs …
    std::size_t m_measuredRead = 0; ///< … see Costs::measuredRead()
    bool m_areOfInterest = false;
    bool m_ignoresDevices = false; ///< from follow(), as those below
    bool m_overlap = false;
    bool m_atModules = false;
    std::vector<std::uint32_t> m_order;
    JobId m_job;
};

} // namespace sunder
