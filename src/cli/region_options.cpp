#include "cli/region_options.h"

namespace sunder::cli {

std::span<const CommandOption> regionOptions()
{
    static constexpr CommandOption kOptions[] = {
        {Takes::word, "key", "tracked|structural",
         "For repeated regions: compare nodes by the region keys in the file (tracked, default if present) or by their own "
         "properties (structural)."},
        flag("as-upstream", "For repeated regions: reproduce PyTorch, including its bugs."),
    };
    return kOptions;
}

RegionOptions regionOptionsOf(const Invocation& invocation)
{
    RegionOptions options{.key = {}, .asUpstream = invocation.isSet("as-upstream")};
    if (invocation.isSet("key"))
        options.key = invocation.value("key") == "tracked" ? RegionKey::tracked : RegionKey::structural;
    return options;
}

} // namespace sunder::cli
