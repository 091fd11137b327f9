#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// The figures of a cut, by tag, to be compared with those of the same cut of another export. A project keeps them, so that they are
/// known without its model. References nothing else.
struct CutSummary {
    struct Part {
        std::string name;
        std::uint64_t ops = 0;
        std::optional<std::uint64_t> flops = {}; ///< nothing if those of an op are unknown
        std::uint64_t weights = 0; ///< bytes
        std::uint64_t sends = 0; ///< bytes of its values that other parts read, each value once
        std::uint64_t peak = 0; ///< bytes: the peak of a run, with weights and inputs
        std::optional<double> load = {}; ///< seconds of compute and transfers, as for `balance`
        friend bool operator==(const Part&, const Part&) = default;
    };
    std::vector<Part> parts = {}; ///< with ops, in execution order
    std::uint64_t untagged = 0; ///< ops
    std::uint64_t crossing = 0; ///< bytes that cross boundaries, each value once
    std::uint64_t duplicated = 0; ///< bytes of weights that are stored more than once
    double memoryImbalance = 1; ///< the largest peak divided by the mean
    std::string whyNoLoads = {}; ///< without loads: the reason
    std::optional<double> bound = {}; ///< no legal cut has a smaller largest load
    bool isOptimal = false; ///< no legal cut has a smaller largest load than this one
    std::vector<std::string> assumptions = {}; ///< of the loads
    std::string by = {}; ///< of figures that a project keeps: the version of Sunder that computed them
    friend bool operator==(const CutSummary&, const CutSummary&) = default;

    /// Returns the part with this name; null without one.
    [[nodiscard]] const Part* part(const std::string& name) const;
    /// Returns the part with the largest load; null without loads.
    [[nodiscard]] const Part* slowest() const;
    /// Returns the largest load divided by the mean; nothing without loads.
    [[nodiscard]] std::optional<double> loadImbalance() const;
    /// Returns the largest load divided by the bound, minus 1; nothing without both.
    [[nodiscard]] std::optional<double> gap() const;
};

} // namespace sunder
