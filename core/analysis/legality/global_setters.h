#pragma once

#include "analysis/legality/order_dependencies.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// A call that sets global state, how long the setting is active, and whether another part can repeat it.
struct GlobalSetter {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    enum class Kind : std::uint8_t {
        enter, ///< enters a region; active until the region is left
        leave,
        grad,  ///< sets grad mode; active until it is set again
        other, ///< sets state that no known call resets
    };
    NodeId node;
    Kind kind = Kind::other;
    InternedString field = {};     ///< "autocast", "grad mode"; empty if unknown
    std::uint32_t entered = kNone; ///< leave: the setter that enters the region
    std::uint32_t left = kNone;    ///< enter: the setter that leaves the region
    bool restoresGrad = false;     ///< enter: leaving the region also restores grad mode (inference mode)
    bool isOn = false;             ///< grad: enables gradients, the default at the start of a program
    bool canRepeat = false;        ///< all arguments are constants
};

/// Returns the setters of the root graph, in graph order. A call that leaves a region a second time is GlobalSetter::Kind::other.
std::vector<GlobalSetter> globalSetters(const Program& program, std::span<const StateChange> changes);

/// Tracks the active setters while calls run in order. Setters are identified by their indices.
class ActiveSetters {
public:
    explicit ActiveSetters(std::span<const GlobalSetter> setters) : m_setters(setters) {}

    /// Runs a setter. O(active setters).
    void run(std::uint32_t setter);
    /// Returns the active setters, in the order in which they ran.
    [[nodiscard]] const std::vector<std::uint32_t>& now() const { return m_now; }
    /// Returns whether now() is unreliable: regions are nested too deeply to be tracked, or overlap, so that leaving one restores
    /// the state of another that has already been left.
    [[nodiscard]] bool isUnreliable() const { return m_isUnreliable; }

private:
    static constexpr std::size_t kMaxActive = 32;

    void dropGrad(std::size_t from);

    std::span<const GlobalSetter> m_setters;
    std::vector<std::uint32_t> m_now;
    bool m_isUnreliable = false;
};

/// Global state that a call of one part sets for calls of another. Separate parts start without it and must not leave any.
struct RegionCut {
    std::uint32_t setter = 0; ///< index in the list of setters
    /// The first call that lacks the state or wrongly has it; none: the state is still set at the end of its part.
    std::uint32_t call = GlobalSetter::kNone;
    std::int32_t part = -1; ///< of that call
    bool isMissing = false; ///< the call runs without it
    bool canRepeat = false; ///< the other part can repeat the setter
    friend bool operator==(const RegionCut&, const RegionCut&) = default;
};

/// The calls of a root graph, in graph order, with their relation to global state.
struct StatefulCalls {
    std::span<const GlobalSetter> setters;
    std::span<const std::uint32_t> setterCalls; ///< per setter: index of the call
    std::span<const std::uint8_t> noticesState; ///< per call
    std::span<const std::uint32_t> settersBefore; ///< per call
};

/// Finds state set in one part and active in another; one entry per setter, in order. `partOf`: per call; below 0: unknown.
/// O(calls + setters); calls in regions count once per nesting level.
std::vector<RegionCut> regionCuts(const StatefulCalls& calls, std::span<const std::int32_t> partOf);

} // namespace sunder
