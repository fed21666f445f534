// The stack machine a pickle is a program for (PEP 307, 3154), building a PickleTree. Every step checks what it pops,
// so that no sequence of bytes can do harm. Which opcode takes which step is in pickle_opcodes.h; readPickle in
// pickle_tree.h is the only user.
#pragma once

#include "archive/pickle_tree.h"

#include <unordered_map>

namespace pipescope::archive {

class PickleMachine
{
public:
    PickleMachine(std::string_view bytes, PickleDialect dialect)
        : m_bytes(bytes)
        , m_dialect(dialect)
    {
    }

    /// Runs to the end. Afterwards either problem() is empty and tree() has its root, or problem() says what is wrong
    /// at offset().
    void run();

    [[nodiscard]] const std::string &problem() const { return m_problem; }
    /// Unsupported where the bytes may well be whole.
    [[nodiscard]] ErrorCode problemCode() const { return m_problemCode; }
    [[nodiscard]] std::size_t offset() const { return m_opcodeAt; }
    [[nodiscard]] PickleTree &tree() { return m_tree; }

    // The steps, one for each family of opcodes.
    void fail(std::string reason, ErrorCode code = ErrorCode::InvalidFile);
    void stop() { m_stopped = true; }
    void skip(std::size_t count) { take(count); }
    void checkProtocol();
    void mark() { m_marks.push_back(m_stack.size()); }
    void pushNew(PickleNode::Kind kind, std::vector<PickleRef> items = {});
    void pushInteger(PickleNode::Kind kind, std::int64_t value);
    void pushFloat();
    void pushText(PickleNode::Kind kind, std::size_t lengthWidth);
    void pushLong();
    void pushGlobal();
    void pushStackGlobal();
    void extend(PickleNode::Kind container, const std::vector<PickleRef> &items);
    void keepState();
    void dropState();
    [[nodiscard]] std::uint64_t memoised() const { return m_memo.size(); }
    void memoise(std::uint64_t key);
    void recall(std::uint64_t key);
    std::uint64_t takeNumber(std::size_t width);
    std::vector<PickleRef> popToMark();
    std::vector<PickleRef> popItems(std::size_t count);

private:
    [[nodiscard]] bool isTorchScript() const { return m_dialect == PickleDialect::TorchScript; }
    PickleRef pop();
    std::string_view take(std::uint64_t count);
    std::string_view takeLine();
    void push(PickleNode node);
    void failOfLongName();

    std::string_view m_bytes;
    PickleDialect m_dialect;
    std::size_t m_at = 0;
    std::size_t m_opcodeAt = 0;
    bool m_stopped = false;
    std::string m_problem;
    ErrorCode m_problemCode = ErrorCode::InvalidFile;
    PickleTree m_tree;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, PickleRef> m_memo;
};

} // namespace pipescope::archive
