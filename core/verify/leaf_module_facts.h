#pragma once

#include "verify/operator_facts.h"

#include <string_view>

namespace sunder {

/// What is known of a leaf module by its class. Files do not tell whether a module is in training, so dropout is taken
/// to draw random numbers and batch norm to write its statistics.
struct LeafModuleFacts {
    Aliasing aliasing = Aliasing::maybeAny;
    bool identity = false; ///< returns its argument
    bool guards = false;   ///< checks inputs, returns nothing
    bool random = false;
    bool writesBuffers = false;
    bool neverInPlace = false; ///< a result in the memory of an argument is a view of it, not a write
};

LeafModuleFacts leafModuleFacts(std::string_view cls);

} // namespace sunder
