#pragma once

#include "analysis/tag_assignment.h"
#include "ir/program.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// The form in which another tool takes a cut.
enum class CutFormat : std::uint8_t {
    moduleFqns, ///< `module_fqns_per_model_part` of torchtitan and NeMo: JSON
    splitPoints, ///< a `SplitPoint` dictionary for `pipeline()` of torch.distributed.pipelining: Python
    megatron, ///< the pipeline layout of Megatron-LM
    vllm, ///< `VLLM_PP_LAYER_PARTITION`
    deviceMap, ///< `device_map` of Hugging Face, with stage numbers as devices: JSON
};

/// Returns the format for "module-fqns", "split-points", "megatron", "vllm", or "device-map".
std::optional<CutFormat> parseCutFormat(std::string_view name);

/// A cut in the words of another tool.
struct CutText {
    std::string text; ///< of a file, with a final line end
    std::vector<std::string> notes = {}; ///< on ops that the text leaves out
};

/// Writes a cut in a format. Returns ErrorCode::refused, with names, if the format cannot express it: if it cuts inside a module or layer that
/// the tool places as a whole, if stages are not in the order in which modules run, or if calls have no tag. Calls outside of modules that
/// read no weights are left out, with a note: these tools run them where their values are needed. O(calls × depth of their modules +
/// tensors).
Result<CutText> cutText(const Program& program, const TagAssignment& tags, CutFormat format);

} // namespace sunder
