#include "io/pt2/pt2_schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace sunder {
namespace {

constexpr std::array kMinors = {3, 2, 7, 8, 14, 15, 17, 20}; // for PyTorch 2.5 and later

/// Returns 6 for "2.6.0+cpu"; nothing for anything but a version of PyTorch 2.
std::optional<int> releaseIn(std::string_view torch)
{
    constexpr std::string_view kTwo = "2.";
    int release = 0;
    if (!torch.starts_with(kTwo)
        || std::from_chars(torch.data() + kTwo.size(), torch.data() + torch.size(), release).ec != std::errc())
        return std::nullopt;
    return release;
}

} // namespace

int Pt2Schema::minor() const
{
    const auto place = static_cast<std::size_t>(std::max(release - kFirst, 0));
    return place < kMinors.size() ? kMinors[place] : kMinors.back();
}

Pt2Container Pt2Schema::container() const
{
    return release <= 7 ? Pt2Container::flat : release == 8 ? Pt2Container::saved : Pt2Container::raw;
}

bool Pt2Schema::hasDtype(std::string_view dtype) const
{
    if (dtype == "uint16")
        return release >= 6;
    if (dtype == "float8_e4m3fn" || dtype == "float8_e5m2")
        return release >= 8;
    if (dtype == "float8_e4m3fnuz" || dtype == "float8_e5m2fnuz")
        return release >= 9;
    if (dtype == "float8_e8m0fnu" || dtype == "uint32" || dtype == "uint64")
        return release >= 12;
    return true;
}

Pt2Schema pt2SchemaOf(std::string_view torch)
{
    constexpr int kBefore = 6; // used for releases before the oldest supported one
    const std::optional<int> release = releaseIn(torch);
    if (!release)
        return {};
    return {*release < Pt2Schema::kFirst ? kBefore : std::min(*release, Pt2Schema::kToday)};
}

Pt2Schema pt2SchemaOf(const Program& program)
{
    return pt2SchemaOf(std::string_view(program.origin.torch));
}

Result<Pt2Schema> pt2SchemaFor(std::string_view version)
{
    const std::optional<int> release = releaseIn(version);
    const std::size_t digits = std::min(version.find_first_not_of("0123456789.", 0), version.size());
    if (!release || (digits < version.size() && version[digits] != '+'))
        return fail(ErrorCode::usage, "\"" + std::string(version) + "\" is not a version of PyTorch 2, such as 2.6 or 2.6.0");
    if (*release < Pt2Schema::kFirst)
        return fail(ErrorCode::usage,
                    "PyTorch 2." + std::to_string(*release) + " is too old; the oldest supported version is 2.5");
    return Pt2Schema{std::min(*release, Pt2Schema::kToday)};
}

} // namespace sunder
