#pragma once

#include <QRectF>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sunder {

/// Maps places of a sequence to positions in a strip: from top to bottom, with equal height per call.
struct SequenceScale {
    QRectF bar;              ///< rectangle of the tags
    std::uint32_t calls = 1; ///< at least one

    [[nodiscard]] double y(double place) const { return bar.top() + bar.height() * place / calls; }
    /// Returns the nearest place.
    [[nodiscard]] std::uint32_t place(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::round(exact(y)), 0.0, static_cast<double>(calls)));
    }
    /// Returns the call at this position.
    [[nodiscard]] std::uint32_t call(double y) const
    {
        return static_cast<std::uint32_t>(std::clamp(std::floor(exact(y)), 0.0, static_cast<double>(calls) - 1));
    }
    [[nodiscard]] double callHeight() const { return bar.height() / calls; }

private:
    [[nodiscard]] double exact(double y) const { return bar.height() <= 0 ? 0 : (y - bar.top()) * calls / bar.height(); }
};

} // namespace sunder
