#pragma once

#include "analysis/operator_support/support_rules.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sunder {

/// Reads a SUPPORT.json (`docs/command-line.md`) of at most 256 MB. Rejected, naming the key: unknown and duplicate keys, and values of
/// the wrong type. Linear.
Result<SupportRules> readSupportFile(const std::string& path);

/// The same for a text in memory; errors name `nameForMessages`.
Result<SupportRules> parseSupportFile(std::string_view text, const std::string& nameForMessages);

/// Returns the text of a SUPPORT.json. Linear.
std::string supportFileText(const SupportRules& rules);

/// An option of a method: its key in an OPTIONS.json, and its effect.
struct SupportOptionKey {
    using Member =
        std::variant<bool SupportOptions::*, std::int64_t SupportOptions::*, std::vector<InternedString> SupportOptions::*>;

    std::string_view key;
    SupportMethod method;
    Member member;
    std::string_view tip;
};

/// Returns the options of both methods.
std::span<const SupportOptionKey> supportOptionKeys();

/// Reads an OPTIONS.json for a method, which must not state another method (ErrorCode::usage). Rejected, naming the key: unknown and
/// duplicate keys, keys of the other method, and values of the wrong type.
Result<SupportOptions> readSupportOptions(const std::string& path, SupportMethod method);

/// The same for a text in memory.
Result<SupportOptions> parseSupportOptions(std::string_view text, SupportMethod method, const std::string& nameForMessages);

} // namespace sunder
