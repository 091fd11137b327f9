#include "text/shown_text.h"

#include "support/text.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <QUrl>
#include <algorithm>

namespace sunder {
namespace {

constexpr int kMaxOfATip = 2500; ///< characters
constexpr qsizetype kLine = 110;
constexpr qsizetype kWord = 60;

QString shown(std::string_view utf8, Lines lines)
{
    return isVisible(utf8, lines) ? exact(utf8) : QString::fromStdString(visibleText(utf8, lines));
}

bool isPlain(QChar c)
{
    return c >= QLatin1Char(' ') && c < QChar(0x7f);
}

/// Returns a position to cut at that does not split a surrogate pair.
qsizetype cutBefore(QStringView string, qsizetype at)
{
    return at > 0 && at < string.size() && string[at].isLowSurrogate() ? at - 1 : at;
}

/// Removes the quotes with which shells and file managers copy paths.
QString unquoted(const QString& typed)
{
    for (const QChar quote : {QLatin1Char('"'), QLatin1Char('\'')})
        if (typed.size() > 2 && typed.startsWith(quote) && typed.endsWith(quote))
            return typed.mid(1, typed.size() - 2);
    return typed;
}

} // namespace

QString typedPath(const QString& typed)
{
    QString path = QDir::fromNativeSeparators(unquoted(typed.trimmed()));
    if (const QUrl url(path); url.isLocalFile())
        path = url.toLocalFile();
    if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/")))
        path = QDir::homePath() + path.mid(1);
    return QDir::current().absoluteFilePath(path);
}

QString pathToOpen(const QString& given)
{
    const QString whole = QDir::current().absoluteFilePath(given);
    return QFileInfo::exists(whole) ? whole : typedPath(given);
}

QString text(std::string_view utf8)
{
    return shown(utf8, Lines::escape);
}

QString linesOf(std::string_view utf8)
{
    return shown(utf8, Lines::keep);
}

QString exact(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString visible(const QString& string)
{
    return std::all_of(string.begin(), string.end(), isPlain) ? string : text(string.toStdString());
}

QString brief(const QString& string, int most)
{
    if (string.size() <= most)
        return string;
    const qsizetype front = cutBefore(string, most * 2 / 3);
    const qsizetype back = cutBefore(string, string.size() - (most - most * 2 / 3 - 1));
    return string.first(front) + QChar(0x2026) + string.sliced(back);
}

QString caption(const QString& string, int most)
{
    return brief(string, most).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString plainTitle(QString title)
{
    return title.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString folded(const QString& string)
{
    const QString whole = brief(string, kMaxOfATip);
    QString result;
    for (const QString& line : whole.split(QLatin1Char('\n'))) {
        QStringView left(line);
        while (left.size() > kLine) {
            const qsizetype space = left.first(kLine).lastIndexOf(QLatin1Char(' '));
            const qsizetype end = space > kLine / 2 ? space + 1 : cutBefore(left, kLine);
            result += left.first(end);
            result += QLatin1Char('\n');
            left = left.sliced(end);
        }
        result += left;
        result += QLatin1Char('\n');
    }
    result.chop(1);
    return result;
}

QString withWholeFigures(QString string)
{
    static const QRegularExpression gap(QStringLiteral("(?<=\\d) (?=(?:[kMGT]?B|m?s)\\b|%)"));
    return string.replace(gap, QStringLiteral("\u00a0"));
}

QString withShortWords(const QString& string)
{
    QString result;
    qsizetype run = 0;
    for (const QChar c : brief(string, kMaxOfATip)) {
        run = c.isSpace() ? 0 : run + 1;
        if (run > kWord && !c.isLowSurrogate()) {
            result += QLatin1Char('\n');
            run = 1;
        }
        result += c;
    }
    return result;
}

} // namespace sunder
