#include "ir/python_names.h"
#include "ir/python_text.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class PythonNamesTest final : public QObject {
    Q_OBJECT
private slots:
    void knowsNames()
    {
        for (const char* name : {"x", "_", "x_1", "__a", "print", "self", "match"})
            QVERIFY2(isPythonName(name), name);
        for (const char* name : {"", "1x", "class", "None", "__debug__", "a b", "a.b", "x=1", "é", "a\n"})
            QVERIFY2(!isPythonName(name), name);
        QVERIFY(isDottedPythonName("torch.ops.aten.add.Tensor"));
        for (const char* name : {"", ".", "a.", ".a", "a..b", "a.class", "f.<locals>.g"})
            QVERIFY2(!isDottedPythonName(name), name);
    }

    void knowsWhatReachesBeyondGraphs()
    {
        for (const char* name : {"os.system", "subprocess.run", "builtins.eval", "torch.os.system", "torch.hub.load",
                                 "torch.load", "torch.ops.load_library", "torch.Tensor.__class__.__subclasses__",
                                 "importlib.import_module", "torch.utils.data.os.system"})
            QVERIFY2(reachesBeyondGraphs(name), name);
        for (const char* name : {"torch.relu", "torch.trace", "torch.ops.aten.io.default", "math.sqrt", "_operator.add",
                                 "builtins.len", "torch.nn.functional.relu", "mypackage.io.read", "torch.hubs"})
            QVERIFY2(!reachesBeyondGraphs(name), name);
    }

    void knowsWhatLeadsToTheInterpreter()
    {
        for (const char* path : {"__self__", "__self__.eval", "a.__globals__"})
            QVERIFY2(leadsToInterpreter(path), path);
        for (const char* path : {"", "__add__", "self", "a.b.__getitem__"})
            QVERIFY2(!leadsToInterpreter(path), path);
    }

    void knowsHarmlessExpressions()
    {
        for (const char* text :
             {"s0", "2*s0", "((s53 - 1)//16) + 1", "Max(1, s0)", "s0**2", "-s0", "Eq(s0, 4)", "(s0 < 3) & (s1 >= 2)",
              "Mod(s0, 2)", "1.5e-3*s0", "[1, s0]", "torch.strided", "()", "~(s0 > 1)", "inf"})
            QVERIFY2(isHarmlessExpression(text), text);
        for (const char* text : {"",
                                 "s0 +",
                                 "exec(s0)",
                                 "s0()",
                                 "__import__('os')",
                                 "'a'",
                                 "s0; s1",
                                 "s0\ns1",
                                 "a b",
                                 "(s0",
                                 "s0)",
                                 "007",
                                 "1x",
                                 "1.real",
                                 "lambda: 1",
                                 "a if b else c",
                                 "<E.A: 1>",
                                 "f(x=1)",
                                 "torch.os.getcwd",
                                 "eval",
                                 "(1)(2)",
                                 "[1](2)"})
            QVERIFY2(!isHarmlessExpression(text), text);
        QVERIFY(!isHarmlessExpression(std::string(3000, '-') + "1"));
        QVERIFY(!isHarmlessExpression(std::string(300, '(') + "1" + std::string(300, ')')));
    }

    void quotesAsPythonDoes()
    {
        QCOMPARE(pythonString("a"), std::string("'a'"));
        QCOMPARE(pythonString("it's"), std::string("\"it's\""));
        QCOMPARE(pythonString("'\""), std::string("'\\'\"'"));
        QCOMPARE(pythonString("a\\\n\t\x1b"), std::string("'a\\\\\\n\\t\\x1b'"));
        QCOMPARE(pythonString("\u202e\u2028"), std::string("'\\u202e\\u2028'"));
        QCOMPARE(pythonString("gr\u00f6\u00dfer"), std::string("'gr\u00f6\u00dfer'"));
        QCOMPARE(pythonString("\xff"), std::string("'\\xff'"));
        QCOMPARE(pythonTorchAttribute("float16"), std::string("torch.float16"));
        QCOMPARE(pythonTorchAttribute("float16; f()"), std::string("'float16; f()'"));
    }
};

const test::Registered<PythonNamesTest> pythonNamesTest("python_names_test");
#include "python_names_test.moc"
