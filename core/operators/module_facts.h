#pragma once

#include "operators/call_facts.h"

#include "ir/program.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// The effects of one call of a leaf module.
struct ModuleCallFacts {
    CallFacts call;                ///< effects on its arguments
    bool known = true; ///< if false, it may do anything to its arguments and its own tensors, and have other effects
    bool guards = false; ///< checks its arguments and returns nothing
    bool writesBuffers = false; ///< its own buffers
    bool writesParameters = false;
    bool returnsTensors = false; ///< a result may share memory with its own tensors
    bool assumesAttributes = false; ///< some of this assumes a value for an attribute that the file does not state
};

/// The assumption for a relevant attribute that the file does not state.
enum class MissingAttribute : std::uint8_t {
    unknown, ///< on or off
    off, ///< the module is in evaluation mode, does not write in place, …
};

/// Facts about the leaf modules of one program, by class (core/operators/data/module_classes.txt) and by the attributes in the
/// file. A module is unknown if it has tensors that its class does not have (as hooks add them), if the file says that it does
/// not fully describe the module's computation, or if it has keys of a later format version.
class ModuleFacts {
public:
    explicit ModuleFacts(const Program& program) : m_program(program) {}
    /// Returns the facts of one call of `module`, which must be a module object rather than an alias. O(arguments) after the
    /// first call.
    ModuleCallFacts of(ModuleId module, const CallArguments& call, MissingAttribute missing = MissingAttribute::unknown);
    /// Returns the attributes that a result of `module` depends on, sorted by name: all in the file, except those that only
    /// affect aliasing, and except `training` if its class does not depend on it.
    std::vector<ModuleAttribute> inResult(ModuleId module);

private:
    const OperatorFacts& classFacts(InternedString cls);
    void findStrangers();

    const Program& m_program;
    std::unordered_map<InternedString, OperatorFacts> m_classes;
    std::unordered_set<ModuleId> m_strangers; ///< leaf modules with tensors that their class does not have
    bool m_searched = false;
};

} // namespace sunder
