#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

// The fixed pieces of a Python file that writePython() makes.

/// What the file is and how it is used, and what it cannot say.
std::string pythonDocText(std::string_view model, bool isTagged, const std::vector<std::string>& notes);
/// Imports of what all printed code may use.
std::string_view pythonAlwaysText();
/// missing(): functions that are not called.
std::string_view pythonMissingText();
/// How modules and tensors are put in their places.
std::string_view pythonModuleText();
/// take(): modules and tensors from another module.
std::string_view pythonTakeText();
/// arguments(): what forward() of an exported program takes. run(): what the program gives.
std::string_view pythonArgumentsText();
/// split(): split_by_tags, and what the file does as a script.
std::string_view pythonSplitText();

} // namespace sunder
