#pragma once

#include "operators/call_facts.h"

#include "ir/program.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// What one call of a leaf module does.
struct ModuleCallFacts {
    CallFacts call;                ///< to its arguments
    bool known = true;             ///< false: it may do anything to what reaches it and to its own tensors, and have effects
    bool guards = false;           ///< checks its arguments and returns nothing
    bool writesBuffers = false;    ///< of its own
    bool writesParameters = false;
    bool returnsTensors = false;   ///< a result may lie in the memory of its own tensors
    bool asksAttributes = false;   ///< some of this holds only because the file does not give an attribute that decides
};

/// What an attribute is taken for that decides and that the file does not give.
enum class MissingAttribute : std::uint8_t {
    unknown, ///< on or off
    off,     ///< the module is in evaluation, writes nothing in place …
};

/// What is known of the leaf modules of one program: of their classes (core/operators/data/module_classes.txt), by the
/// attributes that the file gives. A module with tensors that its class does not have, as hooks add them, is not known, nor
/// is one whose file says that it does not state how the module computes, or has keys of a later version.
class ModuleFacts {
public:
    explicit ModuleFacts(const Program& program) : m_program(program) {}
    /// One call of `module`, the object itself. O(arguments) after the first call.
    ModuleCallFacts of(ModuleId module, const CallArguments& call, MissingAttribute missing = MissingAttribute::unknown);
    /// The attributes that a result of `module` depends on: all that the file gives but those that decide about memory
    /// alone, and but `training` where its class does not ask for it. By name.
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
