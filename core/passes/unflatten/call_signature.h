#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// An argument or result of a preserved call.
struct CallValue {
    NodeId node = {};           ///< of the flat graph; invalid for a constant and for a node that is gone
    InternedString name = {};   ///< of the node; empty for a constant
    Argument constant = {};
};

/// The call signature of a module as it is preserved.
struct CallSignature {
    Argument inSpec;  ///< as a `_spec_N` attribute holds it
    Argument outSpec;
    std::size_t positionals = 0;
    std::vector<InternedString> keywords;
    std::vector<CallValue> inputs;
    std::vector<CallValue> outputs;
};

/// The preserved signatures of a program by call name ("a", "a@1"). Refuses a spec of inputs that is not a tuple of
/// positional and a dict of keyword arguments.
class CallSignatures {
public:
    static Result<CallSignatures> read(const Program& program);

    /// Null when the call has none, or when it was given up.
    [[nodiscard]] const CallSignature* find(InternedString call) const;
    /// Paths of modules one of whose signatures names more or fewer values than its specs have leaves.
    [[nodiscard]] const std::vector<InternedString>& misfits() const { return m_misfits; }
    /// Calls of these modules do not keep their signature.
    void giveUp(const std::unordered_set<InternedString>& paths);
    [[nodiscard]] bool empty() const { return m_signatures.empty(); }

private:
    std::unordered_map<InternedString, CallSignature> m_signatures;
    std::vector<InternedString> m_misfits;
};

} // namespace sunder
