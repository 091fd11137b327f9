#pragma once

#include "case_folders.h"
#include "compare_programs.h"
#include "io/fx_json/fx_json_reader.h"
#include "ir/lint.h"
#include "passes/split_result.h"

#include <QFile>
#include <QTest>

namespace sunder::test {

/// What a case expects of every refusal: the code and a sentence.
inline void checkRefusal(const Error& error)
{
    QCOMPARE(error.code, ErrorCode::refused);
    QVERIFY(!error.message.empty());
}

/// The split program is lint clean and the one in the case's expected.fxj.
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

/// The case's split is refused where it expects that, else the one that it holds.
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
