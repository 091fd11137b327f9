#pragma once

#include "ir/argument.h"
#include "ir/tree_spec.h"

#include <string>
#include <vector>

namespace sunder {

enum class InputKind : std::uint8_t { parameter, buffer, constant, object, token, user };
enum class OutputKind : std::uint8_t {
    user,
    bufferMutation,
    parameterMutation,
    inputMutation,
    loss,
    gradient,
    token,
};

/// The role of a placeholder in an exported program.
struct InputSpec {
    InputKind kind = InputKind::user;
    InternedString target; ///< fqn of the parameter, buffer, constant, or object
    InternedString name;   ///< placeholder; empty for a user input (see value)
    std::optional<bool> persistent = {}; ///< for a buffer
    Argument value = {};   ///< for a user input: the node, or a literal
    InternedString extra = {};
};

/// The role of an output in an exported program.
struct OutputSpec {
    OutputKind kind = OutputKind::user;
    InternedString target; ///< fqn that is written or differentiated; placeholder of an input mutation
    InternedString name;   ///< node that provides the value; empty for user outputs and losses (see value)
    Argument value = {};
    InternedString extra = {};
};

/// The export signature of the root graph, in the order of its placeholders and of its flat outputs. Nodes in values are nodes of
/// the root graph.
struct ExportSignature {
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
    InternedString extra = {};
};

/// One entry of the module call graph. The last five fields are present only if the call signature is preserved.
struct ModuleCall {
    InternedString fqn;
    bool hasSignature = false;
    StoredTreeSpec inSpec = {};
    StoredTreeSpec outSpec = {};
    std::optional<std::vector<InternedString>> argNames = {};
    Arguments inputs = {}; ///< values; nodes are nodes of the root graph
    Arguments outputs = {};
    InternedString extra = {};
};

/// Bounds of a symbol. An absent bound means unbounded.
struct SymbolRange {
    InternedString symbol;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    InternedString extra = {};
};

} // namespace sunder
