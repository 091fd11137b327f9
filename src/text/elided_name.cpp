#include "text/elided_name.h"

#include <QFontMetricsF>
#include <QModelIndex>

#include <algorithm>

namespace sunder {
namespace {

const QString kDots(QChar(0x2026));
const QString kBetweenFigures = QStringLiteral(" · ");

/// Returns the length of the common prefix.
qsizetype commonBegin(QStringView a, QStringView b)
{
    return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

qsizetype commonEnd(QStringView a, QStringView b)
{
    return std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
}

/// Moves `at` to the start of the number or surrogate pair that it would split.
qsizetype beforeNumber(QStringView name, qsizetype at)
{
    while (at > 0 && at < name.size() && name[at].isLowSurrogate())
        --at;
    while (at > 0 && name[at - 1].isDigit())
        --at;
    return at;
}

/// Returns the start of the last component: "query" of "layers.10.query". The index of an element belongs to its list: "down.3".
qsizetype lastStep(QStringView name)
{
    qsizetype at = name.lastIndexOf(u'.') + 1;
    const QStringView last = name.sliced(at);
    if (at > 1 && std::ranges::all_of(last, [](QChar c) { return c.isDigit(); }))
        at = name.first(at - 1).lastIndexOf(u'.') + 1;
    return at;
}

/// Longest prefix and suffix that a name shares with a neighboring name, in characters.
struct Agreement {
    qsizetype begin = 0;
    qsizetype end = 0;
};

Agreement agreementOf(const QString& name, const QStringList& beside)
{
    Agreement agreed;
    bool any = false;
    for (const QString& other : beside) {
        if (other == name || other.isEmpty())
            continue;
        any = true;
        agreed.begin = std::max(agreed.begin, commonBegin(name, other));
        agreed.end = std::max(agreed.end, commonEnd(name, other));
    }
    if (!any || agreed.begin >= name.size())
        agreed.begin = std::max(std::min(agreed.begin, lastStep(name)), any ? 0 : lastStep(name));
    if (name.contains(u' ')) { // whole words
        while (agreed.begin > 0 && name[agreed.begin - 1].isLetterOrNumber())
            --agreed.begin;
        const auto isWithinWord = [&name](qsizetype at) {
            return at > 0 && at < name.size() && name[at - 1].isLetterOrNumber() && name[at].isLetterOrNumber();
        };
        while (isWithinWord(name.size() - agreed.end))
            --agreed.end;
    }
    agreed.begin = beforeNumber(name, agreed.begin);
    agreed.end = std::min(agreed.end, name.size() - agreed.begin);
    while (agreed.end > 0 && name[name.size() - agreed.end].isDigit())
        --agreed.end;
    return agreed;
}

} // namespace

QString elidedName(const QString& name, const QFontMetricsF& metrics, double room, const QStringList& beside)
{
    if (metrics.horizontalAdvance(name) <= room)
        return name;
    const double dots = metrics.horizontalAdvance(kDots);
    const Agreement agreed = agreementOf(name, beside);
    const QString tail = name.sliced(agreed.begin);
    const double tailWidth = metrics.horizontalAdvance(tail);
    if (agreed.begin > 0 && dots + tailWidth <= room)
        return metrics.elidedText(name.first(agreed.begin), Qt::ElideRight, room - tailWidth) + tail;
    const QString mark = agreed.begin > 0 ? kDots : QString();
    const QString own = mark + tail.first(tail.size() - agreed.end);
    const double ownWidth = metrics.horizontalAdvance(own);
    if (agreed.end > 0 && own.size() > mark.size() && ownWidth + dots <= room)
        return own + metrics.elidedText(tail.last(agreed.end), Qt::ElideLeft, room - ownWidth);
    if (tail.contains(u' ')) // unless cutting between words leaves little of the name
        if (const QString words = elidedWords(mark + tail, metrics, room); 2 * metrics.horizontalAdvance(words) > room)
            return words;
    return mark + metrics.elidedText(tail, Qt::ElideMiddle, room - (mark.isEmpty() ? 0 : dots));
}

QStringList namesBeside(const QModelIndex& index, int role)
{
    QStringList names;
    for (const int row : {index.row() - 1, index.row() + 1})
        if (const QModelIndex other = index.siblingAtRow(row); other.isValid())
            names << other.data(role).toString();
    return names;
}

QString elidedWords(const QString& words, const QFontMetricsF& metrics, double room)
{
    if (metrics.horizontalAdvance(words) <= room)
        return words;
    if (const qsizetype first = words.indexOf(kBetweenFigures); first > 0) { // drop whole figures, from the end
        for (qsizetype end = words.lastIndexOf(kBetweenFigures); end > 0; end = words.lastIndexOf(kBetweenFigures, end - 1))
            if (const QString head = words.first(end) + kDots; metrics.horizontalAdvance(head) <= room)
                return head;
        return elidedWords(words.first(first), metrics, room);
    }
    QString longest; // candidate cut between words
    QString within;  // candidate cut between the elements of a bracketed list
    int depth = 0;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QChar c = words[i];
        depth += c == u'[' || c == u'(' ? 1 : c == u']' || c == u')' ? -1 : 0;
        if (c != u' ')
            continue;
        if (depth > 0) {
            if (const QString head = words.first(i + 1) + kDots; metrics.horizontalAdvance(head) <= room)
                within = head;
            continue;
        }
        if (words[words.lastIndexOf(u' ', i - 1) + 1].isDigit()) // keep a number and its unit together: "393 kB", "4 ops"
            continue;
        qsizetype end = i;
        while (end > 0 && (words[end - 1] == u' ' || words[end - 1] == QChar(0xb7) || words[end - 1] == u','))
            --end;
        const QString head = words.first(end) + kDots;
        if (end == 0 || metrics.horizontalAdvance(head) > room)
            break;
        longest = head;
    }
    if (!longest.isEmpty() || !within.isEmpty())
        return longest.isEmpty() ? within : longest;
    const QString first = words.section(u' ', 0, 0);
    const bool isWord = std::ranges::none_of(first, [](QChar c) { return c.isDigit() || c == u'['; });
    if (isWord)
        return metrics.elidedText(words, Qt::ElideRight, room);
    return metrics.horizontalAdvance(kDots) <= room ? kDots : QString();
}

} // namespace sunder
