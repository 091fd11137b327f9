#pragma once

#include "analysis/legality/hidden_orders.h"
#include "ir/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// A call that sets global state: what of it holds after it, and whether another part can set the same.
struct GlobalSetter {
    static constexpr std::uint32_t kNone = 0xffffffffU;
    enum class Kind : std::uint8_t {
        enter, ///< of a region, until it is left
        leave,
        grad,  ///< grad mode, until it is set again
        other, ///< what it sets is not undone by any call that is known
    };
    NodeId node;
    Kind kind = Kind::other;
    InternedString field = {};     ///< "autocast", "grad mode"; empty where it is not known
    std::uint32_t entered = kNone; ///< of leave: the setter that enters
    std::uint32_t left = kNone;    ///< of enter: the setter that leaves
    bool restoresGrad = false;     ///< of enter: leaving it restores grad mode as well (inference mode)
    bool isOn = false;             ///< of grad: enables gradients, which is how programs begin unless somebody disables them
    bool canRepeat = false;        ///< constants say all that it sets
};

/// The setters of the root graph, in graph order. Regions that are not left, and left twice, count as GlobalSetter::Kind::other.
std::vector<GlobalSetter> globalSetters(const Program& program, std::span<const StateChange> changes);

/// Which setters hold at a place, as calls run one after the other. Setters are told apart by their numbers.
class ActiveSetters {
public:
    explicit ActiveSetters(std::span<const GlobalSetter> setters) : m_setters(setters) {}

    /// A setter runs. O(setters that hold).
    void run(std::uint32_t setter);
    /// Those that hold, in the order in which they ran.
    [[nodiscard]] const std::vector<std::uint32_t>& now() const { return m_now; }
    /// More regions lie in each other than are followed: nothing is known any more.
    [[nodiscard]] bool isTooDeep() const { return m_isTooDeep; }

private:
    static constexpr std::size_t kMostActive = 32;

    void dropGrad(std::size_t from);

    std::span<const GlobalSetter> m_setters;
    std::vector<std::uint32_t> m_now;
    bool m_isTooDeep = false;
};

} // namespace sunder
