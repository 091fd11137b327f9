#include "document/picked_tag.h"

#include <algorithm>

namespace sunder {

void pickTag(Document& document, std::span<const NodeId> nodes)
{
    if (!document.isOpen())
        return;
    std::vector<std::size_t> counts(static_cast<std::size_t>(document.tagCount()), 0);
    for (const NodeId id : nodes)
        if (const std::int32_t tag = document.tags()[id]; tag >= 0 && document.snapshot()->isCall(id))
            ++counts[static_cast<std::size_t>(tag)];
    const auto most = std::ranges::max_element(counts);
    if (most == counts.end() || *most == 0) {
        emit document.messageEmitted(QObject::tr("No op there has a tag."));
        return;
    }
    const int tag = static_cast<int>(most - counts.begin());
    document.tagList().setActive(tag);
    const auto tags = std::ranges::count_if(counts, [](std::size_t count) { return count > 0; });
    emit document.messageEmitted(tags == 1 ? QObject::tr("The active tag is %1.").arg(document.tagName(tag))
                                           : QObject::tr("The ops have %1 tags. The active tag is now the most frequent one, %2.")
                                                 .arg(tags)
                                                 .arg(document.tagName(tag)),
                                 Change::activeTag | Change::tagList);
}

} // namespace sunder
