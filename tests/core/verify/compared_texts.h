#pragma once

#include "program_text.h"
#include "verify/verify.h"

#include <QByteArray>

namespace sunder::test {

/// What the verifier says of two programs in the words of ProgramText.
inline VerifyReport compared(const QByteArray& a, const QByteArray& b)
{
    const Program first = ProgramText::program(a.toStdString());
    const Program second = ProgramText::program(b.toStdString());
    return *verify(first, second);
}

} // namespace sunder::test
