#pragma once

#include "random.h"

#include <string>
#include <vector>

namespace sunder::fuzz {

/// A model as bytes in one of the formats, with the names of the calls in its root graph.
struct ModelBytes {
    std::string name; ///< with the file extension of its format
    std::string bytes;
    std::vector<std::string> calls = {};
};

/// One command line of sunder-cli with its side files. File names are relative.
struct CommandLine {
    std::vector<std::string> words; ///< starting with the command
    std::vector<std::pair<std::string, std::string>> files; ///< exist before the run
    std::vector<std::string> outputs; ///< exist after success, must not exist after failure
};

/// Returns a random command line of `command` on a model, with side files that fit the model and are sometimes damaged. `other` is
/// the second model of commands that take two.
CommandLine randomCommandLine(const ModelBytes& model, const ModelBytes& other, const std::string& command, Random& random);

/// The commands, in the order of the help text.
const std::vector<std::string>& commandNames();

} // namespace sunder::fuzz
