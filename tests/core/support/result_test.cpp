#include "support/result.h"

#include "test_case.h"

#include <QTest>

#include <memory>

using namespace sunder;

/// The macros that carry errors out of a function.
class ResultTest final : public QObject {
    Q_OBJECT

private slots:
    void propagatingLeavesTheValue()
    {
        Result<std::unique_ptr<int>> held = std::make_unique<int>(7);
        const auto check = [&]() -> Result<void> {
            SUNDER_PROPAGATE(held);
            SUNDER_PROPAGATE(std::move(held));
            return {};
        };
        QVERIFY(check());
        QVERIFY(*held != nullptr);
        QCOMPARE(**held, 7);
    }

    void propagatingReturnsTheError()
    {
        const auto check = [](const Result<int>& result) -> Result<void> {
            SUNDER_PROPAGATE(result);
            return {};
        };
        QVERIFY(check(1));
        const Result<void> failed = check(fail(ErrorCode::io, "gone"));
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::io);
        QCOMPARE(failed.error().message, std::string("gone"));
    }

    void tryingReturnsTheErrorOrTakesTheValue()
    {
        const auto twice = [](Result<std::string> result) -> Result<std::string> {
            SUNDER_TRY(const std::string text, std::move(result));
            return text + text;
        };
        QCOMPARE(twice(std::string("ab")).value(), std::string("abab"));
        QCOMPARE(twice(cancelled()).error().code, ErrorCode::cancelled);
    }
};

const test::Registered<ResultTest> resultTest("result_test");
#include "result_test.moc"
