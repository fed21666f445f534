#include "outline/walker.h"

#include <algorithm>
#include <utility>

namespace pipescope::outline {

namespace {

using archive::CodeStatement;
using archive::CodeWord;

bool isWord(const CodeWord &word, std::string_view text)
{
    return word.kind != CodeWord::Kind::String && word.text == text;
}

/// What stands between the first word and the colon at the end.
std::span<const CodeWord> condition(const CodeStatement &statement)
{
    const std::span<const CodeWord> words(statement.words);
    const bool hasColon = words.size() > 1 && isWord(words.back(), ":");
    return words.subspan(1, words.size() - (hasColon ? 2 : 1));
}

template <class See>
void forEachTarget(std::span<const CodeWord> words, See see)
{
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= words.size(); ++i) {
        const bool isEnd = i == words.size();
        if (isEnd || (depth == 0 && isWord(words[i], ","))) {
            if (begin < i)
                see(words.subspan(begin, i - begin));
            begin = i + 1;
        } else {
            depth += isWord(words[i], "(") || isWord(words[i], "[") ? 1 : 0;
            depth -= isWord(words[i], ")") || isWord(words[i], "]") ? 1 : 0;
        }
    }
}

} // namespace

void Walker::walkBlock(CodeBody &body, int indentation)
{
    while (body.hasNext() && body.next().indentation > indentation) {
        const CodeStatement statement = body.take();
        m_words += statement.words.size();
        if (m_words > m_limits.words || m_stop.stop_requested())
            m_writer.setFull();
        if (m_writer.isFull())
            return;
        m_frame->statement = &statement;
        walkStatement(body, statement);
    }
}

void Walker::walkStatement(CodeBody &body, const CodeStatement &statement)
{
    const Words words(statement.words);
    const std::string_view first = words.front().text;
    if (words.front().kind == CodeWord::Kind::Name) {
        if (first == "if")
            return walkIf(body, statement);
        if (first == "for" || first == "while")
            return walkLoop(body, statement);
        if (first == "return") {
            m_frame->result = words.size() > 1 ? evaluate(words.subspan(1)) : Held{};
            if (m_calls == 1) // of the method itself: a tuple is one value
                m_frame->result = Held::ofValue(valueOf(m_frame->result));
            return;
        }
        if (first == "with") {
            evaluate(condition(statement));
            return walkBlock(body, statement.indentation);
        }
        if (first == "pass" || first == "break" || first == "continue" || first == "def" || first == "class")
            return;
    }
    const std::size_t equals = assignmentIn(words);
    if (equals == words.size())
        evaluate(words);
    else
        walkAssignment(words.first(equals), evaluate(words.subspan(equals + 1)));
}

void Walker::walkIf(CodeBody &body, const CodeStatement &statement)
{
    const Held held = evaluate(condition(statement));
    const NodeId node = m_writer.addNode("prim::If", place(), valuesOf({held}));
    m_writer.openBlock(node);
    const Names first = changedBy([&] { walkBlock(body, statement.indentation); });
    Names second;
    const bool isElse =
        body.hasNext() && body.next().indentation == statement.indentation && isWord(body.next().words.front(), "else");
    const bool isElif =
        body.hasNext() && body.next().indentation == statement.indentation && isWord(body.next().words.front(), "elif");
    if ((isElse || isElif) && !m_writer.isFull()) {
        const CodeStatement other = body.take();
        m_frame->statement = &other;
        second = changedBy([&] { isElif ? walkIf(body, other) : walkBlock(body, statement.indentation); });
    }
    m_writer.closeBlock();
    join(node, first, second);
}

void Walker::walkLoop(CodeBody &body, const CodeStatement &statement)
{
    const Words head = condition(statement);
    const auto in = std::find_if(head.begin(), head.end(), [](const CodeWord &word) { return isWord(word, "in"); });
    const bool isFor = isWord(statement.words.front(), "for") && in != head.end();
    const Held over = evaluate(isFor ? Words(in + 1, head.end()) : head);
    const NodeId node = m_writer.addNode("prim::Loop", place(), valuesOf({over}));
    m_writer.openBlock(node);
    const Names changed = changedBy([&] {
        if (isFor)
            forEachTarget(Words(head.begin(), in), [&](Words target) {
                assign(target, Held::ofValue(m_writer.addHandedIn(node, target.front().text)));
            });
        walkBlock(body, statement.indentation);
    });
    m_writer.closeBlock();
    join(node, changed, {});
}

void Walker::walkAssignment(Words targets, const Held &held)
{
    std::vector<Words> each;
    forEachTarget(targets, [&](Words target) { each.push_back(target); });
    const bool unpacks = each.size() > 1 || (!targets.empty() && isWord(targets.back(), ","));
    const bool isTuple = held.kind == Held::Kind::Tuple && held.items->held.size() == each.size();
    for (std::size_t i = 0; i < each.size(); ++i)
        assign(each[i], unpacks && isTuple ? held.items->held[i] : held);
}

void Walker::assign(Words target, const Held &held)
{
    if (target.front().kind != CodeWord::Kind::Name)
        return;
    if (target.size() == 1 || isWord(target[1], ":"))
        return set(target.front().text, held);
    const bool isAttribute = target.size() == 3 && isWord(target[1], ".") && target[2].kind == CodeWord::Kind::Name;
    const Held of = isAttribute ? get(target.front().text) : Held{};
    if (of.kind != Held::Kind::Object)
        return;
    const NodeId node = m_writer.addNode("prim::SetAttr", place(), valuesOf({held}));
    const std::string &fqn = m_objects.at(of.object).fqn;
    m_writer.assigns(node, fqn.empty() ? std::string(target[2].text) : fqn + "." + std::string(target[2].text));
}

void Walker::set(std::string_view name, Held held)
{
    const auto [found, added] = m_frame->names.try_emplace(name);
    if (m_frame->changes != nullptr)
        m_frame->changes->push_back({name, added ? std::nullopt : std::optional(found->second)});
    found->second = std::move(held);
}

Held Walker::get(std::string_view name) const
{
    const auto found = m_frame->names.find(name);
    return found == m_frame->names.end() ? Held{} : found->second;
}

/// What a branch makes of names, which are as before afterwards.
template <class Walk>
Walker::Names Walker::changedBy(Walk walk)
{
    std::vector<Change> changes;
    std::vector<Change> *outer = std::exchange(m_frame->changes, &changes);
    walk();
    m_frame->changes = outer;
    Names changed;
    for (const Change &change : changes)
        changed.emplace(change.name, get(change.name));
    for (std::size_t i = changes.size(); i-- > 0;) {
        Change &change = changes[i];
        if (change.before)
            m_frame->names[change.name] = *std::move(change.before);
        else
            m_frame->names.erase(change.name);
    }
    return changed;
}

void Walker::join(NodeId node, const Names &first, const Names &second)
{
    Names all = first;
    all.insert(second.begin(), second.end());
    for (const auto &[name, ignored] : all) {
        const Held before = get(name);
        const bool isAlways = m_frame->names.count(name) > 0 || (first.count(name) > 0 && second.count(name) > 0);
        const Held &one = first.count(name) > 0 ? first.at(name) : before;
        const Held &other = second.count(name) > 0 ? second.at(name) : before;
        if (one == other)
            set(name, one);
        else if (isAlways && (one.hasData() || other.hasData()))
            set(name, Held::ofValue(m_writer.addOutput(node)));
        else if (one.hasData() || other.hasData())
            continue; // a name of that branch only
        else          // an object that only one branch needs a name for
            set(name, one.kind == Held::Kind::Unknown ? other : other.kind == Held::Kind::Unknown ? one : Held{});
    }
}

} // namespace pipescope::outline
