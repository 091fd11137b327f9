#include "cli/region_options.h"

namespace sunder::cli {

void declareRegionOptions(QCommandLineParser& parser)
{
    parser.addOptions({{QStringLiteral("key"),
                        QStringLiteral("What makes nodes alike: what TorchDynamo tracked (default where the file says it), or "
                                       "what they say themselves."),
                        QStringLiteral("tracked|structural")},
                       {QStringLiteral("as-upstream"), QStringLiteral("As PyTorch does it, with its faults.")}});
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
