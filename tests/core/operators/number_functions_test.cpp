#include "operators/number_functions.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <string_view>
#include <vector>

using namespace sunder;

/// Functions of numbers, found by call target, and pairs that are distinguishable. tests/torch/number_functions_in_torch.py runs
/// them.
class NumberFunctionsTest final : public QObject {
    Q_OBJECT
private slots:
    void findsAFunctionByEveryNameOfIt()
    {
        const NumberFunction* const add = numberFunctionOf("torch.ops.aten.add.Tensor");
        QVERIFY(add != nullptr);
        QCOMPARE(add->operands, std::size_t(2));
        QVERIFY(add->isNeutral(0.0) && !add->isNeutral(1.0));
        for (const char* name : {"torch.ops.aten.add_.Scalar", "torch.add", "_operator.add", "_operator.iadd", "add", "add_",
                                 "__add__", "torch.Tensor.add"})
            QVERIFY2(numberFunctionOf(name) == add, name);
        QVERIFY(numberFunctionOf("torch.nn.modules.linear.Linear") == numberFunctionOf("torch.nn.functional.linear"));
    }

    void knowsNothingOfOthers()
    {
        for (const char* name :
             {"torch.ops.my.add.default", "lib.add", "torch.ops.aten.rsub.Tensor", "_operator.mod", "", "_", "__"})
            QVERIFY2(numberFunctionOf(name) == nullptr, name);
    }

    void tellsApartWhatAgreesNowhere()
    {
        const auto apart = [](const char* a, const char* b) {
            return areDistinguishable(*numberFunctionOf(a), *numberFunctionOf(b));
        };
        QVERIFY(apart("torch.sin", "torch.cos"));
        QVERIFY(apart("torch.relu", "torch.tanh"));
        QVERIFY(apart("torch.mul", "torch.add"));
        QVERIFY(!apart("torch.relu", "torch.abs")); // equal for positive numbers
        QVERIFY(!apart("torch.log", "torch.sqrt")); // both NaN for negative numbers
        QVERIFY(!apart("torch.div", "torch.true_divide"));
        QVERIFY(!apart("torch.sin", "torch.add"));
        QVERIFY(!apart("torch.nn.functional.linear", "torch.matmul"));
    }

    void namesEachFunctionOnce()
    {
        std::vector<std::string_view> names;
        for (const NumberFunction& function : numberFunctions())
            names.insert(names.end(), function.names.begin(), function.names.end());
        std::ranges::sort(names);
        QVERIFY(std::ranges::adjacent_find(names) == names.end());
        QVERIFY(names.size() > 80);
    }
};

const test::Registered<NumberFunctionsTest> numberFunctionsTest("number_functions_test");
#include "number_functions_test.moc"
