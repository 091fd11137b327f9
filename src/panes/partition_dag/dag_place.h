#pragma once

#include <QtGlobal>

namespace sunder {

/// A box, a ribbon, or a chip in a DagView.
struct DagPlace {
    enum class Kind : quint8 { none, box, ribbon, chip };
    Kind kind = Kind::none;
    int index = -1;
    friend bool operator==(const DagPlace&, const DagPlace&) = default;
};

} // namespace sunder
