#pragma once

#include "layout/compose/compose_links.h"

#include <vector>

namespace sunder::compose {

/// Where edges cross the upper border of a frame: between the texts of its title, in the order in which they go on inside.
class TitlePorts {
public:
    /// Below the title the values of `producer` go on at `x`. Each producer once.
    void add(Index producer, float x);

    [[nodiscard]] bool isEmpty() const { return m_ports.empty(); }
    /// What should be free of texts for all ports.
    [[nodiscard]] float leastRoom() const;

    /// Chooses places at the border from `from` to `to`, near where the edges go on. True when that is elsewhere for some, which
    /// takes room for bends below the title.
    bool place(float from, float to);

    /// The place at the border of the port that goes on at `x`, or nearest to it. There is one.
    [[nodiscard]] float borderAt(float x) const;
    [[nodiscard]] float borderOf(Index producer) const;

private:
    struct Port {
        Index producer;
        float x;
        float border;
    };
    std::vector<Port> m_ports; ///< from left to right once they are placed
};

} // namespace sunder::compose
