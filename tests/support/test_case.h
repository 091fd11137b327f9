#pragma once

#include <QTest>

#include <memory>
#include <string_view>

namespace sunder::test {

/// A Qt Test class that the test program of its folder runs by name: "ir-tests graph_test" runs the class of graph_test.cpp and
/// accepts the options of Qt Test after the name. Each class registers itself before main().
class RegisteredCase {
public:
    /// name: its file name without ".cpp"; must outlive the program.
    explicit RegisteredCase(std::string_view name);
    RegisteredCase(const RegisteredCase&) = delete;
    RegisteredCase& operator=(const RegisteredCase&) = delete;

    [[nodiscard]] std::string_view name() const { return m_name; }
    [[nodiscard]] virtual std::unique_ptr<QObject> make() const = 0;

protected:
    ~RegisteredCase() = default;

private:
    std::string_view m_name;
};

template <class Case>
class Registered final : public RegisteredCase {
public:
    using RegisteredCase::RegisteredCase;
    [[nodiscard]] std::unique_ptr<QObject> make() const override { return std::make_unique<Case>(); }
};

/// Runs the case named by the first word and returns the status of Qt Test. Without a name, lists the cases.
int runCase(int count, char** words);

} // namespace sunder::test
