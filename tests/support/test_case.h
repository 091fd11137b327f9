#pragma once

#include <QTest>

#include <memory>
#include <string_view>

namespace sunder::test {

/// A class of Qt Test that the program of its folder runs by name: "ir-tests graph_test" runs that of graph_test.cpp, with
/// whatever options of Qt Test stand behind. Each registers itself before main().
class RegisteredCase {
public:
    /// name: of its file, without ".cpp"; must outlive the program.
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

/// Runs the case that the first word names, and gives what Qt Test says of it. Without a name it says which there are.
int runCase(int count, char** words);

} // namespace sunder::test
