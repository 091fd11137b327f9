#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// An argument or result of a preserved call.
struct CallValue {
    NodeId node = {};           ///< of the flat graph; invalid for a constant and for a removed node
    InternedString name = {};   ///< of the node; empty for a constant
    Argument constant = {};
};

/// The preserved signature of a module call.
struct CallSignature {
    Argument inSpec;  ///< as stored in a `_spec_N` attribute
    Argument outSpec;
    std::size_t positionals = 0;
    std::vector<InternedString> keywords;
    std::vector<CallValue> inputs;
    std::vector<CallValue> outputs;
};

/// The preserved signatures of a program by call name ("a", "a@1"). Refuses an input spec other than a tuple of a tuple
/// (positional arguments) and a dict (keywords).
class CallSignatures {
public:
    static Result<CallSignatures> read(const Program& program);

    /// Null if the call has no signature or it was dropped.
    [[nodiscard]] const CallSignature* find(InternedString call) const;
    /// Paths of modules with a signature whose number of values differs from the leaves of its specs.
    [[nodiscard]] const std::vector<InternedString>& misfits() const { return m_misfits; }
    /// Drops the signatures of all calls of these modules.
    void drop(const std::unordered_set<InternedString>& paths);
    [[nodiscard]] bool empty() const { return m_signatures.empty(); }

private:
    std::unordered_map<InternedString, CallSignature> m_signatures;
    std::vector<InternedString> m_misfits;
};

} // namespace sunder
