#pragma once

#include "layout/compose/column_routes.h"

#include <vector>

namespace sunder::compose {

/// Positions where edges cross the top border of a frame: between the texts of its title, in the same order as below it.
class TitlePorts {
public:
    /// Adds a port for the values of `producer`, which continue at `x` below the title. Only the first call for each producer
    /// counts.
    void add(Index producer, float x);

    [[nodiscard]] bool isEmpty() const { return m_ports.empty(); }
    /// Width that should be free of text for all ports.
    [[nodiscard]] float leastRoom() const;

    /// Places the ports on the border between `from` and `to`, close to their x below the title. True if any port is elsewhere,
    /// which requires room for bends below the title.
    bool place(float from, float to);

    /// Position on the border of the port that continues at `x` or closest to it. Requires at least one port.
    [[nodiscard]] float borderAt(float x) const;
    [[nodiscard]] float borderOf(Index producer) const;

private:
    struct Port {
        Index producer;
        float x;
        float border;
    };
    std::vector<Port> m_ports; ///< from left to right after place()
};

} // namespace sunder::compose
