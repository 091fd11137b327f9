#pragma once

#include "ir/graph.h"

#include <utility>

namespace sunder::fuzz {

inline Argument text(const char* word)
{
    return Argument::string(intern(word));
}

inline Argument whole(std::int64_t value)
{
    return Argument::integer(value);
}

inline NodeSpec function(const char* target, Arguments args, Keywords kwargs = {})
{
    return {.op = Op::callFunction, .name = {}, .target = intern(target), .args = std::move(args), .kwargs = std::move(kwargs)};
}

inline NodeSpec method(const char* target, Arguments args, Keywords kwargs = {})
{
    return {.op = Op::callMethod, .name = {}, .target = intern(target), .args = std::move(args), .kwargs = std::move(kwargs)};
}

} // namespace sunder::fuzz
