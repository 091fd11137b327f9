#pragma once

#include <QtGlobal>

namespace sunder {

/// A box, an edge, or a chip in a DagView.
struct DagHit {
    enum class Kind : quint8 { none, box, cutEdge, chip };
    Kind kind = Kind::none;
    int index = -1;
    friend bool operator==(const DagHit&, const DagHit&) = default;
};

} // namespace sunder
