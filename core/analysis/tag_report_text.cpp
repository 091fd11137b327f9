#include "analysis/tag_legality.h"
#include "analysis/training/backward_tags.h"
#include "ir/value_kind.h"
#include "support/format.h"

namespace sunder {
namespace {

std::string tagName(const TagAssignment& tags, std::int32_t tag)
{
    return tag == TagAssignment::kUntagged ? "none" : tags.order[static_cast<std::size_t>(tag)].str();
}

/// Adds sentences of one kind up to a limit, then one that counts the rest.
class Sentences {
public:
    Sentences(Diagnostics& found, Severity severity, std::size_t limit) : m_found(found), m_severity(severity), m_limit(limit) {}
    [[nodiscard]] bool isFull() const { return m_count >= m_limit; }
    void add(std::string message, Location where)
    {
        if (!isFull())
            m_found.push_back({m_severity, std::move(message), std::move(where)});
        ++m_count;
    }
    void finish(std::size_t total, const char* noun)
    {
        if (total > m_limit)
            m_found.push_back({m_severity, "and " + formatCount(total - m_limit, noun) + " more", {}});
    }

private:
    Diagnostics& m_found;
    Severity m_severity;
    std::size_t m_limit;
    std::size_t m_count = 0;
};

template <typename Items, typename Add>
void describeAll(Diagnostics& found, Severity severity, std::size_t limit, const Items& items, const char* noun, const Add& add)
{
    Sentences sentences(found, severity, limit);
    for (const auto& item : items) {
        if (sentences.isFull())
            break;
        add(item, sentences);
    }
    sentences.finish(items.size(), noun);
}

std::string sharedSentence(const SharedMemory& shared, const Program& program, const TagAssignment& tags)
{
    std::string parts;
    for (const std::int32_t tag : shared.tags)
        parts += (parts.empty() ? "" : ", ") + tagName(tags, tag);
    return program.tensors[shared.tensor].fqn.str() + " (" + formatBytes(shared.bytes) + ") is duplicated in "
        + formatCount(shared.tags.size(), "part") + ": " + parts;
}

/// Returns "relu (tag a)".
std::string withTag(const Program& program, const TagAssignment& tags, NodeId id, std::int32_t tag)
{
    return program.rootGraph()[id].name.str() + " (tag " + tagName(tags, tag) + ")";
}

std::string whyItCannotPass(const std::optional<Argument>& val)
{
    if (!val)
        return "a value that the file does not describe";
    switch (val->kind()) {
    case ArgumentKind::tuple:
    case ArgumentKind::list:
    case ArgumentKind::dict:
    case ArgumentKind::namedTuple: return "a tuple or list";
    case ArgumentKind::symbolic:
    case ArgumentKind::boolean:
    case ArgumentKind::integer:
    case ArgumentKind::floating: return "a number that another part cannot recompute";
    default: return "neither a tensor nor a size";
    }
}

void describeErrors(Diagnostics& found, const TagReport& report, const Graph& graph, const TagAssignment& tags, std::size_t limit)
{
    describeAll(found, Severity::error, limit, report.untagged, "untagged node", [&](NodeId id, Sentences& to) {
        const std::string name = graph.node(id).name.str();
        to.add(name + " has no tag", {.node = name});
    });
    describeAll(found, Severity::error, limit, report.unknownTags, "unknown tag", [&](const auto& item, Sentences& to) {
        const std::string name = graph.node(item.first).name.str();
        to.add(name + " has the unknown tag " + item.second.str(), {.node = name, .other = item.second.str()});
    });
    describeAll(found, Severity::error, limit, report.backward, "backward edge", [&](const BackwardEdge& edge, Sentences& to) {
        to.add(describe(edge, graph, tags),
               {.node = graph.node(edge.consumer).name.str(), .other = graph.node(edge.producer).name.str()});
    });
}

void describeNotes(Diagnostics& found, const TagReport& report, const Program& program, const TagAssignment& tags,
                   std::size_t limit)
{
    const Graph& graph = program.rootGraph();
    describeAll(found, Severity::warning, limit, report.duplicateTags, "duplicate tag", [&](std::int32_t tag, Sentences& to) {
        to.add("duplicate tag " + tagName(tags, tag) + "; the last occurrence is used", {.other = tagName(tags, tag)});
    });
    describeAll(found, Severity::warning, limit, report.emptyTags, "empty tag", [&](std::int32_t tag, Sentences& to) {
        to.add(tagName(tags, tag) + " has no ops; its part will be empty", {.other = tagName(tags, tag)});
    });
    describeAll(found, Severity::warning, limit, report.nonTensors, "value", [&](const NonTensorCrossing& item, Sentences& to) {
        to.add(graph.node(item.producer).name.str() + " (tag " + tagName(tags, item.producerTag)
                   + ") is not a tensor and crosses to " + graph.node(item.consumer).name.str() + " in another part",
               {.node = graph.node(item.producer).name.str(), .other = graph.node(item.consumer).name.str()});
    });
    const std::vector<std::int32_t> forward = forwardTags(tags.order);
    std::vector<SharedMemory> shared;
    for (SharedMemory memory : report.shared)
        if (memory.tags = differentStages(forward, memory.tags); memory.tags.size() > 1)
            shared.push_back(std::move(memory));
    describeAll(found, Severity::note, limit, shared, "shared tensor", [&](const SharedMemory& item, Sentences& to) {
        to.add(sharedSentence(item, program, tags), {.other = program.tensors[item.tensor].fqn.str()});
    });
}

} // namespace

std::string describe(const SplitState& state, const Program& program, const TagAssignment& tags)
{
    const std::string memory = state.memory.str();
    const std::string writer = state.writer ? " by " + withTag(program, tags, state.writer, state.writerTag)
                                            : std::string(" at the end of the model");
    std::string text = memory + (state.doubts.isNone() ? " is" : " may be") + " written" + writer;
    if (state.writerTag == state.readerTag && state.reader)
        return text + " and enters " + tagName(tags, state.readerTag) + " as several values, one of them used by "
            + program.rootGraph()[state.reader].name.str() + "; a separate part receives a copy of each";
    if (!state.reader)
        return text + " and returned as " + withTag(program, tags, state.value, state.readerTag)
            + "; separate parts have their own copies, and the returned copy does not change";
    return text + " and read by " + withTag(program, tags, state.reader, state.readerTag)
        + "; separate parts have their own copies, and the copy of " + tagName(tags, state.readerTag) + " does not change";
}

std::string describe(const AccessDoubts& doubts)
{
    std::string text;
    if (doubts.isUnknownCall)
        text += " Unknown operators are assumed to have arbitrary side effects; provide their schemas (--operators).";
    if (doubts.isUnknownStorage)
        text += " The file has no storage for some tensors, which are assumed to share memory.";
    if (doubts.isUnlisted)
        text += " The file does not list the tensors of the called modules, which are assumed to share memory.";
    return text;
}

std::string describe(const CutRegion& region, const Program& program, const TagAssignment& tags)
{
    const std::string field = region.field.empty() ? std::string("global state") : region.field.str();
    std::string text = withTag(program, tags, region.setter, region.setterTag) + " sets " + field;
    if (!region.node)
        text += ", and no op of " + tagName(tags, region.setterTag) + " resets it";
    else if (region.isMissing)
        text += " for " + withTag(program, tags, region.node, region.tag) + " as well";
    else
        text += ", which another part resets before " + withTag(program, tags, region.node, region.tag);
    return text + (region.canRepeat ? "; separate parts repeat it" : "; a separate part cannot repeat it");
}

std::string describe(const BoundCrossing& crossing, const Program& program, const TagAssignment& tags)
{
    const std::string producer = withTag(program, tags, crossing.producer, crossing.producerTag);
    if (!crossing.consumer)
        return producer + " is returned as a whole, but a separate part can only return tensors and numbers";
    const std::string consumer = withTag(program, tags, crossing.consumer, crossing.consumerTag);
    const std::optional<Argument>& val = program.rootGraph()[crossing.producer].meta.val;
    if (!program.signature || tensorOf(val) != nullptr)
        return consumer + " depends on the strides or the memory of " + producer + "; a separate part receives a dense copy";
    return consumer + " uses " + producer + ", which is " + whyItCannotPass(val)
        + "; separate parts of an exported program can only pass tensors and sizes";
}

std::string describe(const BackwardEdge& edge, const Graph& graph, const TagAssignment& tags)
{
    const std::string from = tagName(tags, edge.producerTag);
    const std::string to = tagName(tags, edge.consumerTag);
    return graph.node(edge.producer).name.str() + " (tag " + from + ") feeds " + graph.node(edge.consumer).name.str() + " (tag "
        + to + "), but " + from + " comes after " + to;
}

Diagnostics describe(const TagReport& report, const Program& program, const TagAssignment& tags, std::size_t limit)
{
    Diagnostics found;
    describeErrors(found, report, program.rootGraph(), tags, limit);
    describeNotes(found, report, program, tags, limit);
    return found;
}

} // namespace sunder
