#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// REGIONS.json, `docs/command-line.md`: {"groups":[{"regions":[["add","mul"],…]}],"rejected":[{"regions":[…],"why":"…"}]}.
struct RegionsFile {
    using Region = std::vector<InternedString>; ///< names of nodes
    struct Rejected {
        Region region;
        std::string why;
    };
    std::vector<std::vector<Region>> groups;
    std::vector<Rejected> rejected;
};

/// The file's text: a region a line.
std::string regionsJson(const RegionsFile& regions);

/// Writes it; the file appears whole or not at all.
Result<void> writeRegionsFile(const RegionsFile& regions, const std::string& path);

} // namespace sunder
