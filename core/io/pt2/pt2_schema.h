#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// The layout of members in a `.pt2` file.
enum class Pt2Container : std::uint8_t {
    flat,  ///< PyTorch 2.7 and earlier: a program and torch.save files at the top level
    saved, ///< 2.8: an archive with weights in torch.save files
    raw,   ///< 2.9 and later: an archive with one record for each storage
};

/// The serialization features supported by PyTorch 2.RELEASE. 2.8 and earlier reject a program with an unknown key. Source:
/// torch/_export/serde/schema.py of 2.5.1, 2.6.0, 2.8.0, 2.9.1, and 2.13.0; for the releases between them, the contents of their
/// schema version.
struct Pt2Schema {
    static constexpr int kFirst = 5;
    static constexpr int kToday = 13;

    int release = kToday;

    /// The version of the schema, MAJOR.MINOR. A release only reads programs of its own major version.
    [[nodiscard]] int major() const { return release <= 5 ? 7 : 8; }
    [[nodiscard]] int minor() const;
    [[nodiscard]] std::string version() const { return std::to_string(major()) + '.' + std::to_string(minor()); }
    [[nodiscard]] Pt2Container container() const;
    /// "PyTorch 2.6".
    [[nodiscard]] std::string torch() const { return "PyTorch 2." + std::to_string(release); }

    // Fields
    [[nodiscard]] bool hasArgumentNames() const { return release >= 6; } ///< forward_arg_names of calls
    [[nodiscard]] bool hasSymbolicFloats() const { return release >= 6; } ///< sym_float_values, as_sym_float
    [[nodiscard]] bool hasSrepr() const { return release >= 6; } ///< sizes as "Mul(Integer(2), Symbol('s0'))"; earlier "2*s0"
    [[nodiscard]] bool hasOpenRanges() const { return release >= 6; } ///< null for a missing bound; earlier Infinity
    [[nodiscard]] bool hasArgumentKinds() const { return release >= 7; } ///< kind of arguments
    [[nodiscard]] bool hasTreespecFields() const { return release >= 7; } ///< treespec_namedtuple_fields
    [[nodiscard]] bool hasSingleReturns() const { return release >= 7; } ///< is_hop_single_tensor_return of nodes
    [[nodiscard]] bool hasGuards() const { return release >= 9; } ///< guards_code
    [[nodiscard]] bool hasSizeInputs() const { return release >= 8; } ///< inputs that are symbolic sizes; earlier, loading fails
    [[nodiscard]] bool hasNodeNames() const { return release >= 9; } ///< name of nodes, which 2.9 ignores
    [[nodiscard]] bool hasQuotedInfinities() const { return release >= 8; } ///< "Infinity" quoted; earlier bare
    [[nodiscard]] bool passesOverKeys() const { return release >= 9; } ///< ignores unknown keys

    // Values
    [[nodiscard]] bool hasComplexNumbers() const { return release >= 9; }
    [[nodiscard]] bool hasParameterMutations() const { return release >= 9; }
    [[nodiscard]] bool hasNestedLists() const { return release >= 10; } ///< of numbers or tensors; dictionaries
    [[nodiscard]] bool hasNestedFloats() const { return release >= 12; }
    [[nodiscard]] bool hasDtype(std::string_view dtype) const;
};

/// Returns the schema for a version such as "2.6.0+cpu", or the current one if the version is empty, unknown, or later. PyTorch
/// 2.4 and earlier map to 2.6.
Pt2Schema pt2SchemaOf(std::string_view torch);

/// Returns the default schema for writing a program: that of the release that wrote it. Releases from 2.6 on read it too, except
/// for higher-order operators that return a one-element tuple, which 2.6 and later releases encode incompatibly.
Pt2Schema pt2SchemaOf(const Program& program);

/// Returns the schema for a version given by the user, "2.6" or "2.6.0". ErrorCode::usage if it is not a version or not supported
/// for writing.
Result<Pt2Schema> pt2SchemaFor(std::string_view version);

} // namespace sunder
