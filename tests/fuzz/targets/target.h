#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Begins the function that libFuzzer calls with bytes of its making, here as text.
#define SUNDER_TARGET(text)                                                                                                    \
    static void runTarget(std::string_view text);                                                                              \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)                                         \
    {                                                                                                                          \
        runTarget(std::string_view(reinterpret_cast<const char*>(bytes), size));                                               \
        return 0;                                                                                                              \
    }                                                                                                                          \
    static void runTarget(std::string_view text)
