#include "io/exported_program/exported_program_enums.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {
namespace {

// clang-format off
constexpr std::pair<std::int64_t, std::string_view> kDtypes[] = {
    {1, "uint8"},           {2, "int8"},          {3, "int16"},           {4, "int32"},
    {5, "int64"},           {6, "float16"},       {7, "float32"},         {8, "float64"},
    {9, "complex32"},       {10, "complex64"},    {11, "complex128"},     {12, "bool"},
    {13, "bfloat16"},       {28, "uint16"},       {29, "float8_e4m3fn"},  {30, "float8_e5m2"},
    {31, "float8_e4m3fnuz"}, {32, "float8_e5m2fnuz"}, {33, "float8_e8m0fnu"}, {34, "uint32"},
// clang-format on
    {35, "uint64"},
};

constexpr std::array<std::string_view, 8> kLayouts = {"",           "sparse_coo", "sparse_csr", "sparse_csc",
                                                      "sparse_bsr", "sparse_bsc", "_mkldnn",    "strided"};

constexpr std::array<std::string_view, 5> kMemoryFormats = {"", "contiguous_format", "channels_last", "channels_last_3d",
                                                            "preserve_format"};

template <std::size_t N>
InternedString wordOf(const std::array<std::string_view, N>& words, std::int64_t number)
{
    return number >= 0 && number < static_cast<std::int64_t>(N) ? intern(words[static_cast<std::size_t>(number)])
                                                                : InternedString();
}

} // namespace

InternedString dtypeOfScalarType(std::int64_t number)
{
    static const std::vector<InternedString> kTable = [] {
        std::vector<InternedString> table(64);
        for (const auto& [at, name] : kDtypes)
            table[static_cast<std::size_t>(at)] = intern(name);
        return table;
    }();
    return number >= 0 && number < static_cast<std::int64_t>(kTable.size()) ? kTable[static_cast<std::size_t>(number)]
                                                                            : InternedString();
}

std::int64_t scalarTypeOfDtype(std::string_view dtype)
{
    for (const auto& [number, name] : kDtypes)
        if (name == dtype)
            return number;
    return 0;
}

InternedString layoutOfNumber(std::int64_t number)
{
    return wordOf(kLayouts, number);
}

InternedString memoryFormatOfNumber(std::int64_t number)
{
    return wordOf(kMemoryFormats, number);
}

bool isPythonKeyword(std::string_view name)
{
    constexpr std::array<std::string_view, 35> kKeywords = {
        "False",  "None",     "True", "and",    "as",      "assert", "async",  "await",  "break", "class",  "continue", "def",
        "del",    "elif",     "else", "except", "finally", "for",    "from",   "global", "if",    "import", "in",       "is",
        "lambda", "nonlocal", "not",  "or",     "pass",    "raise",  "return", "try",    "while", "with",   "yield"};
    return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

} // namespace sunder
