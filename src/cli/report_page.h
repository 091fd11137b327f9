#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::cli {

// A report for people, written as plain text and as Markdown. Texts are unescaped and may contain names from files.

/// A table. Columns of names are shown as code in Markdown.
struct ReportTable {
    struct Column {
        std::string title;
        enum class Kind : unsigned char { text, name, figure } kind = Kind::text;
    };
    std::vector<Column> columns = {};
    std::vector<std::vector<std::string>> rows = {};
};

/// An item of a list, with indented ones below it.
struct ReportItem {
    std::string text;
    std::vector<std::string> below = {};
};

struct ReportSection {
    std::string title;
    std::vector<std::string> sentences = {}; ///< a paragraph each
    std::vector<ReportItem> items = {};
    ReportTable table = {};
    std::vector<std::string> commands = {}; ///< of a shell
    bool isFolded = false; ///< in Markdown: closed until it is clicked
};

struct ReportPage {
    std::string title;
    bool isGood = true;
    std::vector<std::string> sentences = {};
    std::vector<ReportSection> sections = {};
    std::vector<std::string> notes = {}; ///< in Markdown only: sunder-cli prints them to standard error
};

/// Rows of a table and items of a list that are written; a line says how many more there are.
inline constexpr std::size_t kReportRows = 25;

/// Returns the page as lines of text, with aligned tables.
std::vector<std::string> plainLines(const ReportPage& page);

/// Returns the page as GitHub Flavored Markdown of at most `limit` bytes: GitHub refuses comments of more than 65,536 characters. Parts
/// beyond are left out, with a note. No text can become a link, a mention, HTML, or another cell.
std::string markdownText(const ReportPage& page, std::size_t limit = 60'000);

/// Returns a text for Markdown that is shown as it is; a word that Markdown could interpret becomes code.
std::string markdownSentence(std::string_view text);

/// Returns a name for Markdown as code.
std::string markdownCode(std::string_view name);

} // namespace sunder::cli
