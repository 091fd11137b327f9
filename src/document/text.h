#pragma once

#include "support/interned_string.h"

#include <QString>

#include <string>
#include <string_view>

namespace sunder {

/// UTF-8 of the core as a QString.
inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

inline QString text(InternedString string)
{
    return text(string.view());
}

/// And back.
inline InternedString interned(const QString& string)
{
    return intern(string.toStdString());
}

} // namespace sunder
