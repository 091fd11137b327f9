#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

// The fixed sections of a Python file written by writePython().

/// The docstring: purpose, usage, and limitations of the file.
std::string pythonDocText(std::string_view model, bool isTagged, const std::vector<std::string>& notes);
/// Imports that printed code may use.
std::string_view pythonAlwaysText();
/// missing(): placeholder for functions that are not called.
std::string_view pythonMissingText();
/// Helpers that add modules and tensors to their parents.
std::string_view pythonModuleText();
/// take(): copies modules and tensors from another module.
std::string_view pythonTakeText();
/// arguments(): arguments of an exported program's forward(). run(): runs the program.
std::string_view pythonArgumentsText();
/// split(): split_by_tags, and the behavior of the file as a script.
std::string_view pythonSplitText();

} // namespace sunder
