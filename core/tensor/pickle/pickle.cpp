#include "tensor/pickle/pickle.h"

#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace pipescope::tensor {

namespace {

constexpr std::size_t NodeLimit = 4'000'000;

/// What the reader throws inside this file; readPickle turns it into an Error.
class Damaged : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

class Reader
{
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    Pickle read()
    {
        while (true) {
            const auto opcode = static_cast<unsigned char>(take(1).front());
            if (opcode == '.') {
                m_pickle.root = pop();
                return std::move(m_pickle);
            }
            if (!readScalar(opcode) && !readText(opcode) && !readContainer(opcode) && !readMemo(opcode) &&
                !readCall(opcode))
                throw Damaged(fmt::format("its opcode 0x{:02x} is none that torch.save writes", opcode));
        }
    }

    [[nodiscard]] std::size_t position() const { return m_position; }

private:
    std::string_view take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_position)
            throw Damaged("it ends too early");
        const std::string_view result = m_bytes.substr(m_position, count);
        m_position += count;
        return result;
    }

    /// A little-endian number of up to 8 bytes.
    std::uint64_t number(std::size_t width)
    {
        std::uint64_t result = 0;
        const std::string_view bytes = take(width);
        for (std::size_t i = 0; i < width; ++i)
            result |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
        return result;
    }

    std::string_view line()
    {
        const std::size_t end = m_bytes.find('\n', m_position);
        if (end == std::string_view::npos)
            throw Damaged("it ends too early");
        const std::string_view result = take(end - m_position);
        take(1);
        return result;
    }

    template <class T>
    void push(T value)
    {
        if (m_pickle.nodes.size() >= NodeLimit)
            throw Damaged(fmt::format("it holds more than {} values", NodeLimit));
        m_stack.push_back(static_cast<PickleRef>(m_pickle.nodes.size()));
        m_pickle.nodes.push_back({std::move(value)});
    }

    /// The top of the stack, above the last mark.
    [[nodiscard]] PickleRef pop()
    {
        const PickleRef ref = top();
        m_stack.pop_back();
        return ref;
    }

    [[nodiscard]] PickleRef top() const
    {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            throw Damaged("it takes a value that is not there");
        return m_stack.back();
    }

    /// Everything above the last mark, which goes too.
    PickleNode::Items popMarked()
    {
        if (m_marks.empty())
            throw Damaged("a mark is missing");
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        PickleNode::Items items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return items;
    }

    PickleNode::Items popItems(std::size_t count)
    {
        PickleNode::Items items(count);
        for (std::size_t i = count; i > 0; --i)
            items[i - 1] = pop();
        return items;
    }

    /// Two's complement, as Python writes big integers.
    std::int64_t longInteger(std::uint64_t width)
    {
        if (width > 8)
            throw Damaged("it holds an integer of more than 64 bits");
        if (width == 0)
            return 0;
        const std::uint64_t bits = number(width);
        const auto unused = static_cast<int>(64 - 8 * width);
        return static_cast<std::int64_t>(bits << unused) >> unused;
    }

    double bigEndianDouble()
    {
        const std::string_view bytes = take(8);
        std::uint64_t bits = 0;
        for (const char byte : bytes)
            bits = bits << 8 | static_cast<unsigned char>(byte);
        double result = 0;
        std::memcpy(&result, &bits, sizeof result);
        return result;
    }

    bool readScalar(unsigned char opcode)
    {
        switch (opcode) {
        case 0x80: // PROTO
            if (const std::uint64_t version = number(1); version < 2 || version > 5)
                throw Damaged(fmt::format("its protocol {} is not one of 2 to 5", version));
            return true;
        case 0x95: // FRAME
            take(8);
            return true;
        case 'N':
            push(PickleNode::None{});
            return true;
        case 0x88: // NEWTRUE
            push(true);
            return true;
        case 0x89: // NEWFALSE
            push(false);
            return true;
        case 'J': // BININT
            push(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4))));
            return true;
        case 'K': // BININT1
            push(static_cast<std::int64_t>(number(1)));
            return true;
        case 'M': // BININT2
            push(static_cast<std::int64_t>(number(2)));
            return true;
        case 0x8a: // LONG1
            push(longInteger(number(1)));
            return true;
        case 'G': // BINFLOAT
            push(bigEndianDouble());
            return true;
        default:
            return false;
        }
    }

    bool readText(unsigned char opcode)
    {
        switch (opcode) {
        case 'X': // BINUNICODE
            push(std::string(take(number(4))));
            return true;
        case 0x8c: // SHORT_BINUNICODE
            push(std::string(take(number(1))));
            return true;
        case 'B': // BINBYTES
            take(number(4));
            push(PickleNode::Bytes{});
            return true;
        case 'C': // SHORT_BINBYTES
            take(number(1));
            push(PickleNode::Bytes{});
            return true;
        default:
            return false;
        }
    }

    bool readContainer(unsigned char opcode)
    {
        switch (opcode) {
        case '(':
            m_marks.push_back(m_stack.size());
            return true;
        case ')':
            push(PickleNode::Tuple{});
            return true;
        case ']':
            push(PickleNode::List{});
            return true;
        case '}':
            push(PickleNode::Dict{});
            return true;
        case 't':
            push(PickleNode::Tuple{popMarked()});
            return true;
        case 0x85: // TUPLE1
        case 0x86:
        case 0x87: // TUPLE3
            push(PickleNode::Tuple{popItems(opcode - 0x84U)});
            return true;
        case 'a': // APPEND
            appendAll(popItems(1));
            return true;
        case 'e': // APPENDS
            appendAll(popMarked());
            return true;
        case 's': // SETITEM
            setAll(popItems(2));
            return true;
        case 'u': // SETITEMS
            setAll(popMarked());
            return true;
        default:
            return false;
        }
    }

    void appendAll(const PickleNode::Items &items)
    {
        auto *list = std::get_if<PickleNode::List>(&m_pickle.nodes[top()].node);
        if (list == nullptr)
            throw Damaged("it appends to something that is no list");
        list->items.insert(list->items.end(), items.begin(), items.end());
    }

    void setAll(const PickleNode::Items &items)
    {
        PickleNode &target = m_pickle.nodes[top()];
        PickleNode::Entries *entries = nullptr;
        if (auto *dict = std::get_if<PickleNode::Dict>(&target.node))
            entries = &dict->entries;
        else if (auto *call = std::get_if<PickleNode::Call>(&target.node))
            entries = &call->entries;
        if (entries == nullptr || items.size() % 2 != 0)
            throw Damaged("it sets entries of something that is no dict");
        for (std::size_t i = 0; i < items.size(); i += 2)
            entries->emplace_back(items[i], items[i + 1]);
    }

    bool readMemo(unsigned char opcode)
    {
        switch (opcode) {
        case 'q': // BINPUT
            m_memo[number(1)] = top();
            return true;
        case 'r': // LONG_BINPUT
            m_memo[number(4)] = top();
            return true;
        case 0x94: // MEMOIZE
            m_memo[m_memo.size()] = top();
            return true;
        case 'h': // BINGET
            pushMemo(number(1));
            return true;
        case 'j': // LONG_BINGET
            pushMemo(number(4));
            return true;
        default:
            return false;
        }
    }

    void pushMemo(std::uint64_t index)
    {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            throw Damaged(fmt::format("it refers to value {}, which is not there", index));
        m_stack.push_back(found->second);
    }

    bool readCall(unsigned char opcode)
    {
        switch (opcode) {
        case 'c': { // GLOBAL
            const std::string_view module = line();
            push(PickleNode::Global{fmt::format("{}.{}", module, line())});
            return true;
        }
        case 0x93: { // STACK_GLOBAL
            const PickleNode::Items names = popItems(2);
            const auto *module = std::get_if<std::string>(&m_pickle.at(names[0]).node);
            const auto *name = std::get_if<std::string>(&m_pickle.at(names[1]).node);
            if (module == nullptr || name == nullptr)
                throw Damaged("a name in it is no text");
            push(PickleNode::Global{fmt::format("{}.{}", *module, *name)});
            return true;
        }
        case 'R':    // REDUCE
        case 0x81: { // NEWOBJ
            const PickleNode::Items call = popItems(2);
            push(PickleNode::Call{call[0], call[1], {}});
            return true;
        }
        case 'b': // BUILD: the state of an object, such as the version numbers of a state dict
            m_stack.push_back(popItems(2).front());
            return true;
        case 'Q': // BINPERSID
            push(PickleNode::Persistent{pop()});
            return true;
        default:
            return false;
        }
    }

    std::string_view m_bytes;
    std::size_t m_position = 0;
    Pickle m_pickle;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, PickleRef> m_memo;
};

} // namespace

Result<Pickle> readPickle(std::string_view bytes)
{
    Reader reader(bytes);
    try {
        return reader.read();
    } catch (const Damaged &damage) {
        return Error{ErrorCode::InvalidFile,
                     fmt::format("its pickle cannot be read: {} (at byte {})", damage.what(), reader.position()),
                     {},
                     {}};
    }
}

} // namespace pipescope::tensor
