#pragma once

#include "random.h"

#include <string>

namespace sunder::fuzz {

/// Damages bytes as broken disks, cut transfers and clever people do: flips, cuts, doubles, removes and moves pieces,
/// puts other numbers, brackets and words of the same text in place. One to four times.
void damage(std::string& bytes, Random& random);

} // namespace sunder::fuzz
