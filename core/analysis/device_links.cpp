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

namespace {

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Result<double> figureOfLink(FigureUnit unit, std::string_view text)
{
    return parseFigure(DeviceFigure{.unit = unit, .terms = {}}, text);
}

/// Takes one item of a link; false if it is none, or out of range.
bool takeItem(std::string_view item, DeviceLink& link)
{
    std::optional<double>* member = nullptr;
    Result<double> value = 0.0;
    if (item.ends_with('%')) {
        member = &link.efficiency;
        value = figureOfLink(FigureUnit::factor, withoutBlanks(item.substr(0, item.size() - 1)));
        if (value)
            *value /= 100;
    } else if (item.ends_with("/s")) {
        member = &link.bytesPerSecond;
        value = figureOfLink(FigureUnit::bytesPerSecond, item);
    } else if (!item.ends_with('s')) { // not a time without a unit
        return false;
    } else {
        member = &link.latencySeconds;
        value = figureOfLink(FigureUnit::seconds, item);
    }
    const bool isLatency = member == &link.latencySeconds;
    if (!value || *member || *value < 0 || (*value == 0 && !isLatency) || (member == &link.efficiency && *value > 1))
        return false;
    *member = *value;
    return true;
}

} // namespace

std::string linkText(const DeviceLink& link)
{
    std::string text;
    const auto add = [&text](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
    if (link.bytesPerSecond)
        add(prefixedText(*link.bytesPerSecond, "B/s"));
    if (link.latencySeconds)
        add(figureText(DeviceFigure{.unit = FigureUnit::seconds, .terms = {}}, *link.latencySeconds));
    if (link.efficiency)
        add(figureText(DeviceFigure{.unit = FigureUnit::factor, .terms = {}}, *link.efficiency * 100) + "%");
    return text;
}

Result<DeviceLink> parseLink(std::string_view text)
{
    DeviceLink link;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        const std::string_view item = withoutBlanks(text.substr(from, end - from));
        from = end + 1;
        if (!item.empty() && !takeItem(item, link))
            return fail(ErrorCode::malformed,
                        '"' + std::string(item.substr(0, 40))
                            + "\" is not a bandwidth, latency, or efficiency of a link (expected e.g. 450 GB/s, 2 µs, 80%)");
    }
    return link;
}

} // namespace sunder
