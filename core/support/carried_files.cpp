#include "support/carried_files.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace sunder {
namespace {

/// Sets a variable to a carried file, unless the user has set it or the system has its own file.
void setUnlessThere(const char* variable, const char* ofSystem, const std::filesystem::path& carried)
{
    std::error_code error;
    if (!std::filesystem::exists(ofSystem, error))
        ::setenv(variable, carried.c_str(), 0);
}

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

/// GNOME draws no title bars under Wayland, and Qt draws them only with OpenGL, whose drivers a wheel cannot carry.
void preferXwaylandInGnome()
{
    const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
    if (isSet("DISPLAY") && isSet("WAYLAND_DISPLAY") && desktop != nullptr && std::strstr(desktop, "GNOME") != nullptr)
        ::setenv("QT_QPA_PLATFORM", "xcb;wayland", 0);
}

} // namespace

void useCarriedFiles()
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path share = program.parent_path().parent_path() / "share" / "sunder";
    if (!std::filesystem::exists(share / "fonts" / "fonts.conf", error))
        return;
    setUnlessThere("FONTCONFIG_FILE", "/etc/fonts/fonts.conf", share / "fonts" / "fonts.conf");
    setUnlessThere("XKB_CONFIG_ROOT", "/usr/share/X11/xkb", share);
    setUnlessThere("XLOCALEDIR", "/usr/share/X11/locale", share / "X11" / "locale");
    preferXwaylandInGnome();
    ::unsetenv("QT_PLUGIN_PATH");
    ::unsetenv("QT_QPA_PLATFORM_PLUGIN_PATH");
}

} // namespace sunder
