#pragma once

#include <QGuiApplication>

#include <optional>
#include <string>

namespace sunder::cli {

/// A QGuiApplication without a display, used while drawing. It uses the fonts shipped with the program, as in a wheel, if the system has
/// no font configuration.
class OffscreenApplication {
public:
    OffscreenApplication();

private:
    std::string m_name = "sunder-cli";
    char* m_words[2] = {m_name.data(), nullptr};
    int m_count = 1;
    std::optional<QGuiApplication> m_application;
};

} // namespace sunder::cli
