#include "test_case.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sunder::test {
namespace {

std::vector<const RegisteredCase*>& registeredCases()
{
    static std::vector<const RegisteredCase*> cases;
    return cases;
}

} // namespace

RegisteredCase::RegisteredCase(std::string_view name) : m_name(name)
{
    registeredCases().push_back(this);
}

int runCase(int count, char** words)
{
    const std::string_view wanted = count > 1 ? words[1] : "";
    const auto& cases = registeredCases();
    const auto found = std::ranges::find(cases, wanted, &RegisteredCase::name);
    if (found == cases.end()) {
        std::fprintf(stderr, "Usage: %s CASE [OPTIONS OF QT TEST]\nCases:\n", words[0]);
        for (const RegisteredCase* each : cases)
            std::fprintf(stderr, "  %.*s\n", static_cast<int>(each->name().size()), each->name().data());
        return 2;
    }
    std::vector<char*> others{words[0]};
    others.insert(others.end(), words + 2, words + count);
    return QTest::qExec((*found)->make().get(), static_cast<int>(others.size()), others.data());
}

} // namespace sunder::test
