#pragma once

#include "operators/call_facts.h"

#include <string>
#include <unordered_map>

namespace sunder {

/// Caches callFacts() for similar calls: the same operator, argument count, and keywords, and for each argument the same truth
/// value (off, on, or computed), whether it is a list, whether it is a non-boolean number, and whether it is 1, from 0 to 1, or
/// another number. The operators must outlive this object.
class KnownCallFacts final {
public:
    /// Returns facts that are valid for the lifetime of this object. O(arguments).
    const CallFacts& of(const OperatorFacts& facts, const CallArguments& call);

private:
    std::unordered_map<std::string, CallFacts> m_facts;
    std::string m_key; ///< of the current call
};

} // namespace sunder
