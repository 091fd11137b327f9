#pragma once

#include <QMetaType>

#include <vector>

namespace sunder {

/// A piece of the strip that shows how tags divide something: tag index (−1: untagged) and its share of the whole.
struct TagShare {
    int tag = -1;
    double share = 0;
};

using TagShares = std::vector<TagShare>;

} // namespace sunder

Q_DECLARE_METATYPE(sunder::TagShares)
