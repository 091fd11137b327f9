#include "analysis/device_links.h"

#include <algorithm>

namespace sunder {

DeviceLinks::DeviceLinks(std::span<const Device> devices) : m_devices(devices), m_links(devices.size())
{
    for (std::size_t i = 0; i < devices.size(); ++i)
        for (const DeviceLink& link : devices[i].links)
            (link.to ? m_links[i].to[*link.to] : m_links[i].general) = &link;
}

const DeviceLink* DeviceLinks::find(std::size_t from, std::size_t to) const
{
    const auto own = [this](std::size_t of, std::size_t target) {
        const auto at = m_links[of].to.find(m_devices[target].logicalId);
        return at == m_links[of].to.end() ? nullptr : at->second;
    };
    if (const DeviceLink* link = own(from, to))
        return link;
    if (const DeviceLink* link = own(to, from))
        return link;
    return m_links[from].general != nullptr ? m_links[from].general : m_links[to].general;
}

std::optional<LinkFigures> DeviceLinks::between(std::size_t from, std::size_t to) const
{
    const DeviceLink* link = find(from, to);
    std::optional<double> bandwidth = link != nullptr ? link->bytesPerSecond : std::nullopt;
    if (!bandwidth) {
        const std::optional<double>& a = m_devices[from].bandwidthBytesPerSecond;
        const std::optional<double>& b = m_devices[to].bandwidthBytesPerSecond;
        bandwidth = a && b ? std::min(*a, *b) : a ? a : b;
    }
    if (!bandwidth || *bandwidth <= 0)
        return std::nullopt;
    LinkFigures figures{.bytesPerSecond = *bandwidth};
    if (link != nullptr) {
        figures.latencySeconds = link->latencySeconds.value_or(0);
        figures.efficiency = link->efficiency.value_or(kDefaultLinkEfficiency);
    }
    return figures;
}

} // namespace sunder
