#pragma once

#include "case_folders.h"
#include "compare_programs.h"
#include "io/fx_json/fx_json_reader.h"
#include "ir/lint.h"
#include "passes/split_result.h"

#include <QFile>
#include <QTest>

namespace sunder::test {

/// Checks what all refusals have in common: the error code and a message.
inline void checkRefusal(const Error& error)
{
    QCOMPARE(error.code, ErrorCode::refused);
    QVERIFY(!error.message.empty());
}

/// Checks that the split program passes lint and equals the case's expected.fxj.
inline void checkSplit(const QString& folder, const SplitResult& split)
{
    const Result<Program> expected = readFxJson(programFile(folder, "expected.fxj"));
    QVERIFY2(expected.has_value(), expected ? "" : describe(expected.error()).c_str());
    const std::vector<std::string> differences = test::differences(*expected, split.program);
    for (const std::string& difference : differences)
        qWarning("%s", difference.c_str());
    QVERIFY(differences.empty());
    QVERIFY(lint(split.program).empty());
}

/// Checks that the split is refused if the case expects that, and equals the expected one otherwise.
inline void checkCase(const QString& folder, const Result<SplitResult>& split)
{
    if (QFile::exists(folder + "/expected_error.json")) {
        QVERIFY(!split);
        checkRefusal(split.error());
        return;
    }
    QVERIFY2(split.has_value(), split ? "" : describe(split.error()).c_str());
    checkSplit(folder, *split);
}

} // namespace sunder::test
