#include "panes/hierarchy/module_facts_panel.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

/// The tables of a module's inputs, outputs, and tensors.
class ModuleSignatureTest final : public QObject {
    Q_OBJECT

private slots:
    void listsEachLeafOfTheOutput()
    {
        const Program program = test::programFromText("x = placeholder() : 2\na = f(x) : 3\noutput(a, x, 5)\n");
        const std::vector<FactTable::Row> rows = signatureRows(program.rootGraph());
        QCOMPARE(rows.size(), 4U);
        QCOMPARE(rows[0].cells[0], QString("in"));
        QCOMPARE(rows[1].cells[1], QString("a"));
        QCOMPARE(rows[2].cells[1], QString("x"));
        QCOMPARE(rows[3].cells[2], QString("literal"));
    }

    /// The total counted two tensors in one storage twice, unlike all other views.
    void countsSharedStorageOnce()
    {
        Program program = test::programFromText(
            "x = placeholder() : 2\nv = get_attr[v]()\nw = get_attr[w]()\na = f(x, v, w) : 2\n"
            "output(a)\n");
        const StorageId storage = program.tensors.addStorage({.id = intern("s"), .byteCount = 400});
        for (const char* name : {"v", "w"}) {
            TensorEntry entry{.fqn = intern(name), .storage = storage};
            entry.meta.dtype = intern("float32");
            entry.meta.shape = {Argument::integer(50)};
            program.tensors.add(std::move(entry));
        }
        QCOMPARE(tensorBytes(program, ModuleTree::root(), program.rootGraph()), std::uint64_t{400});
        QCOMPARE(tensorRows(program, ModuleTree::root(), program.rootGraph()).size(), 2U);
    }
};

const test::Registered<ModuleSignatureTest> moduleSignatureTest("module_signature_test");
#include "module_signature_test.moc"
