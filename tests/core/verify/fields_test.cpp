#include "ir/program.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

using namespace sunder;

namespace {

using Fields = std::map<std::string, std::set<std::string>>; ///< names of fields by type

/// The rows of core/verify/fields.txt for the structures of core/ir.
Fields rowsOfTable()
{
    std::ifstream file(std::string(SUNDER_SOURCE) + "/core/verify/fields.txt");
    Fields rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        std::string area;
        std::string type;
        std::string field;
        if (std::getline(cells, area, '\t') && area == "ir" && std::getline(cells, type, '\t')
            && std::getline(cells, field, '\t'))
            rows[type].insert(field);
    }
    return rows;
}

std::set<std::string> words(std::string text)
{
    std::ranges::replace(text, ',', ' ');
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

} // namespace

/// Adds the fields of a structure to `fields`. Does not compile if the structure has other fields. In that case, add them here
/// and a row for each to core/verify/fields.txt, which records whether the verifier compares it.
#define ADD_FIELDS(Type, ...)                                                                                                    \
    fields[#Type] = words(#__VA_ARGS__);                                                                                         \
    (void)[](const Type& of)                                                                                                     \
    {                                                                                                                            \
        [[maybe_unused]] const auto& [__VA_ARGS__] = of;                                                                         \
    }

/// Checks that the table of compared fields covers all structures of programs.
class FieldsTest final : public QObject {
    Q_OBJECT
private slots:
    void everyFieldHasARow()
    {
        Fields fields;
        ADD_FIELDS(Program, origin, modules, tensors, graphs, owners, root, stacks, signature, calls, ranges, tags, unknownLines,
                   extras, operators, fileHints);
        ADD_FIELDS(ProgramOrigin, file, folder, format, model, producer, torch, source, extra, conditions, opened);
        ADD_FIELDS(TagTable, order, colors, extra);
        ADD_FIELDS(LineExtras, strings, stacks, graphs, end);
        ADD_FIELDS(ModuleFrame, key, path, cls);
        ADD_FIELDS(NodeSpec, op, name, target, fn, args, kwargs, type, tag, sizeBytes, meta, extra);
        ADD_FIELDS(NodeMeta, val, valFrom, modules, trace, outType, regionKey, json, mutated);
        ADD_FIELDS(SizeBytes, output, total, extra);
        ADD_FIELDS(TensorMeta, dtype, shape, stride, offset, device, layout, storage, requiresGrad, extra);
        ADD_FIELDS(CopiedPiece, file, record, begin, extra);
        ADD_FIELDS(Storage, id, byteCount, file, record, placeExtra, extra, copyOf);
        ADD_FIELDS(TensorEntry, fqn, role, same, persistent, meta, storage, extra);
        ADD_FIELDS(Module, path, name, parent, children, cls, leaf, same, graph, calls, attributes, recipe, unknown, implied,
                   extra);
        ADD_FIELDS(ModuleAttribute, name, value);
        ADD_FIELDS(ExportSignature, inputs, outputs, extra);
        ADD_FIELDS(InputSpec, kind, target, name, persistent, value, extra);
        ADD_FIELDS(OutputSpec, kind, target, name, value, extra);
        ADD_FIELDS(ModuleCall, fqn, hasSignature, inSpec, outSpec, argNames, inputs, outputs, extra);
        ADD_FIELDS(SymbolRange, symbol, min, max, extra);
        ADD_FIELDS(SymbolicValue, expression, kind, hint);
        ADD_FIELDS(Keyword, key, value);
        const Fields rows = rowsOfTable();
        for (const auto& [type, names] : fields)
            QVERIFY2(rows.contains(type) && rows.at(type) == names, ("rows and fields differ of " + type).c_str());
        QCOMPARE(rows.size(), fields.size());
    }
};

const test::Registered<FieldsTest> fieldsTest("fields_test");
#include "fields_test.moc"
