#include "io/side_files/manifest_writer.h"
#include "test_case.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace sunder;

namespace {

using SpecKind = TreeSpec::Kind;

TreeSpec treeNode(SpecKind kind, const char* type, std::vector<TreeSpec> children, std::vector<std::string> keys = {})
{
    return {.kind = kind, .type = type, .keys = std::move(keys), .children = std::move(children)};
}

TreeSpec dictOf(std::vector<std::string> keys, std::vector<TreeSpec> children)
{
    return treeNode(SpecKind::dict, "builtins.dict", std::move(children), std::move(keys));
}

/// `(a, [b]), mask=c, options={"é\"": d}`.
TreeSpec arguments()
{
    const TreeSpec list = treeNode(SpecKind::list, "builtins.list", {{}});
    const TreeSpec positional = treeNode(SpecKind::tuple, "builtins.tuple", {{}, list});
    return treeNode(SpecKind::tuple, "builtins.tuple", {positional, dictOf({"mask", "options"}, {{}, dictOf({"é\""}, {{}})})});
}

PartManifest manifestFor(const TreeSpec& in, std::size_t inputs)
{
    PartManifest manifest;
    for (std::size_t i = 0; i < inputs; ++i)
        manifest.inputs.push_back({.name = "x" + std::to_string(i)});
    manifest.inSpec = StoredTreeSpec(in);
    return manifest;
}

QJsonObject manifestObject(const PartManifest& manifest)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(manifestJson(manifest))).object();
}

QByteArray compact(const QJsonValue& value)
{
    return value.isArray() ? QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)
                           : QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
}

} // namespace

class ManifestWriterTest final : public QObject {
    Q_OBJECT
private slots:
    void saysHowInputsAreNested()
    {
        const QJsonObject call = manifestObject(manifestFor(arguments(), 4))["call"].toObject();
        QCOMPARE(compact(call["args"]), QByteArray(R"([0,{"list":[1]}])"));
        QCOMPARE(compact(call["kwargs"]), QByteArray("{\"mask\":2,\"options\":{\"dict\":{\"é\\\"\":3}}}"));
        QCOMPARE(call["in_spec"].toString().toStdString(), arguments().text());
        QVERIFY(!call.contains("out_spec"));
    }

    void namesOperatorsWithTheModulesThatRegisterThem()
    {
        PartManifest manifest;
        manifest.parts.resize(2);
        manifest.parts[1].operators = {{.name = "mylib::scale"},
                                       {.name = "torch_attn::_varlen_attn", .module = "torch.nn.attention.varlen"}};
        const QJsonArray parts = manifestObject(manifest)["parts"].toArray();
        QVERIFY(!parts[0].toObject().contains("operators"));
        QCOMPARE(compact(parts[1].toObject()["operators"]),
                 QByteArray(R"({"mylib::scale":null,"torch_attn::_varlen_attn":"torch.nn.attention.varlen"})"));
    }

    void saysNoPlacesForAnotherNumberOfInputs()
    {
        const QJsonObject call = manifestObject(manifestFor(arguments(), 3))["call"].toObject();
        QVERIFY(!call.contains("args") && !call.contains("kwargs") && call.contains("in_spec"));
    }

    void namesClassesOfOutputs()
    {
        PartManifest manifest;
        manifest.outputs.resize(1, {.value = {.name = "y"}});
        const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
        const std::string spec = R"([1, {"type": "my.Output", "context": "here", "children_spec": [)" + leaf + "]}]";
        manifest.outSpec = StoredTreeSpec(spec);
        const QJsonObject call = manifestObject(manifest)["call"].toObject();
        QCOMPARE(compact(call["result"]), QByteArray(R"({"class":"my.Output","items":[0]})"));
        QCOMPARE(call["out_spec"].toString().toStdString(), spec);
    }

    void keepsLiteralsThatJsonLacks()
    {
        PartManifest manifest;
        manifest.inputs = {{.name = "a", .literal = Argument()}, {.name = "b", .literal = Argument::floating(2.5)}};
        manifest.outputs = {{.literal = Argument::floating(-std::numeric_limits<double>::infinity())}};
        const QJsonObject json = manifestObject(manifest);
        QVERIFY(json["inputs"][0].toObject().contains("literal") && json["inputs"][0]["literal"].isNull());
        QCOMPARE(json["inputs"][1]["literal"].toDouble(), 2.5);
        QCOMPARE(compact(json["outputs"][0]), QByteArray(R"({"float":"-inf","literal":null})"));
    }

    void saysNothingOfWhatItDoesNotKnow()
    {
        const QJsonObject json = manifestObject(PartManifest{});
        QVERIFY(!json.contains("call") && !json.contains("tied") && !json.contains("runner"));
    }

    void writesSpecsThatReadBack()
    {
        const std::optional<TreeSpec> read = TreeSpec::parse(arguments().text());
        QVERIFY(read.has_value());
        QCOMPARE(read->children[1].keys, (std::vector<std::string>{"mask", "options"}));
        QCOMPARE(read->children[1].children[1].keys, std::vector<std::string>{"é\""});
        QCOMPARE(read->text(), arguments().text());
        QCOMPARE(treeNode(SpecKind::tuple, "builtins.tuple", {treeNode(SpecKind::other, "my.Class", {})}).text(), std::string());
    }
};

const test::Registered<ManifestWriterTest> manifestWriterTest("manifest_writer_test");
#include "manifest_writer_test.moc"
