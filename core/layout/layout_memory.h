#pragma once

#include "layout/box_layout.h"

#include <string>
#include <unordered_map>

namespace sunder {

/// Layouts by all that decides them, so that equal bodies are laid out once and look the same wherever they stand, in all tries
/// at a picture.
class LayoutMemory {
public:
    /// Everything that decides a layout, as bytes.
    static std::string keyOf(const BoxGraph& graph, const LayoutOptions& options);

    /// Null when it is not known. Valid until the next `keep`.
    [[nodiscard]] const BoxLayout* find(const std::string& key) const;
    /// Returns it where it is kept. Forgets everything first where boxes and edges of all get too many.
    const BoxLayout* keep(std::string key, BoxLayout layout);

private:
    std::unordered_map<std::string, BoxLayout> m_known;
    std::size_t m_size = 0; ///< boxes and edges of all
};

} // namespace sunder
