#pragma once

#include <QMetaType>

#include <vector>

namespace sunder {

/// A segment of a tag strip: tag index (−1: untagged) and its fraction of the whole.
struct TagShare {
    int tag = -1;
    double share = 0;
};

using TagShares = std::vector<TagShare>;

} // namespace sunder

Q_DECLARE_METATYPE(sunder::TagShares)
