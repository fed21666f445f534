#include "archive/pickle_machine.h"

#include "archive/pickle_opcodes.h"
#include "base/text.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace pipescope::archive {

namespace {

using NodeKind = PickleNode::Kind;

} // namespace

void PickleMachine::run()
{
    std::size_t count = 0;
    while (m_problem.empty() && !m_stopped) {
        m_opcodeAt = m_at;
        const auto code = static_cast<unsigned char>(takeNumber(1));
        if (!m_problem.empty())
            break;
        const PickleStep step = pickleStep(m_dialect, code);
        if (step == nullptr)
            fail(isTorchScript() ? fmt::format("0x{:02x} is not an opcode TorchScript uses", code)
                                 : fmt::format("its opcode 0x{:02x} is none that torch.save writes", code));
        else if (++count > MaxPickleSteps)
            fail(fmt::format("it holds more than {} values", MaxPickleSteps));
        else
            step(*this);
    }
    if (m_problem.empty())
        m_tree.root = pop();
}

void PickleMachine::fail(std::string reason, ErrorCode code)
{
    if (!m_problem.empty())
        return;
    m_problem = std::move(reason);
    m_problemCode = code;
}

void PickleMachine::failOfLongName()
{
    fail(fmt::format("the name of a class is longer than {}", formatBytes(MaxGlobalName)), ErrorCode::Unsupported);
}

std::string_view PickleMachine::take(std::uint64_t count)
{
    if (count > m_bytes.size() - m_at) {
        fail(isTorchScript() ? "it ends in the middle of a value" : "it ends too early");
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
        fail(isTorchScript() ? "it ends in the middle of a name" : "it ends too early");
        return {};
    }
    const std::string_view line = take(end - m_at);
    m_at = end + 1;
    return line;
}

void PickleMachine::checkProtocol()
{
    const std::uint64_t version = takeNumber(1);
    if (version < 2 || version > 5)
        fail(fmt::format("its protocol {} is not one of 2 to 5", version));
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
    if (!isTorchScript() && m_tree.nodes.size() >= MaxTorchSaveNodes)
        return fail(fmt::format("it holds more than {} values", MaxTorchSaveNodes));
    m_tree.nodes.push_back(std::move(node));
    m_stack.push_back(PickleRef{static_cast<int>(m_tree.nodes.size() - 1)});
}

void PickleMachine::pushNew(NodeKind kind, std::vector<PickleRef> items)
{
    push({kind, 0, 0, {}, std::move(items)});
}

void PickleMachine::pushInteger(NodeKind kind, std::int64_t value)
{
    push({kind, value, 0, {}, {}});
}

void PickleMachine::pushFloat()
{
    // Big-endian, unlike every other number of the format.
    std::uint64_t bits = 0;
    for (const char byte : take(8))
        bits = bits << 8 | static_cast<unsigned char>(byte);
    push({NodeKind::Float, 0, std::bit_cast<double>(bits), {}, {}});
}

void PickleMachine::pushText(NodeKind kind, std::size_t lengthWidth)
{
    push({kind, 0, 0, take(takeNumber(lengthWidth)), {}});
}

void PickleMachine::pushLong()
{
    const std::string_view bytes = take(takeNumber(1));
    if (bytes.size() > 8 && !isTorchScript())
        return fail("it holds an integer of more than 64 bits");
    if (bytes.size() > 8)
        return push({NodeKind::Text, 0, 0, bytes, {}});
    std::uint64_t value = !bytes.empty() && (bytes.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    pushInteger(NodeKind::Int, static_cast<std::int64_t>(value));
}

void PickleMachine::pushGlobal()
{
    const std::size_t begin = m_at;
    takeLine();
    takeLine();
    if (m_at - begin > MaxGlobalName)
        failOfLongName();
    if (m_problem.empty())
        push({NodeKind::Global, 0, 0, m_bytes.substr(begin, m_at - begin - 1), {}});
}

void PickleMachine::pushStackGlobal()
{
    std::vector<PickleRef> names = popItems(2);
    if (!m_problem.empty())
        return;
    const PickleNode &module = m_tree.node(names[0]);
    const PickleNode &name = m_tree.node(names[1]);
    if (module.kind != NodeKind::Text || name.kind != NodeKind::Text)
        return fail("a name in it is no text");
    if (module.text.size() + name.text.size() > MaxGlobalName)
        return failOfLongName();
    pushNew(NodeKind::Global, std::move(names));
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

void PickleMachine::extend(NodeKind container, const std::vector<PickleRef> &items)
{
    const PickleRef top = pop();
    if (!m_problem.empty())
        return;
    m_stack.push_back(top);
    PickleNode &node = m_tree.nodes[top.index()];
    // An OrderedDict is a call whose result is filled.
    const bool isFilledCall = container == NodeKind::Dict && node.kind == NodeKind::Call && !isTorchScript();
    if (node.kind != container && !isFilledCall)
        return fail("a value is put into something that does not hold such");
    if (container == NodeKind::Dict && items.size() % 2 != 0)
        return fail("a key of a dict has no value");
    node.items.insert(node.items.end(), items.begin(), items.end());
}

void PickleMachine::keepState()
{
    const std::vector<PickleRef> items = popItems(2);
    if (!m_problem.empty())
        return;
    PickleNode &target = m_tree.nodes[items[0].index()];
    if ((target.kind != NodeKind::Object && target.kind != NodeKind::Call) || target.items.size() != 2)
        return fail("a state is given to something that takes none");
    target.items.push_back(items[1]);
    m_stack.push_back(items[0]);
}

/// The state of an object is no part of a value: the version numbers of a state dict.
void PickleMachine::dropState()
{
    const std::vector<PickleRef> items = popItems(2);
    m_stack.push_back(items[0]);
}

void PickleMachine::memoise(std::uint64_t key)
{
    // Writers number upwards; a huge key would make LibTorch's own reader reserve a table of that size.
    if (key > m_bytes.size())
        return fail("it numbers a value beyond its own size");
    const PickleRef top = pop();
    if (!m_problem.empty())
        return;
    m_stack.push_back(top);
    m_memo[key] = top;
}

void PickleMachine::recall(std::uint64_t key)
{
    const auto found = m_memo.find(key);
    if (found == m_memo.end())
        return fail(isTorchScript() ? "it refers to a value it does not have"
                                    : fmt::format("it refers to value {}, which is not there", key));
    m_stack.push_back(found->second);
}

} // namespace pipescope::archive
