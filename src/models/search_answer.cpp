#include "models/search_answer.h"

#include "document/text.h"

namespace sunder {

SearchAnswer answerTo(const QString& query, const Snapshot& snapshot, const TagAssignment& tags, const ProgressMonitor& monitor)
{
    const Result<NodeQuery> parsed = parseQuery(query.toStdString());
    if (!parsed) {
        QString why = text(parsed.error().message);
        if (!why.isEmpty())
            why[0] = why[0].toUpper();
        return {.hits = {}, .why = why};
    }
    SearchAnswer answer{.hits = findNodes(snapshot, tags, *parsed, monitor), .why = {}};
    if (answer.hits.empty() && !parsed->empty() && !monitor.isCancelled())
        answer.why = text(whyNothing(snapshot, tags, *parsed, monitor));
    return answer;
}

} // namespace sunder
