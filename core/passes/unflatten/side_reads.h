#pragma once

#include "passes/unflatten/call_signatures.h"
#include "passes/unflatten/module_stacks.h"
#include "passes/unflatten/unflatten.h"

#include <vector>

namespace sunder {

constexpr std::uint32_t kMaxRequests = 2000; ///< recursion depth of values that request others

/// How a module with a preserved signature gets a value that it does not take as an argument.
enum class SideWay : std::uint8_t {
    argument,    ///< an input of the program, as an additional argument
    recomputed,  ///< a cheap call, computed again in the module
    attribute,   ///< from a buffer of its own, `__ival__NAME`
    buffer,      ///< from the buffer that its first argument leads to
    unreachable, ///< not at all: the module cannot keep its signature
    refused,     ///< not at all: it is not the result of a function
};
SideWay sideWay(const Node& value, CrossingValues crossing);

/// A value that a module with a preserved signature reads without receiving it as an argument.
struct CrossingRead {
    NodeId value;               ///< of the flat graph
    std::uint32_t position = 0; ///< of the reader
    InternedString reader;      ///< path of the reading module
    bool isStep = false;        ///< only an intermediate step between another value and the buffer; it is written, not read
};

/// A value that modules cannot access with their signatures.
struct UnreachableValue {
    NodeId value;
    std::vector<InternedString> readers; ///< paths of the reading modules with a signature, outermost first
};

/// The values that modules with preserved signatures read without receiving them as arguments.
struct SideReads {
    std::vector<CrossingRead> crossings;
    std::vector<UnreachableValue> unreachable;
    bool isRefused = false; ///< outline() refuses the program; the reads after that point are missing
};

/// Follows every value from its producer to its readers, call by call, as outline() does. Linear in nodes plus arguments, times
/// the depth of stacks.
SideReads sideReads(const Graph& flat, const ModuleStacks& stacks, const std::vector<CallChange>& changes,
                    const CallSignatures& signatures, bool isRootClosed, CrossingValues crossing);

} // namespace sunder
