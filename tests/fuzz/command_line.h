#pragma once

#include "random.h"

#include <string>
#include <vector>

namespace sunder::fuzz {

/// A model as bytes of one of the formats, and the names of what its root graph calls.
struct ModelBytes {
    std::string name; ///< with the suffix of its format
    std::string bytes;
    std::vector<std::string> calls = {};
};

/// One call of sunder-cli, with the side files that it is given. Names of files are relative.
struct CommandLine {
    std::vector<std::string> words; ///< from the command on
    std::vector<std::pair<std::string, std::string>> files; ///< to be there before
    std::vector<std::string> outputs; ///< made when it succeeds, not there when it fails
};

/// A random command on a model, or of the kind named, with side files that fit the model. Each of the side files is left
/// as it is or damaged. `other` is the second model of commands that take two.
CommandLine randomCommandLine(const ModelBytes& model, const ModelBytes& other, const std::string& command, Random& random);

/// The commands, in the order of help.
const std::vector<std::string>& commandNames();

} // namespace sunder::fuzz
