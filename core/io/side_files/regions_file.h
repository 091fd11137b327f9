#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// REGIONS.json (`docs/command-line.md`): {"groups":[{"regions":[["add","mul"],…]}],"rejected":[{"regions":[…],"why":"…"}]}.
struct RegionsFile {
    using Region = std::vector<InternedString>; ///< names of nodes
    struct Rejected {
        Region region;
        std::string why;
    };
    std::vector<std::vector<Region>> groups;
    std::vector<Rejected> rejected;
};

/// Returns the text of the file, one region per line.
std::string regionsJson(const RegionsFile& regions);

/// Writes the file, which is replaced atomically.
Result<void> writeRegionsFile(const RegionsFile& regions, const std::string& path);

} // namespace sunder
