#include "io/side_files/manifest_writer.h"

#include "io/side_files/indented_json.h"
#include "ir/tensor_meta.h"

namespace sunder {
namespace {

using Json = nlohmann::ordered_json;

Json numberJson(const std::variant<std::monostate, std::int64_t, double, bool>& hint)
{
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                return nullptr;
            else
                return value;
        },
        hint);
}

Json sizeJson(const Argument& size)
{
    if (size.is(ArgumentKind::integer))
        return size.asInteger();
    if (!size.is(ArgumentKind::symbolic))
        return nullptr;
    Json json{{"sym", size.asSymbolic().expression.str()}};
    if (Json hint = numberJson(size.asSymbolic().hint); !hint.is_null())
        json["hint"] = std::move(hint);
    return json;
}

std::string_view typeOf(const std::optional<Argument>& val)
{
    if (!val)
        return "other";
    switch (val->kind()) {
    case ArgumentKind::tensor: return "tensor";
    case ArgumentKind::integer:
    case ArgumentKind::bigInteger: return "int";
    case ArgumentKind::floating: return "float";
    case ArgumentKind::boolean: return "bool";
    case ArgumentKind::symbolic:
        return val->asSymbolic().kind == SymbolKind::integer ? "int"
            : val->asSymbolic().kind == SymbolKind::floating ? "float"
                                                             : "bool";
    default: return "other";
    }
}

Json valueJson(const ManifestValue& value)
{
    Json json{{"name", value.name}, {"type", typeOf(value.val)}};
    if (value.val && value.val->is(ArgumentKind::tensor)) {
        const TensorMeta& tensor = value.val->asTensor();
        json["dtype"] = tensor.dtype.str();
        json["shape"] = Json::array();
        for (const Argument& size : tensor.shape)
            json["shape"].push_back(sizeJson(size));
    }
    const std::optional<std::uint64_t> bytes = value.val && value.val->is(ArgumentKind::tensor) ? byteSize(*value.val)
                                                                                                : std::nullopt;
    json["bytes"] = bytes ? Json(*bytes) : Json(nullptr);
    if (!value.example.empty())
        json["example"] = value.example;
    if (!value.kind.empty())
        json["kind"] = value.kind;
    if (!value.of.empty())
        json["of"] = value.of;
    return json;
}

Json valuesJson(const std::vector<ManifestValue>& values)
{
    Json json = Json::array();
    for (const ManifestValue& value : values)
        json.push_back(valueJson(value));
    return json;
}

Json literalJson(const Argument& literal)
{
    switch (literal.kind()) {
    case ArgumentKind::boolean: return literal.asBoolean();
    case ArgumentKind::integer: return literal.asInteger();
    case ArgumentKind::floating: return literal.asFloating();
    case ArgumentKind::string: return literal.text().str();
    default: return nullptr;
    }
}

Json outputJson(const ManifestOutput& output)
{
    return output.literal ? Json{{"literal", literalJson(*output.literal)}} : valueJson(output.value);
}

} // namespace

std::string manifestJson(const PartManifest& manifest)
{
    Json source{{"file", manifest.sourceFile}};
    if (!manifest.sha256.empty())
        source["sha256"] = manifest.sha256;
    if (!manifest.model.empty())
        source["model"] = manifest.model;
    Json json{{"format", "sunder-parts"}, {"version", 1}, {"source", std::move(source)}};
    addAssumedSizes(json, manifest.assumed);
    json["inputs"] = valuesJson(manifest.inputs);
    json["outputs"] = Json::array();
    for (const ManifestOutput& output : manifest.outputs)
        json["outputs"].push_back(outputJson(output));
    json["parts"] = Json::array();
    for (const ManifestPart& part : manifest.parts) {
        Json described{{"name", part.name}, {"file", part.file}};
        if (!part.sha256.empty())
            described["sha256"] = part.sha256;
        if (!part.backwardOf.empty())
            described["backward_of"] = part.backwardOf;
        described["inputs"] = valuesJson(part.inputs);
        described["outputs"] = valuesJson(part.outputs);
        if (!part.notes.empty())
            described["notes"] = part.notes;
        json["parts"].push_back(std::move(described));
    }
    return indentedText(json);
}

} // namespace sunder
