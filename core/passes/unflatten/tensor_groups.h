#pragma once

#include "ir/program.h"
#include "passes/unflatten/outline.h"

#include <vector>

namespace sunder {

/// Which tensors of a program become one object in the unflattened one, and where each stands. As in torch, two
/// parameters of equal storage, offset, shape and stride are one, and so are two buffers of the state dict; what else
/// shares memory is kept apart.
struct TensorGroups {
    struct Group {
        TensorId source;     ///< the first tensor of the group; invalid for a new attribute
        bool copied = true;  ///< torch gives it memory of its own
        bool shares = false; ///< it overlaps another in a memory that is written, and keeps it
        bool isParameter = false; ///< a parameter has exactly the same memory
        NodeId value = {};   ///< of the flat graph: what a new attribute holds
    };
    std::vector<Group> groups;
};

/// Puts every tensor of the program into the modules that its name leads to, with all calls of them. Linear, but for
/// modules that are called several times, each of which gets every tensor. Where something may be written to a memory
/// (`written`, per storage), tensors that overlap in it go on sharing it; torch would take them apart.
TensorGroups assignTensors(const Program& flat, TensorKeys& keys, const std::vector<char>& written, Outline& outline);

} // namespace sunder
