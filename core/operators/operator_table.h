#pragma once

#include "operators/operator_schema.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// The contents of the built-in tables (core/operators/data).
namespace operator_data {
extern const std::string_view torchOperators;
extern const std::string_view droppedOperators;
extern const std::string_view byHand;
extern const std::string_view moduleClasses;
extern const std::string_view exactCalls;
extern const std::string_view numberFunctions;
extern const std::string_view registeringModules;
extern const std::string_view freshResults;
extern const std::string_view normalForms;
extern const std::string_view rounding;
extern const std::string_view savedForBackward;
} // namespace operator_data

/// Returns the unmodified lines of all overloads of a packet such as "aten::add" in PyTorch's tables. Uses binary search in the
/// text: O(log size) plus the number of lines found.
std::vector<std::string_view> torchOverloads(std::string_view packet);

/// Whether results of an overload ("aten::add.Tensor") were shown to have memory of their own although its schema cannot express
/// this. O(1) after the first call.
bool isShownFresh(std::string_view overload);

/// Returns the lines for `packet` and for names that begin with "packet.", from a table sorted by the text before "(".
std::vector<std::string_view> overloadLines(std::string_view table, std::string_view packet);

/// Returns the facts of the line "TARGET<TAB>FACTS<TAB>REASON" stated by hand; nothing if the target has none. O(1) after the
/// first call, which reads the list.
std::optional<std::string_view> factsByHand(std::string_view target);
/// Returns the facts of the library of a target: the longest matching line, like "torch.nn.init.*".
std::optional<std::string_view> factsOfLibraryByHand(std::string_view target);
/// Returns the facts of a class of leaf modules: "torch.nn.modules.activation.ReLU".
std::optional<std::string_view> factsOfModuleClass(std::string_view cls);

/// Returns the PyTorch module that registers the operators of a namespace, if neither `import torch` nor torch.export.load()
/// does: "torch.ao.quantization.fx._decomposed" for "quantized_decomposed". O(1) after the first call.
std::optional<std::string_view> moduleThatRegisters(std::string_view library);

} // namespace sunder
