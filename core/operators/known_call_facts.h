#pragma once

#include "operators/call_facts.h"

#include <string>
#include <unordered_map>

namespace sunder {

/// callFacts(), computed once for all calls that are alike: of one operator, with as many arguments, the same keywords, and the
/// same of them off, on, computed, and lists. Operators must outlive it.
class KnownCallFacts final {
public:
    /// Valid until the object goes. O(arguments).
    const CallFacts& of(const OperatorFacts& facts, const CallArguments& call);

private:
    std::unordered_map<std::string, CallFacts> m_facts;
    std::string m_key; ///< of the call at hand
};

} // namespace sunder
