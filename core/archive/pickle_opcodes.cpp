#include "archive/pickle_opcodes.h"

#include <array>
#include <cstdint>

namespace pipescope::archive {

namespace {

using NodeKind = PickleNode::Kind;
using Machine = PickleMachine;

enum class Used { Both, TorchScript, TorchSave };

struct Opcode
{
    unsigned char code;
    Used by;
    PickleStep step;
};

constexpr Opcode Opcodes[] = {
    {0x80, Used::TorchScript, [](Machine &m) { m.skip(1); }}, // PROTO
    {0x80, Used::TorchSave, [](Machine &m) { m.checkProtocol(); }},
    {0x95, Used::TorchSave, [](Machine &m) { m.skip(8); }}, // FRAME
    {'.', Used::Both, [](Machine &m) { m.stop(); }},
    {'(', Used::Both, [](Machine &m) { m.mark(); }},
    {'N', Used::Both, [](Machine &m) { m.pushNew(NodeKind::None); }},
    {0x88, Used::Both, [](Machine &m) { m.pushInteger(NodeKind::Bool, 1); }},
    {0x89, Used::Both, [](Machine &m) { m.pushInteger(NodeKind::Bool, 0); }},
    {'K', Used::Both, [](Machine &m) { m.pushInteger(NodeKind::Int, static_cast<std::int64_t>(m.takeNumber(1))); }},
    {'M', Used::Both, [](Machine &m) { m.pushInteger(NodeKind::Int, static_cast<std::int64_t>(m.takeNumber(2))); }},
    {'J', Used::Both, [](Machine &m) { m.pushInteger(NodeKind::Int, static_cast<std::int32_t>(m.takeNumber(4))); }},
    {0x8a, Used::Both, [](Machine &m) { m.pushLong(); }},
    {'G', Used::Both, [](Machine &m) { m.pushFloat(); }},
    {'X', Used::Both, [](Machine &m) { m.pushText(NodeKind::Text, 4); }},
    {0x8c, Used::TorchSave, [](Machine &m) { m.pushText(NodeKind::Text, 1); }},
    {0x8d, Used::TorchScript, [](Machine &m) { m.pushText(NodeKind::Text, 8); }},
    {'C', Used::TorchScript, [](Machine &m) { m.pushText(NodeKind::Text, 1); }},
    {'B', Used::TorchScript, [](Machine &m) { m.pushText(NodeKind::Text, 4); }},
    {'C', Used::TorchSave, [](Machine &m) { m.pushText(NodeKind::Bytes, 1); }},
    {'B', Used::TorchSave, [](Machine &m) { m.pushText(NodeKind::Bytes, 4); }},
    {'c', Used::Both, [](Machine &m) { m.pushGlobal(); }},
    {0x93, Used::TorchSave, [](Machine &m) { m.pushStackGlobal(); }},
    {')', Used::Both, [](Machine &m) { m.pushNew(NodeKind::Tuple); }},
    {'t', Used::Both, [](Machine &m) { m.pushNew(NodeKind::Tuple, m.popToMark()); }},
    {0x85, Used::Both, [](Machine &m) { m.pushNew(NodeKind::Tuple, m.popItems(1)); }},
    {0x86, Used::Both, [](Machine &m) { m.pushNew(NodeKind::Tuple, m.popItems(2)); }},
    {0x87, Used::Both, [](Machine &m) { m.pushNew(NodeKind::Tuple, m.popItems(3)); }},
    {']', Used::Both, [](Machine &m) { m.pushNew(NodeKind::List); }},
    {'l', Used::TorchScript, [](Machine &m) { m.pushNew(NodeKind::List, m.popToMark()); }},
    {'a', Used::Both, [](Machine &m) { m.extend(NodeKind::List, m.popItems(1)); }},
    {'e', Used::Both, [](Machine &m) { m.extend(NodeKind::List, m.popToMark()); }},
    {'}', Used::Both, [](Machine &m) { m.pushNew(NodeKind::Dict); }},
    {'s', Used::Both, [](Machine &m) { m.extend(NodeKind::Dict, m.popItems(2)); }},
    {'u', Used::Both, [](Machine &m) { m.extend(NodeKind::Dict, m.popToMark()); }},
    {'d', Used::TorchScript,
     [](Machine &m) {
         const std::vector<PickleRef> items = m.popToMark();
         m.pushNew(NodeKind::Dict);
         m.extend(NodeKind::Dict, items);
     }},
    {'R', Used::Both, [](Machine &m) { m.pushNew(NodeKind::Call, m.popItems(2)); }},
    {0x81, Used::TorchScript, [](Machine &m) { m.pushNew(NodeKind::Object, m.popItems(2)); }},
    {0x81, Used::TorchSave,
     [](Machine &m) { m.pushNew(NodeKind::Call, m.popItems(2)); }}, // a class is called like a function
    {'b', Used::TorchScript, [](Machine &m) { m.keepState(); }},
    {'b', Used::TorchSave, [](Machine &m) { m.dropState(); }},
    {'Q', Used::Both, [](Machine &m) { m.pushNew(NodeKind::Persistent, m.popItems(1)); }},
    {'q', Used::Both, [](Machine &m) { m.memoise(m.takeNumber(1)); }},
    {'r', Used::Both, [](Machine &m) { m.memoise(m.takeNumber(4)); }},
    {0x94, Used::TorchSave, [](Machine &m) { m.memoise(m.memoised()); }},
    {'h', Used::Both, [](Machine &m) { m.recall(m.takeNumber(1)); }},
    {'j', Used::Both, [](Machine &m) { m.recall(m.takeNumber(4)); }},
};

using Steps = std::array<PickleStep, 256>;

Steps stepsBut(Used other)
{
    Steps steps{};
    for (const Opcode &opcode : Opcodes)
        if (opcode.by != other)
            steps[opcode.code] = opcode.step;
    return steps;
}

} // namespace

PickleStep pickleStep(PickleDialect dialect, unsigned char code)
{
    static const Steps torchScript = stepsBut(Used::TorchSave);
    static const Steps torchSave = stepsBut(Used::TorchScript);
    return (dialect == PickleDialect::TorchScript ? torchScript : torchSave)[code];
}

} // namespace pipescope::archive
