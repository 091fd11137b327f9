#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// A pytree spec of torch (`torch.utils._pytree.treespec_dumps`): how nested containers are taken apart into leaves.
struct TreeSpec {
    enum class Kind : std::uint8_t { leaf, tuple, list, dict, namedTuple } kind = Kind::leaf;
    std::string type;              ///< "builtins.tuple"; of a named tuple: its class
    std::vector<std::string> keys; ///< of a dict: texts of its keys; a spec whose keys are not texts is not read
    std::vector<TreeSpec> children;
};

/// Reads the text of a spec. Nothing when it is malformed, deeper than 100 or holds a class that is not one of
/// Python's own containers. O(length).
std::optional<TreeSpec> parseTreeSpec(std::string_view text);

} // namespace sunder
