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

/// A reason from the core as a sentence of its own: with a capital and a full stop.
inline QString sentence(const std::string& utf8)
{
    QString whole = text(utf8).trimmed();
    if (!whole.isEmpty() && !whole.endsWith(QLatin1Char('.')))
        whole += QLatin1Char('.');
    return whole.left(1).toUpper() + whole.mid(1);
}

/// And back.
inline InternedString interned(const QString& string)
{
    return intern(string.toStdString());
}

} // namespace sunder
