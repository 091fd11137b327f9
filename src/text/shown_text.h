#pragma once

#include <QObject>
#include <QString>
#include <string>
#include <string_view>

namespace sunder {

/// Returns the absolute path for a path typed by the user. "~" is the home folder, as in a shell. A relative path is resolved
/// against the working directory. Surrounding blanks and quotes are ignored; "file:///a%20b" is "/a b".
QString typedPath(const QString& typed);

/// Returns the absolute path of a file to open: the file of exactly this name if it exists, otherwise the typedPath().
QString pathToOpen(const QString& given);

// Names come from files and are untrusted: display them only through these functions. app/plain_texts.h keeps them from being
// interpreted as markup, and caption() from being interpreted as mnemonics.

/// Returns the translation of a text of the program, for functions outside of classes.
inline QString tr(const char* ours)
{
    return QObject::tr(ours);
}

/// Converts UTF-8 from the core to a displayable QString on one line; see support/visible_text.h.
QString text(std::string_view utf8);

inline QString text(const std::string& utf8)
{
    return text(std::string_view(utf8));
}

inline QString text(const char* utf8)
{
    return text(std::string_view(utf8));
}

/// Converts UTF-8 to a displayable QString and keeps line breaks.
QString linesOf(std::string_view utf8);
/// Converts UTF-8 without changes, for lookup and for writing. Not for display.
QString exact(std::string_view utf8);

/// Makes a QString displayable, such as a file name.
QString visible(const QString& string);
/// Elides the middle of a string that is longer than `most` characters.
QString brief(const QString& string, int most = 80);
/// Returns the text for a button, tab, or menu command: elided, with "&" escaped.
QString caption(const QString& string, int most = 60);
/// Returns a title of the program without its mnemonic and trailing ellipsis.
QString plainTitle(QString title);
/// Returns the text for a tooltip, wrapped to lines that fit on a screen and cut if very long.
QString folded(const QString& string);
/// Replaces the space between a number and its unit ("12.3 kB", "5 ms", "3 %") by one where no line breaks.
QString withWholeFigures(QString string);
/// Breaks words that are longer than a line, for messages, which wrap only at spaces.
QString withShortWords(const QString& string);

} // namespace sunder
