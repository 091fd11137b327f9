#pragma once

#include "analysis/legality/hidden_orders.h"
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

/// The setters of the root graph, in graph order. A call that leaves a region a second time is GlobalSetter::Kind::other.
std::vector<GlobalSetter> globalSetters(const Program& program, std::span<const StateChange> changes);

/// Tracks the active setters while calls run in order. Setters are identified by their indices.
class ActiveSetters {
public:
    explicit ActiveSetters(std::span<const GlobalSetter> setters) : m_setters(setters) {}

    /// Runs a setter. O(active setters).
    void run(std::uint32_t setter);
    /// The active setters, in the order in which they ran.
    [[nodiscard]] const std::vector<std::uint32_t>& now() const { return m_now; }
    /// True if regions are nested too deeply to be tracked; now() is then unreliable.
    [[nodiscard]] bool isTooDeep() const { return m_isTooDeep; }

private:
    static constexpr std::size_t kMostActive = 32;

    void dropGrad(std::size_t from);

    std::span<const GlobalSetter> m_setters;
    std::vector<std::uint32_t> m_now;
    bool m_isTooDeep = false;
};

} // namespace sunder
