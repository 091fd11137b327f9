#include "io/torch_save/pickle_tree.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <unordered_map>

namespace sunder {
namespace {

using PickleKind = PickleValue::Kind;

constexpr std::uint32_t kMark = 0xffffffffU;

class PickleWalker {
public:
    explicit PickleWalker(std::string_view bytes) : m_bytes(bytes) {}

    Result<PickleTree> run()
    {
        while (!m_isDone && m_fault.empty()) {
            m_place = m_at;
            const auto opcode = static_cast<unsigned char>(take(1).empty() ? '\0' : m_bytes[m_place]);
            if (m_fault.empty() && !step(opcode) && m_fault.empty())
                m_fault = "an unknown opcode";
        }
        if (m_fault.empty() && (m_stack.empty() || m_stack.back() == kMark))
            m_fault = "no value";
        if (!m_fault.empty())
            return fail(ErrorCode::malformed, "is a damaged pickle: " + m_fault + " at byte " + std::to_string(m_place));
        m_tree.root = m_stack.back();
        return std::move(m_tree);
    }

private:
    std::string_view take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_at) {
            m_fault = "it is truncated";
            m_at = m_bytes.size();
            return {};
        }
        const std::string_view piece = m_bytes.substr(m_at, static_cast<std::size_t>(count));
        m_at += static_cast<std::size_t>(count);
        return piece;
    }

    std::uint64_t number(unsigned bytes)
    {
        std::uint64_t value = 0;
        const std::string_view piece = take(bytes);
        for (std::size_t i = piece.size(); i-- > 0;)
            value = value << 8U | static_cast<unsigned char>(piece[i]);
        return value;
    }

    std::string_view line()
    {
        const std::size_t end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos) {
            m_fault = "it is truncated";
            return {};
        }
        const std::string_view text = m_bytes.substr(m_at, end - m_at);
        m_at = end + 1;
        return text;
    }

    bool push(PickleValue value)
    {
        m_stack.push_back(static_cast<std::uint32_t>(m_tree.values.size()));
        m_tree.values.push_back(std::move(value));
        return true;
    }

    bool pushInteger(std::int64_t value) { return push({.kind = PickleKind::integer, .integer = value}); }
    bool pushText(std::string_view text, PickleKind kind = PickleKind::text)
    {
        return push({.kind = kind, .text = std::string(text)});
    }

    std::uint32_t pop()
    {
        if (m_stack.empty() || m_stack.back() == kMark) {
            m_fault = "the stack is empty";
            return 0;
        }
        const std::uint32_t value = m_stack.back();
        m_stack.pop_back();
        return value;
    }

    std::vector<std::uint32_t> popTo(std::size_t count)
    {
        std::vector<std::uint32_t> values(count);
        for (std::size_t i = count; i-- > 0 && m_fault.empty();)
            values[i] = pop();
        return values;
    }

    std::vector<std::uint32_t> popToMark()
    {
        std::size_t start = m_stack.size();
        while (start > 0 && m_stack[start - 1] != kMark)
            --start;
        if (start == 0) {
            m_fault = "there is no mark";
            return {};
        }
        std::vector<std::uint32_t> values(m_stack.begin() + static_cast<std::ptrdiff_t>(start), m_stack.end());
        m_stack.resize(start - 1);
        return values;
    }

    bool pushItems(PickleKind kind, std::vector<std::uint32_t> items) { return push({.kind = kind, .items = std::move(items)}); }

    /// Adds values to the container on top of the stack.
    bool extend(const std::vector<std::uint32_t>& values)
    {
        if (m_stack.empty() || m_stack.back() == kMark) {
            m_fault = "the stack is empty";
            return true;
        }
        PickleValue& top = m_tree.values[m_stack.back()];
        std::vector<std::uint32_t>& into = top.is(PickleKind::call) ? top.entries : top.items;
        into.insert(into.end(), values.begin(), values.end());
        return true;
    }

    bool build()
    {
        const std::uint32_t state = pop();
        if (m_fault.empty() && (m_stack.empty() || m_stack.back() == kMark))
            m_fault = "the stack is empty";
        else if (m_fault.empty())
            m_tree.values[m_stack.back()].state = state;
        return true;
    }

    bool memoize(std::uint64_t number)
    {
        if (m_stack.empty() || m_stack.back() == kMark)
            m_fault = "the stack is empty";
        else
            m_memo[number] = m_stack.back();
        return true;
    }

    bool recall(std::uint64_t number)
    {
        const auto found = m_memo.find(number);
        if (found == m_memo.end())
            m_fault = "it uses a value that was not stored";
        else
            m_stack.push_back(found->second);
        return true;
    }

    bool pushLong(std::string_view bytes)
    {
        if (bytes.size() > 8)
            return push({.kind = PickleKind::other});
        std::uint64_t value = bytes.empty() || static_cast<signed char>(bytes.back()) >= 0 ? 0 : ~std::uint64_t{0};
        for (std::size_t i = bytes.size(); i-- > 0;)
            value = value << 8U | static_cast<unsigned char>(bytes[i]);
        return pushInteger(static_cast<std::int64_t>(value));
    }

    bool pushDecimal(std::string_view text)
    {
        if (text.ends_with('L'))
            text.remove_suffix(1);
        if (text == "00" || text == "01")
            return push({.kind = PickleKind::boolean, .integer = text == "01" ? 1 : 0});
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool isWhole = error == std::errc() && end == text.data() + text.size();
        return isWhole ? pushInteger(value) : push({.kind = PickleKind::other});
    }

    bool pushDouble()
    {
        std::uint64_t bits = 0;
        for (const char c : take(8))
            bits = bits << 8U | static_cast<unsigned char>(c);
        return push({.kind = PickleKind::floating, .floating = std::bit_cast<double>(bits)});
    }

    bool pushGlobal(std::string_view module, std::string_view name)
    {
        return pushText(std::string(module) + " " + std::string(name), PickleKind::global);
    }

    bool pushStackGlobal()
    {
        const std::vector<std::uint32_t> names = popTo(2);
        return !m_fault.empty() || pushGlobal(m_tree[names[0]].text, m_tree[names[1]].text);
    }

    bool pushNewWithKeywords()
    {
        std::vector<std::uint32_t> items = popTo(3);
        return pushItems(PickleKind::call, std::move(items));
    }

    bool step(unsigned char opcode)
    {
        switch (opcode) {
        case '.': return m_isDone = true;
        case 0x80: return take(1), true; // PROTO
        case 0x95: return take(8), true; // FRAME
        case '(': return m_stack.push_back(kMark), true;
        case '0': return popMarkOrValue();
        case '1': return popToMark(), true;
        case '2': return m_stack.empty() ? (m_fault = "the stack is empty", true) : (m_stack.push_back(m_stack.back()), true);
        case 'R':
        case 0x81: return pushItems(PickleKind::call, popTo(2)); // REDUCE, NEWOBJ
        case 0x92: return pushNewWithKeywords();
        case 'b': return build();
        case 'Q': return pushItems(PickleKind::persistent, popTo(1));
        case 'P': return pushText(line(), PickleKind::persistent);
        case 'c': return globalOfLines();
        case 0x93: return pushStackGlobal();
        case 'q': return memoize(number(1));
        case 'r': return memoize(number(4));
        case 0x94: return memoize(m_memo.size());
        case 'p': return memoize(decimalNumber());
        case 'h': return recall(number(1));
        case 'j': return recall(number(4));
        case 'g': return recall(decimalNumber());
        default: return stepContainer(opcode) || stepScalar(opcode);
        }
    }

    bool popMarkOrValue()
    {
        if (!m_stack.empty() && m_stack.back() == kMark)
            m_stack.pop_back();
        else
            pop();
        return true;
    }

    bool globalOfLines()
    {
        const std::string_view module = line();
        return pushGlobal(module, line());
    }

    std::uint64_t decimalNumber()
    {
        std::uint64_t value = 0;
        const std::string_view text = line();
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    }

    bool stepContainer(unsigned char opcode)
    {
        switch (opcode) {
        case ')': return pushItems(PickleKind::tuple, {});
        case 't': return pushItems(PickleKind::tuple, popToMark());
        case 0x85: return pushItems(PickleKind::tuple, popTo(1));
        case 0x86: return pushItems(PickleKind::tuple, popTo(2));
        case 0x87: return pushItems(PickleKind::tuple, popTo(3));
        case ']': return pushItems(PickleKind::list, {});
        case 'l': return pushItems(PickleKind::list, popToMark());
        case '}': return pushItems(PickleKind::dict, {});
        case 'd': return pushItems(PickleKind::dict, popToMark());
        case 0x8f: return pushItems(PickleKind::set, {});
        case 0x91: return pushItems(PickleKind::set, popToMark());
        case 'a': return extend(popTo(1));
        case 's': return extend(popTo(2));
        case 'e':
        case 'u':
        case 0x90: return extend(popToMark());
        default: return false;
        }
    }

    bool stepScalar(unsigned char opcode)
    {
        switch (opcode) {
        case 'N': return push({});
        case 0x88:
        case 0x89: return push({.kind = PickleKind::boolean, .integer = opcode == 0x88 ? 1 : 0});
        case 'K': return pushInteger(static_cast<std::int64_t>(number(1)));
        case 'M': return pushInteger(static_cast<std::int64_t>(number(2)));
        case 'J': return pushInteger(static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4))));
        case 'I':
        case 'L': return pushDecimal(line());
        case 0x8a: return pushLong(take(number(1)));
        case 0x8b: return pushLong(take(number(4)));
        case 'G': return pushDouble();
        case 'F': return push({.kind = PickleKind::floating, .floating = std::strtod(std::string(line()).c_str(), nullptr)});
        case 'X': return pushText(take(number(4)));
        case 0x8c: return pushText(take(number(1)));
        case 0x8d: return pushText(take(number(8)));
        case 'V':
        case 'S': return pushText(line());
        case 'T': return pushText(take(number(4)));
        case 'U': return pushText(take(number(1)));
        case 'B': return pushText(take(number(4)), PickleKind::bytes);
        case 'C': return pushText(take(number(1)), PickleKind::bytes);
        case 0x8e:
        case 0x96: return pushText(take(number(8)), PickleKind::bytes);
        default: return false;
        }
    }

    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_place = 0;
    std::string m_fault;
    bool m_isDone = false;
    PickleTree m_tree;
    std::vector<std::uint32_t> m_stack;
    std::unordered_map<std::uint64_t, std::uint32_t> m_memo;
};

} // namespace

bool PickleTree::isCall(std::uint32_t number, std::string_view global) const
{
    const PickleValue& value = values[number];
    return value.is(PickleKind::call) && values[value.items[0]].is(PickleKind::global) && values[value.items[0]].text == global;
}

const std::vector<std::uint32_t>* PickleTree::argumentsOf(std::uint32_t number) const
{
    const PickleValue& value = values[number];
    return value.is(PickleKind::call) && values[value.items[1]].is(PickleKind::tuple) ? &values[value.items[1]].items : nullptr;
}

Result<PickleTree> readPickle(std::string_view bytes)
{
    return PickleWalker(bytes).run();
}

} // namespace sunder
