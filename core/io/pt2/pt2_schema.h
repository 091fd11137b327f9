#pragma once

#include "ir/program.h"

#include <string_view>

namespace sunder {

/// What a version of PyTorch knows of the schema of exported programs, 8.MINOR. PyTorch 2.8 and earlier refuse a program with a key
/// that they do not know, so a program is written as the version that wrote its source would.
struct Pt2Schema {
    int minor = 20;

    [[nodiscard]] bool hasArgumentKinds() const { return minor >= 7; } ///< kind of arguments
    [[nodiscard]] bool hasTreespecFields() const { return minor >= 7; } ///< treespec_namedtuple_fields
    [[nodiscard]] bool hasSingleReturns() const { return minor >= 7; } ///< is_hop_single_tensor_return of nodes
    [[nodiscard]] bool hasGuards() const { return minor >= 8; } ///< guards_code
    /// name of nodes: known from 17 on, passed over from 14 on.
    [[nodiscard]] bool hasNodeNames() const { return minor >= 14; }
};

/// The schema of a version as "2.6.0+cpu"; that of PyTorch 2.13 where it is empty, unknown or later. PyTorch 2.5 and earlier, whose
/// schema is 7 or less, are written as 2.6: nothing reads both.
Pt2Schema pt2SchemaOf(std::string_view torch);

/// That of the version that wrote the program. Where a higher-order operator gives a tuple of one result, which PyTorch 2.6 and
/// those behind it write in ways that the others do not read, that of PyTorch 2.13. O(nodes).
Pt2Schema pt2SchemaOf(const Program& program);

} // namespace sunder
