#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// libFuzzer calls this before it reads its options: what it finds is kept below build/, wherever it is started, unless
/// the command line names another place.
extern "C" __attribute__((used)) inline int LLVMFuzzerInitialize(int* count, char*** words)
{
    static char place[] = "-artifact_prefix=" SUNDER_FINDINGS;
    static std::vector<char*> all(*words, *words + *count);
    all.insert(all.begin() + 1, place);
    all.push_back(nullptr);
    *count += 1;
    *words = all.data();
    return 0;
}

/// Begins the function that libFuzzer calls with bytes of its making, here as text.
#define SUNDER_TARGET(text)                                                                                                      \
    static void runTarget(std::string_view text);                                                                                \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)                                           \
    {                                                                                                                            \
        runTarget(std::string_view(reinterpret_cast<const char*>(bytes), size));                                                 \
        return 0;                                                                                                                \
    }                                                                                                                            \
    static void runTarget(std::string_view text)
