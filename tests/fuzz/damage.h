#pragma once

#include "random.h"

#include <string>

namespace sunder::fuzz {

/// Damages bytes as broken disks, interrupted transfers, and attackers do, one to four times: flips bits; cuts, duplicates,
/// removes, and moves pieces; inserts other numbers, brackets, and words of the same text.
void damage(std::string& bytes, Random& random);

} // namespace sunder::fuzz
