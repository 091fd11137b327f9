#include "cli/report_page.h"

#include "support/format.h"
#include "support/text.h"

#include <algorithm>

namespace sunder::cli {
namespace {

constexpr std::size_t kLongestText = 400; ///< bytes of a sentence in Markdown
constexpr std::size_t kLongestName = 120; ///< likewise
constexpr std::size_t kNoteBytes = 200; ///< kept free for the note about what was left out

/// Returns the display width in characters. Wide characters are rare in names.
std::size_t widthOf(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

/// Cuts a text at the end of a character.
std::string shortened(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return std::string(text);
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80U)
        --bytes;
    return std::string(text.substr(0, bytes)) + "…";
}

/// Keeps each figure of "30.0 MB → 43.6 MB (+45 %)" in one line.
std::string unbroken(std::string_view figures)
{
    std::string text;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool isBreak = figures.substr(i + 1).starts_with("→") || figures.substr(0, i).ends_with("→")
            || figures.substr(i + 1).starts_with("(");
        text += figures[i] == ' ' && !isBreak ? std::string("\u00a0") : std::string(1, figures[i]);
    }
    return text;
}

std::string moreText(std::size_t more)
{
    return "and " + formatCount(more) + " more";
}

bool isPlain(char c)
{
    return isAsciiDigit(c) || (isAsciiLetter(c) && c != '_') || static_cast<unsigned char>(c) >= 0x80U
        || std::string_view(",;'\"()/%?=+-.!:").find(c) != std::string_view::npos;
}

/// Returns whether a word means nothing to Markdown: no link, emphasis, mention, HTML, and no mark of a list or heading.
bool isPlainWord(std::string_view word, bool isFirst)
{
    if (!std::ranges::all_of(word, isPlain) || word.find("://") != std::string_view::npos)
        return false;
    if (word.find("www.") != std::string_view::npos || word.find("WWW.") != std::string_view::npos)
        return false;
    if (word.find(':') < word.size() - 1) // :emoji:
        return false;
    const auto isOf = [word](auto is) { return std::ranges::any_of(word, is); };
    if (isOf([](char c) { return isAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80U; }))
        return true;
    if (isOf(isAsciiDigit)) // "1." and "1)" begin a list
        return !(isFirst && isAsciiNumber(word.substr(0, word.size() - 1)) && (word.back() == '.' || word.back() == ')'));
    return word.front() == '%' || word == "/"; // not "-", "+", and "==="
}

/// Writes a page within a number of bytes.
class MarkdownWriter final {
public:
    explicit MarkdownWriter(std::size_t limit) : m_limit(limit > kNoteBytes ? limit - kNoteBytes : 0) {}

    std::string write(const ReportPage& page)
    {
        (void)add("### " + std::string(page.isGood ? "✅ " : "❌ ") + markdownSentence(page.title) + "\n");
        for (const std::string& sentence : page.sentences)
            (void)add("\n" + markdownSentence(sentence) + "\n");
        for (const ReportSection& section : page.sections)
            write(section);
        if (!page.notes.empty())
            write({.title = "Notes", .items = itemsOf(page.notes), .isFolded = true});
        if (m_isFull)
            m_out += "\n*The report is too long: its end was left out. The output of the command has all of it.*\n";
        return std::move(m_out);
    }

private:
    static std::vector<ReportItem> itemsOf(const std::vector<std::string>& texts)
    {
        std::vector<ReportItem> items;
        items.reserve(texts.size());
        for (const std::string& text : texts)
            items.push_back({text});
        return items;
    }

    /// Adds a text unless the page is full; nothing follows then, so that the page has no gaps.
    bool add(const std::string& text, std::size_t reserved = 0)
    {
        m_isFull = m_isFull || m_out.size() + text.size() + reserved > m_limit;
        if (!m_isFull)
            m_out += text;
        return !m_isFull;
    }

    void write(const ReportSection& section)
    {
        constexpr std::string_view kEnd = "\n</details>\n";
        const std::string title = markdownSentence(section.title);
        const std::size_t reserved = section.isFolded ? kEnd.size() : 0;
        // A heading within <summary> is not read as Markdown.
        if (!add(section.isFolded ? "\n<details>\n<summary>" + title + "</summary>\n" : "\n#### " + title + "\n", reserved))
            return;
        for (const std::string& sentence : section.sentences)
            (void)add("\n" + markdownSentence(sentence) + "\n", reserved);
        writeTable(section.table, reserved);
        writeItems(section.items, reserved);
        writeCommands(section.commands, reserved);
        if (section.isFolded)
            m_out += kEnd;
    }

    void writeTable(const ReportTable& table, std::size_t reserved)
    {
        using Kind = ReportTable::Column::Kind;
        if (table.rows.empty())
            return;
        std::string head = "\n|";
        std::string rule = "|";
        for (const ReportTable::Column& column : table.columns) {
            head += " " + markdownSentence(column.title) + " |";
            rule += column.kind == Kind::figure ? " --: |" : " --- |";
        }
        (void)add(head + "\n" + rule + "\n", reserved);
        for (std::size_t i = 0; i < std::min(kReportRows, table.rows.size()); ++i) {
            std::string line = "|";
            for (std::size_t k = 0; k < table.columns.size(); ++k) {
                const std::string& cell = table.rows[i][k];
                const Kind kind = table.columns[k].kind;
                line += " "
                    + (kind == Kind::name && !cell.empty() ? markdownCode(cell)
                           : kind == Kind::figure          ? unbroken(markdownSentence(cell))
                                                           : markdownSentence(cell))
                    + " |";
            }
            (void)add(line + "\n", reserved);
        }
        if (table.rows.size() > kReportRows)
            (void)add("\n" + moreText(table.rows.size() - kReportRows) + "\n", reserved);
    }

    void writeItems(const std::vector<ReportItem>& items, std::size_t reserved)
    {
        if (!items.empty())
            (void)add("\n", reserved);
        for (std::size_t i = 0; i < std::min(kReportRows, items.size()); ++i) {
            (void)add("- " + markdownSentence(items[i].text) + "\n", reserved);
            for (const std::string& below : items[i].below)
                (void)add("  - " + markdownSentence(below) + "\n", reserved);
        }
        if (items.size() > kReportRows)
            (void)add("- " + moreText(items.size() - kReportRows) + "\n", reserved);
    }

    void writeCommands(const std::vector<std::string>& commands, std::size_t reserved)
    {
        if (commands.empty())
            return;
        std::string block = "\n";
        for (const std::string& command : commands)
            block += "    " + visibleText(command) + "\n"; // code by its indentation
        (void)add(block, reserved);
    }

    std::string m_out;
    std::size_t m_limit;
    bool m_isFull = false;
};

void addTable(const ReportTable& table, std::vector<std::string>& lines)
{
    if (table.rows.empty())
        return;
    const std::size_t shown = std::min(kReportRows, table.rows.size());
    std::vector<std::size_t> widths;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        widths.push_back(widthOf(table.columns[k].title));
        for (std::size_t i = 0; i < shown; ++i)
            widths[k] = std::max(widths[k], widthOf(visibleText(table.rows[i][k])));
    }
    const auto addLine = [&](const auto& cellOf) {
        std::string line = " ";
        for (std::size_t k = 0; k < table.columns.size(); ++k) {
            const std::string cell = visibleText(cellOf(k));
            const std::string gap(widths[k] - widthOf(cell), ' ');
            line += " " + (table.columns[k].kind == ReportTable::Column::Kind::figure ? gap + cell : cell + gap) + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(line);
    };
    addLine([&](std::size_t k) { return table.columns[k].title; });
    for (std::size_t i = 0; i < shown; ++i)
        addLine([&](std::size_t k) { return table.rows[i][k]; });
    if (table.rows.size() > shown)
        lines.push_back("  " + moreText(table.rows.size() - shown));
}

} // namespace

std::vector<std::string> plainLines(const ReportPage& page)
{
    std::vector<std::string> lines{page.title};
    lines.insert(lines.end(), page.sentences.begin(), page.sentences.end());
    for (const ReportSection& section : page.sections) {
        lines.emplace_back();
        lines.push_back(section.title);
        for (const std::string& sentence : section.sentences)
            lines.push_back("  " + sentence);
        addTable(section.table, lines);
        for (const ReportItem& item : section.items) {
            lines.push_back("  " + item.text);
            for (const std::string& below : item.below)
                lines.push_back("    " + below);
        }
        for (const std::string& command : section.commands)
            lines.push_back("  " + command);
    }
    return lines;
}

std::string markdownText(const ReportPage& page, std::size_t limit)
{
    return MarkdownWriter(limit).write(page);
}

std::string markdownCode(std::string_view name)
{
    const std::string text = shortened(visibleText(name), kLongestName);
    constexpr std::string_view kUnsafe = "`|\\<>&$";
    if (text.find_first_of(kUnsafe) == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ') && !text.empty())
        return "`" + text + "`";
    // Entities are decoded after Markdown has found code, cells, and links.
    std::string code = "<code>";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isSafe = byte >= 0x80U || isAsciiDigit(c) || (isAsciiLetter(c) && c != '_');
        code += isSafe ? std::string(1, c) : "&#" + std::to_string(byte) + ";";
    }
    return code + "</code>";
}

std::string markdownSentence(std::string_view text)
{
    const std::string visible = shortened(visibleText(text), kLongestText);
    std::string sentence;
    for (std::size_t at = 0; at < visible.size();) {
        const std::size_t end = std::min(visible.find(' ', at), visible.size());
        const std::string_view word = std::string_view(visible).substr(at, end - at);
        constexpr std::string_view kAround = "\"(),;:'.";
        const std::size_t first = std::min(word.find_first_not_of("\"('"), word.size());
        const std::size_t last = word.find_last_not_of(kAround);
        sentence += sentence.empty() ? "" : " ";
        if (word.empty() || isPlainWord(word, sentence.empty())) {
            sentence += word;
        } else if (last == std::string_view::npos || first > last) {
            sentence += markdownCode(word);
        } else {
            sentence += word.substr(0, first);
            sentence += markdownCode(word.substr(first, last + 1 - first));
            sentence += word.substr(last + 1);
        }
        at = end + 1;
    }
    return sentence;
}

} // namespace sunder::cli
