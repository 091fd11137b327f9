#include "document/paint_as.h"

#include "document/tag_commands.h"

#include <algorithm>

namespace sunder {

int paintAs(Document& document, std::span<const NodeId> nodes, int tag, const QString& what)
{
    if (!document.isOpen() || tag < 0 || tag >= document.tagCount())
        return 0;
    RetagCommand::Changes changes;
    for (const NodeId id : nodes)
        if (document.snapshot()->isCall(id) && document.tags()[id] != tag)
            changes.emplace_back(id, tag);
    std::sort(changes.begin(), changes.end());
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
    if (changes.empty())
        return 0;
    const int count = static_cast<int>(changes.size());
    document.undoStack().push(new RetagCommand(document, std::move(changes), 0, QObject::tr("Paint %1").arg(what), "op"));
    return count;
}

} // namespace sunder
