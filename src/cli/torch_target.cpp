#include "cli/torch_target.h"

namespace sunder::cli {

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
