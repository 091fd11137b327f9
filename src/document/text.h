#pragma once

#include "support/interned_string.h"
#include "text/shown_text.h"

namespace sunder {

inline QString text(InternedString string)
{
    return text(string.view());
}

/// Shortens "torch.ops.aten.linear.default" to "aten.linear.default".
inline QString withoutOps(QString target)
{
    if (target.startsWith(QLatin1String("torch.ops.")))
        target.remove(0, 10);
    return target;
}

/// Formats an error message of the core as a sentence, with a capital letter and a full stop.
inline QString sentence(const std::string& utf8)
{
    QString whole = text(utf8).trimmed();
    if (!whole.isEmpty() && !whole.endsWith(QLatin1Char('.')))
        whole += QLatin1Char('.');
    return whole.left(1).toUpper() + whole.mid(1);
}

/// Converts a QString to an interned UTF-8 string.
inline InternedString interned(const QString& string)
{
    return intern(string.toStdString());
}

} // namespace sunder
