#include "ir/tensor_meta.h"
#include "parts/part_manifest.h"
#include "test_case.h"

#include <QTest>

#include <memory>

using namespace sunder;

namespace {

Argument symbol(std::string_view expression)
{
    return Argument::symbolic({.expression = intern(expression)});
}

ManifestValue tensorOf(std::string name, Arguments shape)
{
    auto meta = std::make_shared<TensorMeta>();
    meta->dtype = intern("float32");
    meta->shape = std::move(shape);
    return {.name = std::move(name), .val = Argument::tensor(std::move(meta))};
}

std::vector<std::string> guardsWith(std::string_view members)
{
    Program program;
    program.origin.extra = intern(members);
    PartManifest manifest;
    addGuards(program, {}, manifest);
    return manifest.guards;
}

} // namespace

class PartGuardsTest final : public QObject {
    Q_OBJECT
private slots:
    void listsRangesOfSizesAndIntegersBeforeTheGuardsOfTheFile()
    {
        Program program;
        program.ranges = {{intern("s0"), 2, 20}, {intern("2*s0"), 4, {}}, {intern("s1"), 3, {}}};
        program.origin.extra = intern(R"({"exported_program":{"guards_code":["L['x'].size()[0] != 7"]}})");
        PartManifest manifest;
        manifest.inputs = {tensorOf("x", {symbol("s0"), Argument::integer(3)}),
                           tensorOf("y", {Argument::integer(3), symbol("2*s0")}),
                           {.name = "n", .val = symbol("s1")},
                           {.name = "unknown"}};
        addGuards(program, {.argNames = std::vector<InternedString>{intern("x"), intern("y")}}, manifest);
        const std::vector<std::string> expected = {"L['flat_args'][0].size()[0] <= 20", "L['flat_args'][1].size()[1] >= 4",
                                                   "L['flat_args'][2] >= 3", "L['x'].size()[0] != 7"};
        QCOMPARE(manifest.guards, expected);
        QCOMPARE(manifest.argNames, (std::vector<std::string>{"x", "y"}));
    }

    void passesOverWhatIsNoListOfTexts()
    {
        QCOMPARE(guardsWith(R"({"exported_program":{"guards_code":["a", 3, null, ["b"], "c"]}})"),
                 (std::vector<std::string>{"a", "c"}));
        for (const char* members :
             {"", "no JSON", "[]", "{}", R"({"exported_program":3})", R"({"exported_program":{"guards_code":{}}})"})
            QVERIFY2(guardsWith(members).empty(), members);
    }
};

const test::Registered<PartGuardsTest> partGuardsTest("part_guards_test");
#include "part_guards_test.moc"
