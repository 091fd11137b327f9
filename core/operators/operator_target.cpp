#include "operators/operator_target.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::string_view kOps = "torch.ops.";

} // namespace

OperatorName operatorName(std::string_view target)
{
    const std::size_t last = target.rfind('.');
    if (last == std::string_view::npos)
        return {{}, target, {}};
    if (!isRegisteredOperator(target))
        return {target.substr(0, last), target.substr(last + 1), {}};
    const std::size_t before = target.rfind('.', last - 1);
    // "torch.ops.aten.add" is a packet without an overload: its library has one component less.
    if (before == std::string_view::npos || std::ranges::count(target.substr(0, before), '.') < 2)
        return {target.substr(0, last), target.substr(last + 1), {}};
    return {target.substr(0, before), target.substr(before + 1, last - before - 1), target.substr(last + 1)};
}

bool isHigherOrderTarget(std::string_view target)
{
    return target.starts_with("torch.ops.higher_order.");
}

bool isRegisteredOperator(std::string_view target)
{
    return target.starts_with(kOps) && !isHigherOrderTarget(target);
}

bool isRegisteredOperator(const OperatorName& name)
{
    return name.library.starts_with(kOps) && name.library != "torch.ops.higher_order";
}

bool isSymbolicTarget(std::string_view target)
{
    if (target == "torch.ops.aten.item.default")
        return true;
    constexpr std::array<std::string_view, 18> kOperators = {"eq",  "ne",  "le",      "ge",   "lt",  "gt",
                                                             "neg", "pos", "mul",     "add",  "sub", "floordiv",
                                                             "mod", "pow", "truediv", "and_", "or_", "lshift"};
    constexpr std::array<std::string_view, 8> kTorch = {"sym_not", "sym_int", "sym_float", "sym_ite",
                                                        "sym_max", "sym_min", "sym_sqrt",  "_sym_sqrt"};
    const std::size_t dot = target.find('.');
    const std::string_view module = target.substr(0, dot);
    const std::string_view name = dot == std::string_view::npos ? std::string_view() : target.substr(dot + 1);
    if (module == "_operator")
        return name == "rshift" || std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end();
    if (module == "torch")
        return std::find(kTorch.begin(), kTorch.end(), name) != kTorch.end();
    return target == "math.trunc";
}

std::string packetName(const OperatorName& name)
{
    std::string packet(name.library.substr(std::min(kOps.size(), name.library.size())));
    packet += "::";
    packet += name.name;
    return packet;
}

} // namespace sunder
