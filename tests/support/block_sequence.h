#pragma once

#include "analysis/cut/part_assignment.h"
#include "analysis/sequence/cut_sequence.h"
#include "analysis/tag_assignment.h"
#include "test_support.h"

#include <QStringList>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sunder::test {

inline std::shared_ptr<const ModelSequence> sequenceOf(const Program& program)
{
    return std::make_shared<const ModelSequence>(modelSequence(program, std::make_shared<const CutGraph>(cutGraph(program))));
}

/// Two blocks between an embedding and a head; `add` runs in the root module.
inline Program blocks()
{
    Program made = programFromText(R"(
        x = placeholder() : 10
        e = embed(x) : 10 @ embed Embedding
        a0 = lin(e) : 100 @ layers.0 Block > layers.0.attn Attention
        b0 = lin(a0) : 10 @ layers.0 Block > layers.0.mlp Mlp
        a1 = lin(b0) : 100 @ layers.1 Block > layers.1.attn Attention
        b1 = lin(a1) : 10 @ layers.1 Block > layers.1.mlp Mlp
        add = add(b1, e) : 10
        h = lin(add) : 10 @ head Linear
        out = output(h))");
    return made;
}

/// Parses "0 0 1 . 2": tags of calls in graph order, with a dot for none.
inline TagAssignment tagged(const Program& program, const std::string& text)
{
    TagAssignment tags;
    tags.tagOf.assign(program.rootGraph().idBound(), TagAssignment::kUntagged);
    std::vector<NodeId> calls;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall())
            calls.push_back(id);
    std::int32_t most = -1;
    std::size_t at = 0;
    for (const QString& word : QString::fromStdString(text).split(u' ', Qt::SkipEmptyParts)) {
        const std::int32_t tag = word == QStringLiteral(".") ? TagAssignment::kUntagged : word.toInt();
        tags.tagOf[calls[at++].index()] = tag;
        most = std::max(most, tag);
    }
    for (std::int32_t tag = 0; tag <= most; ++tag)
        tags.order.push_back(intern("t" + std::to_string(tag)));
    return tags;
}

inline QString textOf(const Program& program, const TagAssignment& tags)
{
    QStringList words;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall())
            words << (tags[id] < 0 ? QStringLiteral(".") : QString::number(tags[id]));
    return words.join(u' ');
}

inline CutSequence cutOf(const ModelSequence& sequence, const TagAssignment& tags)
{
    return cutSequence(sequence, partsOfCalls(*sequence.graph, tags), tags.order.size());
}

} // namespace sunder::test
