#pragma once

#include "program_text.h"
#include "test_support.h"

#include <QByteArray>
#include <QTest>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace sunder::test {

/// Two programs of a file in tests/cases/verify_trust.
struct TrustPair {
    std::string name;
    std::string a;
    std::string b;
};

inline std::vector<TrustPair> trustPairs(const char* file)
{
    std::ifstream text(casePath(std::string("verify_trust/") + file));
    std::vector<TrustPair> found;
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with('#'))
            continue;
        if (!line.empty())
            lines.push_back(line);
        if (lines.size() == 3) {
            found.push_back({lines[0], lines[1], lines[2]});
            lines.clear();
        }
    }
    return found;
}

/// Adds a row for each pair, with its programs as `a` and `b`.
inline void addTrustPairs(const char* file)
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    for (const TrustPair& pair : trustPairs(file))
        QTest::newRow(pair.name.c_str()) << QByteArray::fromStdString(pair.a) << QByteArray::fromStdString(pair.b);
}

/// The programs of the current row.
inline std::pair<Program, Program> programsOfRow()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    return {ProgramText::program(a.toStdString()), ProgramText::program(b.toStdString())};
}

} // namespace sunder::test
