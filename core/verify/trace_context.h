#pragma once

#include "operators/operator_catalogue.h"
#include "verify/symbol_mapping.h"
#include "verify/verify.h"

#include <unordered_set>

namespace sunder {

/// Shared state and settings for tracing both programs.
struct TraceContext {
    SymbolMapping& mapping;
    TermTable& terms;
    OperatorCatalog& operators;
    const VerifyOptions& options;
    /// Operators that one of the programs calls through with_effects. Calls of them are effects in both programs.
    const std::unordered_set<InternedString>& effects;
    /// Whether either program writes to memory. If not, memory is not tracked.
    bool followMemory = false;
    /// Whether shapes, strides, or storages change in place. Sizes may then differ from those of the inputs.
    bool reshapes = false;
    /// Whether lists, dicts, or sets may be modified. Items and lengths of possible containers may then change.
    bool changesContainers = false;
    /// Treats calls with unknown semantics as pure functions of their arguments, to find out whether the verdict depends on them.
    bool assumePure = false;
    /// Trusts the dtypes that the file states for conversions.
    bool assumeRecordedDtypes = true;
    /// Trusts the file's descriptions of values in called graphs.
    bool assumeRecordedCalls = true;
};

} // namespace sunder
