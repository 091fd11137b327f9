#include "io/side_files/manifest_writer.h"

#include "io/side_files/indented_json.h"
#include "ir/tensor_meta.h"

#include <cmath>

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

/// JSON has no infinities and no NaN. They are written next to the literal as text for Python's float().
void addLiteral(Json& json, const Argument& literal)
{
    json["literal"] = literalJson(literal);
    if (literal.is(ArgumentKind::floating) && !std::isfinite(literal.asFloating()))
        json["float"] = std::isnan(literal.asFloating()) ? "nan" : literal.asFloating() > 0 ? "inf" : "-inf";
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
    if (value.literal)
        addLiteral(json, *value.literal);
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

Json outputJson(const ManifestOutput& output)
{
    if (!output.literal)
        return valueJson(output.value);
    Json json = Json::object();
    addLiteral(json, *output.literal);
    return json;
}

/// Returns the position of each leaf of a tree in the flat values, starting at `next`: a number, or an object for a container.
Json placesJson(const TreeSpec& tree, std::size_t& next)
{
    if (tree.kind == TreeSpec::Kind::leaf)
        return next++;
    Json items = Json::array();
    for (const TreeSpec& child : tree.children)
        items.push_back(placesJson(child, next));
    switch (tree.kind) {
    case TreeSpec::Kind::tuple: return {{"tuple", std::move(items)}};
    case TreeSpec::Kind::list: return {{"list", std::move(items)}};
    case TreeSpec::Kind::dict: break;
    default: return {{"class", tree.type}, {"items", std::move(items)}};
    }
    Json members = Json::object();
    for (std::size_t i = 0; i < tree.keys.size(); ++i) // appends without a lookup
        members.get_ref<Json::object_t&>().emplace_back(tree.keys[i], std::move(items[i]));
    return {{"dict", std::move(members)}};
}

/// Returns positional and keyword arguments; null if the tree does not describe the arguments for this number of inputs.
Json argumentsJson(const TreeSpec* tree, std::size_t inputs)
{
    using Kind = TreeSpec::Kind;
    if (tree == nullptr || tree->kind != Kind::tuple || tree->children.size() != 2 || tree->leafCount() != inputs
        || tree->children[0].kind != Kind::tuple || tree->children[1].kind != Kind::dict)
        return nullptr;
    std::size_t next = 0;
    Json args = placesJson(tree->children[0], next).at("tuple");
    Json kwargs = placesJson(tree->children[1], next).at("dict");
    return {{"args", std::move(args)}, {"kwargs", std::move(kwargs)}};
}

/// Returns the call signature of the whole model; empty if unknown.
Json callJson(const PartManifest& manifest)
{
    Json json = argumentsJson(manifest.inSpec.tree(), manifest.inputs.size());
    if (json.is_null())
        json = Json::object();
    if (const TreeSpec* tree = manifest.outSpec.tree(); tree != nullptr && tree->leafCount() == manifest.outputs.size()) {
        std::size_t next = 0;
        json["result"] = placesJson(*tree, next);
    }
    if (!manifest.inSpec.text().empty())
        json["in_spec"] = manifest.inSpec.text();
    if (!manifest.outSpec.text().empty())
        json["out_spec"] = manifest.outSpec.text();
    if (!manifest.guards.empty()) {
        json["arg_names"] = manifest.argNames;
        json["guards"] = manifest.guards;
    }
    return json;
}

Json partJson(const ManifestPart& part)
{
    Json json{{"name", part.name}, {"file", part.file}};
    if (!part.sha256.empty())
        json["sha256"] = part.sha256;
    if (!part.backwardOf.empty())
        json["backward_of"] = part.backwardOf;
    if (!part.devices.empty())
        json["devices"] = part.devices;
    if (!part.weights.empty())
        json["weights"] = Json{{"file", part.weights}, {"sha256", part.weightsSha256}};
    json["inputs"] = valuesJson(part.inputs);
    json["outputs"] = valuesJson(part.outputs);
    for (const ManifestOperator& op : part.operators)
        json["operators"][op.name] = op.module.empty() ? Json(nullptr) : Json(op.module);
    if (!part.writes.empty())
        json["writes"] = part.writes;
    if (!part.notes.empty())
        json["notes"] = part.notes;
    return json;
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
    if (Json call = callJson(manifest); !call.empty())
        json["call"] = std::move(call);
    if (!manifest.runner.empty())
        json["runner"] = manifest.runner;
    json["parts"] = Json::array();
    for (const ManifestPart& part : manifest.parts)
        json["parts"].push_back(partJson(part));
    for (const ManifestTie& tie : manifest.tied)
        json["tied"].push_back({{"names", tie.names}, {"parts", tie.parts}});
    return indentedText(json);
}

} // namespace sunder
