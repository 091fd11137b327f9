#pragma once

#include "operators/operator_catalogue.h"
#include "verify/correspondence.h"
#include "verify/verify.h"

#include <unordered_set>

namespace sunder {

/// What both programs are read with.
struct TraceContext {
    Correspondence& correspondence;
    TermTable& terms;
    OperatorCatalogue& operators;
    const VerifyOptions& options;
    /// Operators that one of the programs calls by with_effects: calls of them are effects in both.
    const std::unordered_set<InternedString>& effects;
    /// Whether anything is written in either program. Otherwise memory need not be followed.
    bool followMemory = false;
    /// Whether shapes, strides or storages change in place: then sizes are not those of the inputs.
    bool reshapes = false;
    /// Whether lists, dicts or sets may be changed: then items and lengths of what may be one are not always the same.
    bool changesContainers = false;
    /// Takes what nobody knows for a function of its arguments: to find out what hangs on that.
    bool trustsUnknown = false;
    /// Believes the file what conversions convert from and to.
    bool believesTypes = true;
    /// Believes the file what values in graphs that are called are.
    bool believesCalls = true;
};

} // namespace sunder
