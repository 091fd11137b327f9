#pragma once

#include <QObject>
#include <QString>

#include <string>
#include <string_view>

namespace sunder {

// Names come out of files: whatever is shown of them goes through one of these. That it is never taken for markup is
// seen to in app/plain_texts.h, and for mnemonics by caption().

/// What a text of ours is in the language of the person, for functions that belong to no class.
inline QString tr(const char* ours)
{
    return QObject::tr(ours);
}

/// UTF-8 of the core as a QString that may be shown, in one line: see support/visible_text.h.
QString text(std::string_view utf8);

inline QString text(const std::string& utf8)
{
    return text(std::string_view(utf8));
}

inline QString text(const char* utf8)
{
    return text(std::string_view(utf8));
}

/// The same of a text that has lines of its own.
QString linesOf(std::string_view utf8);
/// As it is: to look things up by, to write it somewhere. Not to be shown.
QString exact(std::string_view utf8);

/// What is a QString already, as the name of a file is, so that it may be shown.
QString visible(const QString& string);
/// Shortened in the middle where it is longer than a line.
QString brief(const QString& string, int most = 80);
/// Text of a button, a tab or a command in a menu: brief, and "&" stays what it is.
QString caption(const QString& string, int most = 60);
/// A title of ours without what a menu adds to it: its mnemonic, and the dots of a command that asks.
QString plainTitle(QString title);
/// Text of a tooltip: in lines that fit on a screen, and cut where it is very long.
QString folded(const QString& string);
/// Text of a message, which wraps at spaces: words that are longer than a line are broken, too.
QString withShortWords(const QString& string);

} // namespace sunder
