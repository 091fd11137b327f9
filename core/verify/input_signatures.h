#pragma once

#include "verify/correspondence.h"
#include "verify/verify.h"

#include <optional>

namespace sunder {

/// Whether two programs take their user inputs alike: as many, collecting positional or keyword arguments (`*rest`,
/// `**options`) at the same places, and with equal default values. A report of the first difference; nothing when
/// there is none. A default value that one program alone has makes no difference to a call that gives every input:
/// that becomes one of `notes`. O(placeholders).
std::optional<VerifyReport> differentInputs(const Program& a, const Program& b, const Correspondence& correspondence,
                                            std::vector<std::string>& notes);

/// How the inputs that two exported programs are for differ, as half a sentence: nesting and names of inputs, nesting of results,
/// constants, dtypes, devices, layouts, sizes and their ranges. Empty if they do not, or if a program states none. Linear in inputs.
std::string differentDomain(const Program& a, const Program& b);

} // namespace sunder
