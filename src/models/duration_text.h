#pragma once

#include <QObject>
#include <QString>

namespace sunder {

/// Formats a duration for people: "0.4 ms", "12 ms", "3.1 s".
inline QString durationText(double seconds)
{
    return seconds < 1 ? QObject::tr("%1 ms").arg(seconds * 1000, 0, 'f', seconds < 0.01 ? 1 : 0)
                       : QObject::tr("%1 s").arg(seconds, 0, 'f', 1);
}

} // namespace sunder
