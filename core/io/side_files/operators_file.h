#pragma once

#include "operators/operator_library.h"

#include <memory>
#include <string>

namespace sunder {

/// Reads schemas of custom operators, a line each as torch.library registers it. Names file, line and what is wrong.
Result<std::shared_ptr<const OperatorLibrary>> readOperators(const std::string& path);

} // namespace sunder
