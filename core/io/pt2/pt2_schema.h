#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace sunder {

/// How the members of a `.pt2` file lie.
enum class Pt2Container : std::uint8_t {
    flat,  ///< PyTorch 2.7 and earlier: a program and torch.save files at the top
    saved, ///< 2.8: an archive whose weights lie in torch.save files
    raw,   ///< 2.9 and later: an archive with a record for each storage
};

/// What a release of PyTorch, 2.RELEASE, reads of exported programs. 2.8 and earlier refuse a program with a key that they do not
/// know. Source: torch/_export/serde/schema.py of 2.5.1, 2.6.0, 2.8.0, 2.9.1 and 2.13.0; for those between them, what the version
/// of their schema has.
struct Pt2Schema {
    static constexpr int kFirst = 5;
    static constexpr int kToday = 13;

    int release = kToday;

    /// The version of the schema, MAJOR.MINOR; no release reads a program of another major version.
    [[nodiscard]] int major() const { return release <= 5 ? 7 : 8; }
    [[nodiscard]] int minor() const;
    [[nodiscard]] std::string version() const { return std::to_string(major()) + '.' + std::to_string(minor()); }
    [[nodiscard]] Pt2Container container() const;
    /// "PyTorch 2.6".
    [[nodiscard]] std::string torch() const { return "PyTorch 2." + std::to_string(release); }

    // Fields
    [[nodiscard]] bool hasArgumentNames() const { return release >= 6; } ///< forward_arg_names of calls
    [[nodiscard]] bool hasSymbolicFloats() const { return release >= 6; } ///< sym_float_values, as_sym_float
    [[nodiscard]] bool hasSrepr() const { return release >= 6; } ///< sizes as "Mul(Integer(2), Symbol('s0'))", before as "2*s0"
    [[nodiscard]] bool hasOpenRanges() const { return release >= 6; } ///< null for a bound that is none, before Infinity
    [[nodiscard]] bool hasArgumentKinds() const { return release >= 7; } ///< kind of arguments
    [[nodiscard]] bool hasTreespecFields() const { return release >= 7; } ///< treespec_namedtuple_fields
    [[nodiscard]] bool hasSingleReturns() const { return release >= 7; } ///< is_hop_single_tensor_return of nodes
    [[nodiscard]] bool hasGuards() const { return release >= 9; } ///< guards_code
    [[nodiscard]] bool hasSizeInputs() const { return release >= 8; } ///< inputs that are symbolic sizes; before, loading fails
    [[nodiscard]] bool hasNodeNames() const { return release >= 9; } ///< name of nodes, which 2.9 passes over
    [[nodiscard]] bool hasQuotedInfinities() const { return release >= 8; } ///< "Infinity", before bare
    [[nodiscard]] bool passesOverKeys() const { return release >= 9; } ///< that it does not know

    // Values
    [[nodiscard]] bool hasComplexNumbers() const { return release >= 9; }
    [[nodiscard]] bool hasParameterMutations() const { return release >= 9; }
    [[nodiscard]] bool hasNestedLists() const { return release >= 10; } ///< of numbers or tensors; dictionaries
    [[nodiscard]] bool hasNestedFloats() const { return release >= 12; }
    [[nodiscard]] bool hasDtype(std::string_view dtype) const;
};

/// The schema of a version as "2.6.0+cpu"; that of today where it is empty, unknown or later. PyTorch 2.4 and earlier are
/// written as 2.6.
Pt2Schema pt2SchemaOf(std::string_view torch);

/// What the program is written for: the release that wrote it. Those of 2.6 and later read it too, but for higher-order operators
/// that give a tuple of one result, of which 2.6 and those behind it write what the others do not read.
Pt2Schema pt2SchemaOf(const Program& program);

/// Of a version that somebody names, "2.6" or "2.6.0". ErrorCode::usage for what is none, or none that can be written for.
Result<Pt2Schema> pt2SchemaFor(std::string_view version);

} // namespace sunder
