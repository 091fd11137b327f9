#pragma once

#include "operators/operator_library.h"

#include <memory>
#include <string>

namespace sunder {

/// Reads schemas of custom operators, one per line in the syntax of torch.library. Errors name file, line, and reason.
Result<std::shared_ptr<const OperatorLibrary>> readOperators(const std::string& path);

} // namespace sunder
