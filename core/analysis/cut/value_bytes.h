#pragma once

#include "ir/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// How many bytes the values of a root graph take, by their `val` and by hints of symbolic sizes.
class ValueBytes {
public:
    explicit ValueBytes(const Program& program) : m_program(program) {}

    /// Nothing when a size is not known. A graph handed to an operator takes nothing, nor does a call without a value that
    /// nobody reads, be it a print or guards; a result that only assertions look at (bystandersOf()); or an
    /// input that is no tensor by the signature, for which a file may give no value.
    /// O(value), but for the first unknown one: O(nodes + arguments).
    [[nodiscard]] std::optional<std::uint64_t> of(NodeId id);

private:
    [[nodiscard]] std::optional<std::uint64_t> described(const Node& node) const;

    const Program& m_program;
    std::optional<std::vector<char>> m_isNothing; ///< per NodeId; asked for when a size is not known
};

} // namespace sunder
