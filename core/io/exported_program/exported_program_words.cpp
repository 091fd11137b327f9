#include "io/exported_program/exported_program_words.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sunder {
namespace {

constexpr std::size_t kWordsPiece = 1U << 14U;

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

} // namespace

void BareWordSource::endWord()
{
    constexpr std::array<std::string_view, 3> kWords = {"Infinity", "-Infinity", "NaN"};
    const bool isFloat = std::find(kWords.begin(), kWords.end(), m_word) != kWords.end();
    m_ready += isFloat ? "\"" + m_word + "\"" : m_word;
    m_word.clear();
}

void BareWordSource::take(std::string_view bytes)
{
    for (const char c : bytes) {
        if (m_isInString) {
            m_isInString = m_isEscaped || c != '"';
            m_isEscaped = !m_isEscaped && c == '\\';
            m_ready += c;
        } else if (isWordPart(c) && m_word.size() < 16) {
            m_word += c;
        } else {
            endWord();
            m_isInString = c == '"';
            m_ready += c;
        }
    }
}

Result<std::size_t> BareWordSource::read(std::span<char> buffer)
{
    if (m_given == m_ready.size()) {
        m_ready.clear();
        m_given = 0;
    }
    std::array<char, kWordsPiece> piece;
    while (m_ready.empty() && !m_isAtEnd) {
        const Result<std::size_t> count = m_source.read(piece);
        if (!count)
            return count;
        m_isAtEnd = *count == 0;
        if (m_isAtEnd)
            endWord();
        take({piece.data(), *count});
    }
    const std::size_t given = std::min(buffer.size(), m_ready.size() - m_given);
    std::memcpy(buffer.data(), m_ready.data() + m_given, given);
    m_given += given;
    return given;
}

} // namespace sunder
