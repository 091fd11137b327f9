#pragma once

#include <QRectF>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sunder {

/// Where the places of a sequence are in a strip: from the top down, every call as high as any other.
struct SequenceScale {
    QRectF bar;              ///< of the tags
    std::uint32_t calls = 1; ///< at least one

    [[nodiscard]] double y(double place) const { return bar.top() + bar.height() * place / calls; }
    /// The place that is nearest.
    [[nodiscard]] std::uint32_t place(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::round(exact(y)), 0.0, static_cast<double>(calls)));
    }
    /// The call that is there.
    [[nodiscard]] std::uint32_t call(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::floor(exact(y)), 0.0, static_cast<double>(calls) - 1));
    }
    [[nodiscard]] double callHeight() const { return bar.height() / calls; }

private:
    [[nodiscard]] double exact(double y) const { return bar.height() <= 0 ? 0 : (y - bar.top()) * calls / bar.height(); }
};

} // namespace sunder
