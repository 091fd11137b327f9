#pragma once

#include "operators/operator_library.h"
#include "program_text.h"
#include "verify/verify.h"

#include <QByteArray>

namespace sunder::test {

/// Verifies two programs in the notation of ProgramText. `schemas` are those of operators unknown to Sunder.
inline VerifyReport compared(const QByteArray& a, const QByteArray& b, const char* schemas = "")
{
    Program first = ProgramText::program(a.toStdString());
    Program second = ProgramText::program(b.toStdString());
    const auto library = OperatorLibrary::parse(schemas, "operators.txt");
    first.operators = *library;
    second.operators = *library;
    return *verify(first, second);
}

} // namespace sunder::test
