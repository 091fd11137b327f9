#include "cli/torch_target.h"

namespace sunder::cli {

void declareTorchTarget(QCommandLineParser& parser)
{
    parser.addOption(
        {QStringLiteral("target-torch"),
         QStringLiteral("The release of PyTorch that is to load the .pt2 that is written, from 2.5 on: its container, and "
                        "only what it knows. Otherwise that of IN."),
         QStringLiteral("VERSION")});
}

Result<std::optional<Pt2Schema>> torchTargetOf(const Invocation& invocation)
{
    if (!invocation.isSet("target-torch"))
        return std::nullopt;
    Result<Pt2Schema> schema = pt2SchemaFor(invocation.value("target-torch"));
    if (!schema)
        return fail(ErrorCode::usage, "--target-torch: " + schema.error().message);
    return std::optional(*schema);
}

} // namespace sunder::cli
