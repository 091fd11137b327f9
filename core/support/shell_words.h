#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// The text as one word of a POSIX shell: as it is where nothing in it means something to a shell, else in quotes. O(length).
std::string shellWord(std::string_view text);

/// The text as what a command reads from the file `/dev/fd/NUMBER`: to be put behind the command, a line of its own each. No line of
/// it can end it before its end. O(length).
std::string shellInput(int number, std::string_view text);

} // namespace sunder
