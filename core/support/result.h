#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace sunder {

/// The kind of an Error; determines the exit status of sunder-cli (see exitStatus()).
enum class ErrorCode : std::uint8_t {
    refused,     ///< The input is valid, but the operation is impossible for it (an untagged node, a cycle).
    usage,       ///< The request is invalid (an unknown option).
    io,          ///< A file could not be opened, read or written.
    malformed,   ///< A file is damaged, truncated or of the wrong kind.
    unsupported, ///< This build cannot read the version or kind of a file.
    cancelled,   ///< The user or a signal stopped the operation.
};

/// Location of a problem. Fields that do not apply are empty.
struct Location {
    std::string file = {};   ///< Path of the file, as given by the user.
    std::string member = {}; ///< Record of an archive, or path inside a JSON document ("graph.nodes[3].target").
    std::uint64_t line = 0; ///< 1-based line of a text file; 0 if there is none.
    std::string node = {};   ///< Name of the node.
    std::string other = {};  ///< Name of the second node, tag or partition involved.
};

/// Why an operation failed. `message` is a readable sentence with names and numbers.
struct Error {
    ErrorCode code = ErrorCode::refused;
    std::string message;
    Location where = {};
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Returns an Error: `return fail(ErrorCode::refused, "…", {.node = "add"});`
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, Location where = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

/// Returns the Error of an operation that the user stopped.
inline tl::unexpected<Error> cancelled()
{
    return fail(ErrorCode::cancelled, "Canceled.");
}

#define SUNDER_JOIN_WORDS(a, b) a##b
#define SUNDER_JOIN(a, b) SUNDER_JOIN_WORDS(a, b)
#define SUNDER_TRY_AS(result, declaration, ...)                                                                                  \
    auto result = (__VA_ARGS__);                                                                                                 \
    if (!result)                                                                                                                 \
        return tl::unexpected<::sunder::Error>(std::move(result).error());                                                       \
    declaration = *std::move(result)
#define SUNDER_PROPAGATE_AS(result, ...)                                                                                         \
    do {                                                                                                                         \
        if (auto&& result = (__VA_ARGS__); !result)                                                                              \
            return tl::unexpected<::sunder::Error>(std::forward<decltype(result)>(result).error());                              \
    } while (false)

/// Declares a variable with the value of a Result, or returns its Error from the enclosing function:
/// `SUNDER_TRY(const SplitPlan plan, planSplit(program, tags));`. Expands to several statements, so an `if` needs braces around it.
#define SUNDER_TRY(declaration, ...) SUNDER_TRY_AS(SUNDER_JOIN(result_, __LINE__), declaration, __VA_ARGS__)

/// Returns the Error of a Result, if there is one: `SUNDER_PROPAGATE(checkTags(graph, tags));`. Neither copies nor moves a value.
#define SUNDER_PROPAGATE(...) SUNDER_PROPAGATE_AS(SUNDER_JOIN(result_, __LINE__), __VA_ARGS__)

/// Propagates an Error: `if (!x) return forward(x);`
template <typename T>
tl::unexpected<Error> forward(const Result<T>& failed)
{
    return tl::unexpected<Error>(failed.error());
}

/// Returns the exit status for this kind of error, as listed in `docs/command-line.md`.
int exitStatus(ErrorCode code);

/// Returns a short lower-case name of the code for `--json` ("refused", "malformed", …).
std::string_view name(ErrorCode code);

/// Formats an error on one line: "FILE: MESSAGE, LOCATION". A message without a subject is about the file: "FILE: the file is empty".
std::string describe(const Error& error);

} // namespace sunder
