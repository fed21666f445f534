#include "archive/pickle_machine.h"

#include <array>
#include <bit>
#include <fmt/format.h>

namespace pipescope::archive {

namespace {

using Kind = PickleNode::Kind;
using Step = void (*)(PickleMachine &);

struct Opcode
{
    unsigned char code;
    Step step;
};

constexpr Opcode Opcodes[] = {
    {0x80, [](PickleMachine &m) { m.skip(1); }}, // PROTO
    {'.', [](PickleMachine &m) { m.stop(); }},
    {'(', [](PickleMachine &m) { m.mark(); }},
    {'N', [](PickleMachine &m) { m.pushNew(Kind::None); }},
    {0x88, [](PickleMachine &m) { m.pushInteger(Kind::Bool, 1); }},
    {0x89, [](PickleMachine &m) { m.pushInteger(Kind::Bool, 0); }},
    {'K', [](PickleMachine &m) { m.pushInteger(Kind::Int, static_cast<std::int64_t>(m.takeNumber(1))); }},
    {'M', [](PickleMachine &m) { m.pushInteger(Kind::Int, static_cast<std::int64_t>(m.takeNumber(2))); }},
    {'J', [](PickleMachine &m) { m.pushInteger(Kind::Int, static_cast<std::int32_t>(m.takeNumber(4))); }},
    {0x8a, [](PickleMachine &m) { m.pushLong(); }},
    {'G', [](PickleMachine &m) { m.pushFloat(); }},
    {'C', [](PickleMachine &m) { m.pushText(1); }},
    {'X', [](PickleMachine &m) { m.pushText(4); }},
    {'B', [](PickleMachine &m) { m.pushText(4); }},
    {0x8d, [](PickleMachine &m) { m.pushText(8); }},
    {'c', [](PickleMachine &m) { m.pushGlobal(); }},
    {')', [](PickleMachine &m) { m.pushNew(Kind::Tuple); }},
    {'t', [](PickleMachine &m) { m.pushNew(Kind::Tuple, m.popToMark()); }},
    {0x85, [](PickleMachine &m) { m.pushNew(Kind::Tuple, m.popItems(1)); }},
    {0x86, [](PickleMachine &m) { m.pushNew(Kind::Tuple, m.popItems(2)); }},
    {0x87, [](PickleMachine &m) { m.pushNew(Kind::Tuple, m.popItems(3)); }},
    {']', [](PickleMachine &m) { m.pushNew(Kind::List); }},
    {'l', [](PickleMachine &m) { m.pushNew(Kind::List, m.popToMark()); }},
    {'a', [](PickleMachine &m) { m.extend(Kind::List, m.popItems(1)); }},
    {'e', [](PickleMachine &m) { m.extend(Kind::List, m.popToMark()); }},
    {'}', [](PickleMachine &m) { m.pushNew(Kind::Dict); }},
    {'s', [](PickleMachine &m) { m.extend(Kind::Dict, m.popItems(2)); }},
    {'u', [](PickleMachine &m) { m.extend(Kind::Dict, m.popToMark()); }},
    {'d',
     [](PickleMachine &m) {
         const std::vector<PickleRef> items = m.popToMark();
         m.pushNew(Kind::Dict);
         m.extend(Kind::Dict, items);
     }},
    {'R', [](PickleMachine &m) { m.pushNew(Kind::Call, m.popItems(2)); }},
    {0x81, [](PickleMachine &m) { m.pushNew(Kind::Object, m.popItems(2)); }},
    {'b', [](PickleMachine &m) { m.build(); }},
    {'Q', [](PickleMachine &m) { m.pushNew(Kind::Persistent, m.popItems(1)); }},
    {'q', [](PickleMachine &m) { m.memoise(1); }},
    {'r', [](PickleMachine &m) { m.memoise(4); }},
    {'h', [](PickleMachine &m) { m.recall(1); }},
    {'j', [](PickleMachine &m) { m.recall(4); }},
};

std::array<Step, 256> stepByCode()
{
    std::array<Step, 256> steps{};
    for (const Opcode &opcode : Opcodes)
        steps[opcode.code] = opcode.step;
    return steps;
}

} // namespace

void PickleMachine::run()
{
    static const std::array<Step, 256> steps = stepByCode();
    std::size_t count = 0;
    while (m_problem.empty() && !m_stopped) {
        m_opcodeAt = m_at;
        const auto code = static_cast<unsigned char>(takeNumber(1));
        if (!m_problem.empty())
            break;
        if (steps[code] == nullptr)
            fail(fmt::format("0x{:02x} is not an opcode TorchScript uses", code));
        else if (++count > MaxPickleSteps)
            fail(fmt::format("it holds more than {} values", MaxPickleSteps));
        else
            steps[code](*this);
    }
    if (m_problem.empty())
        m_tree.root = pop();
}

void PickleMachine::fail(std::string reason)
{
    if (m_problem.empty())
        m_problem = std::move(reason);
}

std::string_view PickleMachine::take(std::uint64_t count)
{
    if (count > m_bytes.size() - m_at) {
        fail("it ends in the middle of a value");
        return {};
    }
    const std::string_view taken = m_bytes.substr(m_at, count);
    m_at += count;
    return taken;
}

std::string_view PickleMachine::takeLine()
{
    const std::size_t end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos) {
        fail("it ends in the middle of a name");
        return {};
    }
    const std::string_view line = take(end - m_at);
    m_at = end + 1;
    return line;
}

std::uint64_t PickleMachine::takeNumber(std::size_t width)
{
    const std::string_view bytes = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

void PickleMachine::push(PickleNode node)
{
    m_tree.nodes.push_back(std::move(node));
    m_stack.push_back(PickleRef{static_cast<int>(m_tree.nodes.size() - 1)});
}

void PickleMachine::pushNew(Kind kind, std::vector<PickleRef> items)
{
    push({kind, 0, 0, {}, std::move(items)});
}

void PickleMachine::pushInteger(Kind kind, std::int64_t value)
{
    push({kind, value, 0, {}, {}});
}

void PickleMachine::pushFloat()
{
    // Big-endian, unlike every other number of the format.
    std::uint64_t bits = 0;
    for (const char byte : take(8))
        bits = bits << 8 | static_cast<unsigned char>(byte);
    push({Kind::Float, 0, std::bit_cast<double>(bits), {}, {}});
}

void PickleMachine::pushText(std::size_t lengthWidth)
{
    push({Kind::Text, 0, 0, take(takeNumber(lengthWidth)), {}});
}

void PickleMachine::pushLong()
{
    const std::string_view bytes = take(takeNumber(1));
    if (bytes.size() > 8)
        return push({Kind::Text, 0, 0, bytes, {}});
    std::uint64_t value = !bytes.empty() && (bytes.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    pushInteger(Kind::Int, static_cast<std::int64_t>(value));
}

void PickleMachine::pushGlobal()
{
    const std::size_t begin = m_at;
    takeLine();
    takeLine();
    if (m_at - begin > MaxGlobalName)
        fail(fmt::format("the name of a class is longer than {} bytes", MaxGlobalName));
    if (m_problem.empty())
        push({Kind::Global, 0, 0, m_bytes.substr(begin, m_at - begin - 1), {}});
}

PickleRef PickleMachine::pop()
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() <= floor) {
        fail("a value is missing");
        return {};
    }
    const PickleRef top = m_stack.back();
    m_stack.pop_back();
    return top;
}

std::vector<PickleRef> PickleMachine::popToMark()
{
    if (m_marks.empty()) {
        fail("a mark is missing");
        return {};
    }
    const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<PickleRef> items(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    m_marks.pop_back();
    return items;
}

std::vector<PickleRef> PickleMachine::popItems(std::size_t count)
{
    std::vector<PickleRef> items(count);
    for (std::size_t i = count; i-- > 0;)
        items[i] = pop();
    return items;
}

void PickleMachine::extend(Kind container, const std::vector<PickleRef> &items)
{
    const PickleRef top = pop();
    if (!m_problem.empty())
        return;
    m_stack.push_back(top);
    PickleNode &node = m_tree.nodes[top.index()];
    if (node.kind != container)
        return fail("a value is put into something that does not hold such");
    if (container == Kind::Dict && items.size() % 2 != 0)
        return fail("a key of a dict has no value");
    node.items.insert(node.items.end(), items.begin(), items.end());
}

void PickleMachine::build()
{
    const std::vector<PickleRef> items = popItems(2);
    if (!m_problem.empty())
        return;
    PickleNode &target = m_tree.nodes[items[0].index()];
    if ((target.kind != Kind::Object && target.kind != Kind::Call) || target.items.size() != 2)
        return fail("a state is given to something that takes none");
    target.items.push_back(items[1]);
    m_stack.push_back(items[0]);
}

void PickleMachine::memoise(std::size_t keyWidth)
{
    const std::uint64_t key = takeNumber(keyWidth);
    // Writers number upwards; a huge key would make LibTorch's own reader reserve a table of that size.
    if (key > m_bytes.size())
        return fail("it numbers a value beyond its own size");
    const PickleRef top = pop();
    if (!m_problem.empty())
        return;
    m_stack.push_back(top);
    m_memo[key] = top;
}

void PickleMachine::recall(std::size_t keyWidth)
{
    const auto found = m_memo.find(takeNumber(keyWidth));
    if (found == m_memo.end())
        return fail("it refers to a value it does not have");
    m_stack.push_back(found->second);
}

} // namespace pipescope::archive
