#pragma once

#include "passes/split_module/split_module.h"
#include "test_support.h"

#include <QStringList>

namespace sunder::test {

/// Parses "0: relu add; head: sum": partitions with their nodes. A name of digits is a number.
inline PartitionAssignment partitionsFromText(const Graph& graph, const QString& text)
{
    std::vector<PartitionPair> pairs;
    for (const QString& part : text.split(';', Qt::SkipEmptyParts)) {
        const QString id = part.section(':', 0, 0).trimmed();
        bool isNumber = false;
        const qlonglong number = id.toLongLong(&isNumber);
        const PartitionId partition{intern(id.toStdString()), isNumber ? std::optional<std::int64_t>(number) : std::nullopt};
        for (const QString& node : part.section(':', 1).split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(intern(node.toStdString()), partition);
    }
    return assignPartitions(graph, pairs);
}

inline Result<SplitResult> split(const Program& source, const QString& partitions, const SplitModuleOptions& options = {})
{
    return splitModule(source, partitionsFromText(source.rootGraph(), partitions), options);
}

inline Result<SplitResult> split(const char* program, const QString& partitions, const SplitModuleOptions& options = {})
{
    return split(programFromText(program), partitions, options);
}

inline QStringList lines(const Graph& graph)
{
    return QString::fromStdString(textOf(graph)).split('\n', Qt::SkipEmptyParts);
}

} // namespace sunder::test
