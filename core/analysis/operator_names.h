#pragma once

#include <cstdint>
#include <string_view>

namespace sunder {

/// A target taken apart: "torch.ops.aten.add.Tensor" is library "torch.ops.aten", name "add", overload "Tensor";
/// "torch.nn.functional.relu" is library "torch.nn.functional", name "relu".
struct OperatorName {
    std::string_view library;
    std::string_view name;
    std::string_view overload;
};

OperatorName operatorName(std::string_view target);

// What is known of single names. ATen's tables were read off PyTorch 2.13's own schemas (alias annotations and the
// tag nondeterministic_seeded) and, for operators composed of others, off what they return.

/// Always a view of the first argument (or of parts of it).
bool isView(std::string_view name);
/// Returns its first argument, a view of it, or a copy, as shapes and types have it.
bool mayReturnFirst(std::string_view name);
/// The same for any of its arguments.
bool mayReturnAny(std::string_view name);
/// Draws random numbers whatever its arguments are.
bool isRandom(std::string_view name);
/// In place, and on shape, strides, storage or requires_grad rather than on data alone.
bool changesMetadata(std::string_view name);
/// Looks at strides, offset or storage of its arguments, or depends on them.
bool seesLayout(const OperatorName& name);
/// Asks for shape, dtype, device and the like.
bool isQuery(std::string_view name);
/// An attribute of tensors that getattr() reads without looking at data.
bool isMetadataAttribute(std::string_view name);
bool isAssertion(std::string_view name);
/// Changes its first argument, a Python list, dict or set.
bool changesContainer(std::string_view name);
/// Name of an argument that operators write their result to, besides "out".
bool isOutArgument(std::string_view keyword);
/// Succeeds or fails, and gives a result of the same description, whatever numbers its tensors hold. Only common
/// operators of which that is certain.
bool failsByFormOnly(std::string_view name);
/// Without keywords, its result requires gradients where an argument does that is a tensor of a floating type. Only common
/// operators of which that is certain.
bool handsOnGradients(const OperatorName& name);
/// PyTorch's own libraries of functions that compute on tensors.
bool isTensorLibrary(std::string_view library);
/// Libraries of PyTorch whose functions change global state unless known otherwise.
bool isStatefulLibrary(std::string_view library);

} // namespace sunder
