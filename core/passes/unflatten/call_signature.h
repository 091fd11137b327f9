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

/// How many positional arguments and which keywords the spec of a call's inputs has: a tuple of a tuple and a dict.
/// Nothing when the text is not such a spec; containers of any class may stand below. O(length).
struct CallShape {
    std::size_t positionals = 0;
    std::vector<InternedString> keywords;
};
std::optional<CallShape> callShape(std::string_view inSpec);

/// How many values a spec is for: its leaves. O(length).
std::size_t leafCount(std::string_view spec);

/// The preserved signatures of a program by call name ("a", "a@1"). Refuses a spec that callShape() cannot read.
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
