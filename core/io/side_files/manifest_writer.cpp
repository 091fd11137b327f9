#include "io/side_files/manifest_writer.h"

#include "io/side_files/figure_basis.h"
#include "ir/tensor_meta.h"
#include "support/json_writer.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

namespace sunder {
namespace {

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

class ManifestText {
public:
    explicit ManifestText(const PartManifest& manifest) : m_manifest(manifest) {}

    std::string text()
    {
        m_json.object([this] { addAll(); });
        return m_json.take();
    }

private:
    void addAll()
    {
        m_json.member("format", "sunder-parts");
        m_json.member("version", 1);
        m_json.key("source");
        m_json.object([this] {
            m_json.member("file", m_manifest.sourceFile);
            m_json.memberIfAny("sha256", m_manifest.sha256);
            m_json.memberIfAny("model", m_manifest.model);
        });
        writeAssumedSizes(m_manifest.assumed, m_json);
        addValues("inputs", m_manifest.inputs);
        m_json.key("outputs");
        m_json.list(m_manifest.outputs, [this](const ManifestOutput& output) {
            m_json.object([&] { output.literal ? addLiteral(*output.literal) : addValue(output.value); });
        });
        addCall();
        m_json.memberIfAny("runner", m_manifest.runner);
        m_json.key("parts");
        m_json.list(m_manifest.parts, [this](const ManifestPart& part) { m_json.object([&] { addPart(part); }); });
        if (m_manifest.tied.empty())
            return;
        m_json.key("tied");
        m_json.list(m_manifest.tied, [this](const ManifestTie& tie) {
            m_json.object([&] {
                m_json.member("names", tie.names);
                m_json.member("parts", tie.parts);
            });
        });
    }

    void addSize(const Argument& size)
    {
        if (size.is(ArgumentKind::integer))
            return m_json.value(size.asInteger());
        if (!size.is(ArgumentKind::symbolic))
            return m_json.value(nullptr);
        m_json.object([&] {
            m_json.member("sym", size.asSymbolic().expression.view());
            std::visit(
                [this](const auto& hint) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(hint)>, std::monostate>)
                        m_json.member("hint", hint);
                },
                size.asSymbolic().hint);
        });
    }

    /// JSON has no infinities and no NaN. They are written next to the literal as text for Python's float().
    void addLiteral(const Argument& literal)
    {
        m_json.key("literal");
        switch (literal.kind()) {
        case ArgumentKind::boolean: m_json.value(literal.asBoolean()); break;
        case ArgumentKind::integer: m_json.value(literal.asInteger()); break;
        case ArgumentKind::floating: m_json.value(literal.asFloating()); break;
        case ArgumentKind::string: m_json.value(literal.text().view()); break;
        default: m_json.value(nullptr); break;
        }
        if (literal.is(ArgumentKind::floating) && !std::isfinite(literal.asFloating()))
            m_json.member("float", std::isnan(literal.asFloating()) ? "nan" : literal.asFloating() > 0 ? "inf" : "-inf");
    }

    void addValue(const ManifestValue& value)
    {
        const bool isTensor = value.val && value.val->is(ArgumentKind::tensor);
        m_json.member("name", value.name);
        m_json.member("type", typeOf(value.val));
        if (isTensor) {
            m_json.member("dtype", value.val->asTensor().dtype.view());
            m_json.key("shape");
            m_json.list(value.val->asTensor().shape, [this](const Argument& size) { addSize(size); });
        }
        m_json.member("bytes", isTensor ? byteSize(*value.val) : std::nullopt);
        m_json.memberIfAny("example", value.example);
        if (value.literal)
            addLiteral(*value.literal);
        m_json.memberIfAny("kind", value.kind);
        m_json.memberIfAny("of", value.of);
    }

    void addValues(std::string_view name, const std::vector<ManifestValue>& values)
    {
        m_json.key(name);
        m_json.list(values, [this](const ManifestValue& value) { m_json.object([&] { addValue(value); }); });
    }

    /// Writes the position of each leaf of a tree in the flat values, starting at `next`: a number, or an object for a container.
    void addPlaces(const TreeSpec& tree, std::size_t& next)
    {
        switch (tree.kind) {
        case TreeSpec::Kind::leaf: return m_json.value(next++);
        case TreeSpec::Kind::tuple: return m_json.object([&] { addItems("tuple", tree, next); });
        case TreeSpec::Kind::list: return m_json.object([&] { addItems("list", tree, next); });
        case TreeSpec::Kind::dict:
            return m_json.object([&] {
                m_json.key("dict");
                addEntries(tree, next);
            });
        default:
            return m_json.object([&] {
                m_json.member("class", tree.type);
                addItems("items", tree, next);
            });
        }
    }

    void addItems(std::string_view name, const TreeSpec& tree, std::size_t& next)
    {
        m_json.key(name);
        m_json.list(tree.children, [&](const TreeSpec& child) { addPlaces(child, next); });
    }

    void addEntries(const TreeSpec& tree, std::size_t& next)
    {
        m_json.object([&] {
            for (std::size_t i = 0; i < tree.keys.size(); ++i) {
                m_json.key(tree.keys[i]);
                addPlaces(tree.children[i], next);
            }
        });
    }

    /// Returns whether the tree describes positional and keyword arguments for this number of inputs.
    static bool areArguments(const TreeSpec* tree, std::size_t inputs)
    {
        using Kind = TreeSpec::Kind;
        return tree != nullptr && tree->kind == Kind::tuple && tree->children.size() == 2 && tree->leafCount() == inputs
            && tree->children[0].kind == Kind::tuple && tree->children[1].kind == Kind::dict;
    }

    /// Writes the call signature of the whole model, if known.
    void addCall()
    {
        const TreeSpec* in = m_manifest.inSpec.tree();
        const TreeSpec* out = m_manifest.outSpec.tree();
        const bool hasArguments = areArguments(in, m_manifest.inputs.size());
        const bool hasResult = out != nullptr && out->leafCount() == m_manifest.outputs.size();
        if (!hasArguments && !hasResult && m_manifest.inSpec.text().empty() && m_manifest.outSpec.text().empty()
            && m_manifest.guards.empty())
            return;
        m_json.key("call");
        m_json.object([&] {
            std::size_t next = 0;
            if (hasArguments) {
                addItems("args", in->children[0], next);
                m_json.key("kwargs");
                addEntries(in->children[1], next);
            }
            next = 0;
            if (hasResult) {
                m_json.key("result");
                addPlaces(*out, next);
            }
            m_json.memberIfAny("in_spec", m_manifest.inSpec.text());
            m_json.memberIfAny("out_spec", m_manifest.outSpec.text());
            if (!m_manifest.guards.empty()) {
                m_json.member("arg_names", m_manifest.argNames);
                m_json.member("guards", m_manifest.guards);
            }
        });
    }

    void addPart(const ManifestPart& part)
    {
        m_json.member("name", part.name);
        m_json.member("file", part.file);
        m_json.memberIfAny("sha256", part.sha256);
        m_json.memberIfAny("backward_of", part.backwardOf);
        m_json.memberIfAny("devices", part.devices);
        if (!part.weights.empty()) {
            m_json.key("weights");
            m_json.object([&] {
                m_json.member("file", part.weights);
                m_json.member("sha256", part.weightsSha256);
            });
        }
        addValues("inputs", part.inputs);
        addValues("outputs", part.outputs);
        if (!part.operators.empty()) {
            m_json.key("operators");
            m_json.object([&] {
                for (const ManifestOperator& op : part.operators)
                    m_json.member(op.name, op.module.empty() ? std::nullopt : std::optional(op.module));
            });
        }
        m_json.memberIfAny("writes", part.writes);
        m_json.memberIfAny("notes", part.notes);
    }

    const PartManifest& m_manifest;
    JsonWriter m_json;
};

} // namespace

std::string manifestJson(const PartManifest& manifest)
{
    return ManifestText(manifest).text();
}

} // namespace sunder
