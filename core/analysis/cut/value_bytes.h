#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// The sizes of values of a root graph in bytes, based on `val` and hints for symbolic sizes.
class ValueBytes {
public:
    explicit ValueBytes(const Program& program) : m_program(program) {}

    /// Returns the size of a value, or nothing if it is unknown. The size is 0 for a graph passed to an operator, an unused call
    /// without a value (prints, guards), a result used only by assertions (deadAndAssertNodes()), and an input that is not a tensor
    /// according to the signature (files may omit its value). O(value); the first unknown value costs O(nodes + arguments).
    [[nodiscard]] std::optional<std::uint64_t> of(NodeId id);

private:
    [[nodiscard]] std::optional<std::uint64_t> described(const Node& node) const;

    const Program& m_program;
    std::optional<std::vector<char>> m_isNothing; ///< per NodeId; computed when the first unknown size occurs
};

} // namespace sunder
