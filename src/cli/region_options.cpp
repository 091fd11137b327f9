#include "cli/region_options.h"

namespace sunder::cli {

void declareRegionOptions(QCommandLineParser& parser)
{
    parser.addOptions(
        {{QStringLiteral("key"),
          QStringLiteral("For repeated regions: compare nodes by the region keys in the file (tracked, default if present) "
                         "or by their own properties (structural)."),
          QStringLiteral("tracked|structural")},
         {QStringLiteral("as-upstream"), QStringLiteral("For repeated regions: reproduce PyTorch, including its bugs.")}});
}

Result<RegionOptions> regionOptionsOf(const Invocation& invocation)
{
    RegionOptions options{.key = {}, .asUpstream = invocation.isSet("as-upstream")};
    const std::string key = invocation.value("key");
    if (key == "tracked")
        options.key = RegionKey::tracked;
    else if (key == "structural")
        options.key = RegionKey::structural;
    else if (invocation.isSet("key"))
        return fail(ErrorCode::usage, "--key takes tracked or structural, not " + key);
    return options;
}

} // namespace sunder::cli
