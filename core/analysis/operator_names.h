#pragma once

#include "operators/operator_target.h"

#include <string_view>

namespace sunder {

// What is known of single names that no schema tells and nothing needs but the proof that two programs are the same.

/// Looks at strides, offset or storage of its arguments, or depends on them.
bool seesLayout(const OperatorName& name);
/// Succeeds or fails, and gives a result of the same description, whatever numbers its tensors hold. Only common
/// operators of which that is certain.
bool failsByFormOnly(std::string_view name);
/// Without keywords, its result requires gradients where an argument does that is a tensor of a floating type. Only common
/// operators of which that is certain.
bool handsOnGradients(const OperatorName& name);
/// PyTorch's own libraries of functions that compute on tensors.
bool isTensorLibrary(std::string_view library);

} // namespace sunder
