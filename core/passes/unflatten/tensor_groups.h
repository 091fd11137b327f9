#pragma once

#include "ir/program.h"
#include "passes/unflatten/outline.h"

#include <vector>

namespace sunder {

/// Which tensors of a program become one object in the unflattened program, and their positions. As in torch, parameters with
/// equal storage, offset, shape and stride become one, and so do such buffers of the state dict. Other tensors that share memory
/// are separated.
struct TensorGroups {
    struct Group {
        TensorId source;     ///< the first tensor of the group; invalid for a new attribute
        bool copied = true;  ///< torch gives it its own memory
        bool shares = false; ///< it overlaps another group in a written memory, and keeps sharing it
        bool isParameter = false; ///< a parameter occupies exactly the same memory
        NodeId value = {};   ///< of the flat graph: the value of a new attribute
    };
    std::vector<Group> groups;
};

/// Assigns every tensor of the program to the modules that its name leads to, including all their calls. Linear, except that
/// modules called several times get every tensor once per call. Tensors that overlap in a memory that may be written (`written`,
/// per storage) keep sharing it; torch would separate them.
TensorGroups assignTensors(const Program& flat, TensorKeys& keys, const std::vector<char>& written, Outline& outline);

} // namespace sunder
