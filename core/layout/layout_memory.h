#pragma once

#include "layout/box_layout.h"

#include <string>
#include <unordered_map>

namespace sunder {

/// Caches layouts by all their inputs. Equal bodies are laid out once and look the same everywhere, also across several attempts
/// at a picture.
class LayoutMemory {
public:
    /// Serializes all inputs of a layout.
    static std::string keyOf(const BoxGraph& graph, const LayoutOptions& options);

    /// Returns null if the layout is not cached. Valid until the next `keep`.
    [[nodiscard]] const BoxLayout* find(const std::string& key) const;
    /// Stores a layout and returns its address in the cache. Clears the cache first if the total number of boxes and edges
    /// exceeds a limit.
    const BoxLayout* keep(std::string key, BoxLayout layout);

private:
    std::unordered_map<std::string, BoxLayout> m_known;
    std::size_t m_size = 0; ///< total number of boxes and edges
};

} // namespace sunder
