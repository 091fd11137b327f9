#include "analysis/run_order/asked_form.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sunder {
namespace {

constexpr std::array<std::string_view, 11> kForms{"shape",  "dtype",  "device",  "layout",       "ndim",     "itemsize",
                                                  "nbytes", "is_cpu", "is_cuda", "is_quantized", "is_sparse"};

} // namespace

bool asksForm(const Node& node)
{
    if (node.op != Op::callFunction || node.args.size() < 2 || !node.args[1].is(ArgumentKind::string))
        return false;
    const std::string_view target = node.target.view();
    return (target == "builtins.getattr" || target == "getattr")
        && std::ranges::find(kForms, node.args[1].text().view()) != kForms.end();
}

} // namespace sunder
