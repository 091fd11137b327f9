#pragma once

#include "io/fx_json/fx_json_fields.h"
#include "io/json/read_fault.h"
#include "ir/argument.h"
#include "ir/tensor_meta.h"
#include "support/flat_map.h"
#include "support/json_tape.h"

#include <functional>
#include <memory>

namespace sunder {

using FxJsonNodeNames = FlatMap<NodeId>; ///< names are never empty

/// Reads fx-json values (`docs/fx-json.md`, "Values"). The tape limits the recursion depth.
class FxJsonValueReader {
public:
    /// How to treat unknown node names.
    enum class UnknownNode : std::uint8_t { refuse, keepAsText };
    using FindGraph = std::function<GraphId(InternedString id)>;

    FxJsonValueReader(FindGraph findGraph, ReadFault& fault) : m_findGraph(std::move(findGraph)), m_fault(fault) {}

    /// Sets the nodes that values may name, which must outlive the reader, and the context for messages.
    void setScope(const FxJsonNodeNames& names, UnknownNode unknown, std::string_view speaker);

    [[nodiscard]] Argument read(JsonValue value) const;
    [[nodiscard]] Arguments readList(JsonValue array) const;
    [[nodiscard]] Keywords readKeywords(JsonValue array) const;
    /// Reads tensor metadata from fields whose names include kTensorNames from index `first` on.
    [[nodiscard]] TensorMeta readTensor(const FxJsonFields& fields, std::size_t first) const;

private:
    [[nodiscard]] Argument readObject(JsonValue object) const;
    [[nodiscard]] Argument readKind(std::size_t kind, JsonValue value, JsonValue object) const;
    [[nodiscard]] Argument readNode(JsonValue value, JsonValue object) const;
    [[nodiscard]] Argument readDict(JsonValue value) const;
    [[nodiscard]] Argument readNamedTuple(JsonValue value) const;
    [[nodiscard]] Argument readTriple(JsonValue value, bool isSlice) const;
    [[nodiscard]] Argument readFloatWord(JsonValue value) const;
    [[nodiscard]] Argument readBigInteger(JsonValue value) const;
    [[nodiscard]] Argument readComplex(JsonValue value) const;
    [[nodiscard]] Argument readSymbol(JsonValue object) const;
    [[nodiscard]] Argument readNamed(std::size_t kind, JsonValue object) const;
    [[nodiscard]] Argument readTensorValue(JsonValue value) const;
    [[nodiscard]] Arguments readSizes(JsonValue array, std::string_view what) const;
    [[nodiscard]] InternedString readText(JsonValue value, std::string_view what) const;
    [[nodiscard]] double readPart(JsonValue value) const;
    Argument wrong(const std::string& what) const;

    FindGraph m_findGraph;
    ReadFault& m_fault;
    const FxJsonNodeNames* m_names = nullptr;
    UnknownNode m_unknown = UnknownNode::refuse;
    std::string m_speaker;
};

/// Names of the tensor metadata, in the order expected by readTensor().
inline constexpr std::array<std::string_view, 8> kTensorNames = {"dtype",  "shape",  "stride",  "offset",
                                                                 "device", "layout", "storage", "requires_grad"};

} // namespace sunder
