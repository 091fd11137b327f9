#pragma once

#include "operators/operator_schema.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// The text of the tables that are part of the program (core/operators/data), as they stand in their files.
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
} // namespace operator_data

/// The lines of all overloads of "aten::add" in the tables of what PyTorch registers, as they stand there. Looked up in
/// the text itself: O(log size) and the lines found.
std::vector<std::string_view> torchOverloads(std::string_view packet);

/// Whether an overload ("aten::add.Tensor") was shown to give results with memory of their own where its schema cannot say so.
/// O(1) after the first call.
bool isShownFresh(std::string_view overload);

/// Lines of a table that are sorted by what stands before "(", all of whose names are `packet` or begin with "packet.".
std::vector<std::string_view> overloadLines(std::string_view table, std::string_view packet);

/// The facts of the line "TARGET<TAB>FACTS<TAB>REASON" of what is stated by hand; nothing when there is none for this
/// target. O(1) but for the first call, which reads the list once.
std::optional<std::string_view> factsByHand(std::string_view target);
/// The same for the library of a target: of the longest line "torch.nn.init.*" that fits.
std::optional<std::string_view> factsOfLibraryByHand(std::string_view target);
/// The same of a class of leaf modules: "torch.nn.modules.activation.ReLU".
std::optional<std::string_view> factsOfModuleClass(std::string_view cls);

/// The module of PyTorch that registers the operators of a namespace if `import torch` and torch.export.load() do not:
/// "torch.ao.quantization.fx._decomposed" for "quantized_decomposed". O(1) after the first call.
std::optional<std::string_view> moduleThatRegisters(std::string_view library);

} // namespace sunder
