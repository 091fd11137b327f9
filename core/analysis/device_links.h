#pragma once

#include "analysis/device.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sunder {

/// The figures of the link from one device to another.
struct LinkFigures {
    double bytesPerSecond = 0;
    double latencySeconds = 0;
    double efficiency = kDefaultLinkEfficiency;

    /// Returns the time of a transfer: latency + bytes / (bandwidth · efficiency).
    [[nodiscard]] double seconds(double bytes) const { return latencySeconds + bytes / (bytesPerSecond * efficiency); }
};

/// Formats the figures of a link: "450 GB/s, 2 µs, 80%"; empty if it has none.
std::string linkText(const DeviceLink& link);

/// Parses such a text, in any order of its items: a bandwidth, a latency, and an efficiency. Errors quote the item that is none of
/// these or out of range.
Result<DeviceLink> parseLink(std::string_view text);

/// The links between devices. A pair takes, in this order: the link that the sender states for the receiver; the reverse link;
/// the link that the sender states for all others; that of the receiver. A bandwidth that the link does not state is the smaller
/// `bandwidthBytesPerSecond` of both devices.
class DeviceLinks {
public:
    /// Devices must outlive this object.
    explicit DeviceLinks(std::span<const Device> devices);

    /// Returns the link between two devices by their indices in the list; nothing if no bandwidth is known. O(1).
    [[nodiscard]] std::optional<LinkFigures> between(std::size_t from, std::size_t to) const;

private:
    struct Links {
        const DeviceLink* general = nullptr;
        std::unordered_map<std::int64_t, const DeviceLink*> to;
    };
    [[nodiscard]] const DeviceLink* find(std::size_t from, std::size_t to) const;

    std::span<const Device> m_devices;
    std::vector<Links> m_links;
};

} // namespace sunder
