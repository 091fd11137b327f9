#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace sunder {

/// What kind of failure an Error is; decides the exit status of sunder-cli (see exitStatus()).
enum class ErrorCode : std::uint8_t {
    refused,     ///< The input was read, the operation cannot be done on it (an untagged node, a cycle).
    usage,       ///< The request itself is wrong (an unknown option).
    io,          ///< A file could not be opened, read or written.
    malformed,   ///< A file is damaged, truncated or not of the kind it should be.
    unsupported, ///< A file is of a version or a kind that this build does not read.
    cancelled,   ///< The person or a signal stopped the operation.
};

/// Where a problem lies. Fields that do not apply are empty.
struct Location {
    std::string file = {};   ///< Path of the file, as the person gave it.
    std::string member = {}; ///< Record of an archive, or path inside a JSON document ("graph.nodes[3].target").
    std::uint64_t line = 0; ///< 1-based line of a text file; 0 when there is none.
    std::string node = {};   ///< Name of the node.
    std::string other = {};  ///< Name of the second node, tag or partition concerned.
};

/// Why an operation could not deliver. `message` is a sentence for people, with names and numbers in it.
struct Error {
    ErrorCode code = ErrorCode::refused;
    std::string message;
    Location where = {};
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Makes the failure half of a Result: `return fail(ErrorCode::refused, "…", {.node = "add"});`
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, Location where = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

/// Hands an Error on: `if (!x) return forward(x);`
template <typename T>
tl::unexpected<Error> forward(const Result<T>& failed)
{
    return tl::unexpected<Error>(failed.error());
}

/// The exit status that `docs/command-line.md` gives for this kind of failure.
int exitStatus(ErrorCode code);

/// Short lower-case word for the code, for `--json` ("refused", "malformed", …).
std::string_view name(ErrorCode code);

/// "FILE: WHAT IS WRONG, WHERE" on one line.
std::string describe(const Error& error);

} // namespace sunder
