#include "layout/compose/title_ports.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace sunder::compose {
namespace {

constexpr float kBetween = 8; ///< minimum distance between moved ports
constexpr float kMaxRoom = 64;
constexpr float kUnmoved = 0.25F;

} // namespace

void TitlePorts::add(Index producer, float x)
{
    const auto isKnown = [&](const Port& port) { return port.producer == producer; };
    if (std::none_of(m_ports.begin(), m_ports.end(), isKnown))
        m_ports.push_back({producer, x, x});
}

float TitlePorts::leastRoom() const
{
    return std::min(kBetween * static_cast<float>(m_ports.size()), kMaxRoom);
}

bool TitlePorts::place(float from, float to)
{
    std::sort(m_ports.begin(), m_ports.end(),
              [](const Port& a, const Port& b) { return a.x != b.x ? a.x < b.x : a.producer < b.producer; });
    const float count = static_cast<float>(m_ports.size());
    const float between = count > 1 ? std::min(kBetween, (to - from) / (count - 1)) : 0;
    float least = from;
    for (Port& port : m_ports) {
        port.border = std::max(port.x, least);
        least = port.border + (port.border > port.x ? between : 0);
    }
    float most = to;
    for (Port& port : std::views::reverse(m_ports)) {
        port.border = std::min(port.border, most);
        most = port.border - (port.border < port.x ? between : 0);
    }
    return std::any_of(m_ports.begin(), m_ports.end(),
                       [](const Port& port) { return std::fabs(port.border - port.x) > kUnmoved; });
}

float TitlePorts::borderAt(float x) const
{
    return std::min_element(m_ports.begin(), m_ports.end(),
                            [x](const Port& a, const Port& b) { return std::fabs(a.x - x) < std::fabs(b.x - x); })
        ->border;
}

float TitlePorts::borderOf(Index producer) const
{
    return std::find_if(m_ports.begin(), m_ports.end(), [&](const Port& port) { return port.producer == producer; })->border;
}

} // namespace sunder::compose
