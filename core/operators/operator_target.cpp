#include "operators/operator_target.h"

#include <algorithm>

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
    // "torch.ops.aten.add" is a packet without an overload: its library has one dot less.
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

std::string packetName(const OperatorName& name)
{
    std::string packet(name.library.substr(std::min(kOps.size(), name.library.size())));
    packet += "::";
    packet += name.name;
    return packet;
}

} // namespace sunder
