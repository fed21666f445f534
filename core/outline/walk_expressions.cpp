#include "outline/walker.h"

#include "archive/code_listing.h"
#include "ops/operator.h"
#include "outline/operator_words.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <system_error>
#include <utility>

namespace pipescope::outline {

namespace {

using archive::CodeTerm;
using TermKind = CodeTerm::Kind;

constexpr std::size_t LongestPath = 64; ///< of names with dots between them
constexpr int DeepestTuple = 32;

/// Of a string as it is written; escapes stay as they are.
std::string_view unquoted(std::string_view literal)
{
    const bool isString = literal.size() >= 2 && (literal.front() == '"' || literal.front() == '\'');
    return isString ? literal.substr(1, literal.size() - 2) : std::string_view();
}

} // namespace

Held Walker::evaluate(Words words)
{
    const auto expression = archive::parseExpression(words);
    return expression ? evaluate(*expression, expression->root) : Held{};
}

Held Walker::evaluate(const Expression &expression, archive::TermRef ref)
{
    if (m_writer.isFull())
        return {};
    if (m_levels >= m_limits.levels) {
        m_isCut = true;
        return {};
    }
    ++m_levels;
    Held held = evaluateTerm(expression, expression.term(ref));
    --m_levels;
    return held;
}

Held Walker::evaluateTerm(const Expression &expression, const Term &term)
{
    switch (term.kind) {
    case TermKind::Name:
        return get(term.text);
    case TermKind::Literal:
        return {};
    case TermKind::Attribute:
        return attribute(expression, term);
    case TermKind::Call:
        return call(expression, term);
    case TermKind::Index:
        return index(expression, term);
    case TermKind::Tuple:
        return tuple(evaluateAll(expression, term));
    case TermKind::List:
        return operationOnData("prim::ListConstruct", evaluateAll(expression, term));
    case TermKind::Dict:
        return operationOnData("prim::DictConstruct", evaluateAll(expression, term));
    case TermKind::Infix:
        return operationOnData(operatorOfSign(term.text), evaluateAll(expression, term));
    }
    return {};
}

std::vector<Held> Walker::evaluateAll(const Expression &expression, const Term &term, std::size_t first)
{
    std::vector<Held> all;
    for (std::size_t i = first; i < term.items.size(); ++i)
        all.push_back(evaluate(expression, term.items[i]));
    return all;
}

/// The words of a name with dots that begins with no name of the function's own: "torch.nn"; none for all others.
std::vector<std::string_view> Walker::pathOf(const Expression &expression, archive::TermRef ref) const
{
    std::vector<std::string_view> path;
    const Term *term = &expression.term(ref);
    for (; term->kind == TermKind::Attribute && path.size() < LongestPath; term = &expression.term(term->items.front()))
        path.push_back(term->text);
    if (term->kind != TermKind::Name || m_frame->names.count(term->text) > 0)
        return {};
    path.push_back(term->text);
    std::reverse(path.begin(), path.end());
    return path;
}

const archive::CodeFunction *Walker::functionAt(const std::vector<std::string_view> &path) const
{
    if (path.size() < 2 || path.front() != "__torch__")
        return nullptr;
    return m_source.code.find(fmt::format("{}", fmt::join(path.begin(), path.end() - 1, ".")), path.back());
}

Held Walker::attribute(const Expression &expression, const Term &term)
{
    std::vector<std::string_view> path = pathOf(expression, term.items.front());
    if (!path.empty()) {
        path.push_back(term.text);
        return Held::ofFunction(functionAt(path));
    }
    Held of = evaluate(expression, term.items.front());
    if (of.kind == Held::Kind::Object)
        return attributeOf(of.object, term.text);
    return of.kind == Held::Kind::Data ? of : Held::ofValue(valueOf(of)); // a field of a named tuple
}

Held Walker::attributeOf(int object, std::string_view name)
{
    const Attribute attribute = m_objects.attribute(object, name);
    if (attribute.kind == Attribute::Kind::Object)
        return Held::ofObject(attribute.index);
    return attribute.kind == Attribute::Kind::Tensor ? Held::ofValue(m_writer.parameter(attribute.index)) : Held{};
}

Held Walker::index(const Expression &expression, const Term &term)
{
    const std::vector<Held> items = evaluateAll(expression, term);
    const Term *at = items.size() == 2 ? &expression.term(term.items[1]) : nullptr;
    if (items.front().kind == Held::Kind::Tuple && at != nullptr && at->kind == TermKind::Literal) {
        std::size_t position = 0;
        const char *end = at->text.data() + at->text.size();
        const auto read = std::from_chars(at->text.data(), end, position);
        if (read.ec == std::errc() && read.ptr == end && position < items.front().items->held.size())
            return items.front().items->held[position];
    }
    return items.front().hasData() ? operation("aten::__getitem__", items) : Held{};
}

Held Walker::tuple(std::vector<Held> items)
{
    auto made = std::make_shared<Held::Items>();
    for (const Held &item : items) {
        made->hasData = made->hasData || item.hasData();
        if (item.kind == Held::Kind::Tuple)
            made->depth = std::max(made->depth, item.items->depth + 1);
    }
    if (made->depth > DeepestTuple)
        return operationOnData("prim::TupleConstruct", items);
    made->held = std::move(items);
    Held held;
    held.kind = Held::Kind::Tuple;
    held.items = std::move(made);
    return held;
}

Walker::Arguments Walker::argumentsOf(const Expression &expression, const Term &term)
{
    return {evaluateAll(expression, term, 1), term.names};
}

Held Walker::call(const Expression &expression, const Term &term)
{
    const archive::TermRef called = term.items.front();
    const std::vector<std::string_view> path = pathOf(expression, called);
    if (path.size() == 1)
        return callWord(expression, term, path.front());
    if (!path.empty())
        return callPath(expression, term, path);
    const Term &callee = expression.term(called);
    if (callee.kind == TermKind::Attribute) {
        const Held of = evaluate(expression, callee.items.front());
        Arguments arguments = argumentsOf(expression, term);
        if (of.kind == Held::Kind::Object)
            return callMethod(of.object, callee.text, std::move(arguments));
        arguments.held.insert(arguments.held.begin(), of);
        return operationOnData("prim::CallMethod", arguments.held);
    }
    const Held of = evaluate(expression, called);
    Arguments arguments = argumentsOf(expression, term);
    if (of.kind == Held::Kind::Function && mayFollow())
        return follow(*of.function, arguments, m_frame->owner, m_frame->call);
    return operationOnData("prim::CallFunction", arguments.held);
}

Held Walker::callWord(const Expression &expression, const Term &term, std::string_view word)
{
    const std::vector<Held> items = evaluateAll(expression, term, 1);
    if (word == "getattr" && items.size() == 2 && items.front().kind == Held::Kind::Object)
        return attributeOf(items.front().object, unquoted(expression.term(term.items[2]).text));
    if (word == "range" && items.size() == 1) // of a loop, how often
        return items.front();
    if (word == "annotate" || word == "unchecked_cast")
        return items.empty() ? Held{} : items.back();
    const std::string op = operatorOfWord(word);
    return operationOnData(op.empty() ? fmt::format("prim::{}", word) : op, items);
}

Held Walker::callPath(const Expression &expression, const Term &term, const std::vector<std::string_view> &path)
{
    if (const auto op = archive::operatorOf(path))
        return markerOrOperator(*op, expression, term);
    Arguments arguments = argumentsOf(expression, term);
    const archive::CodeFunction *function = functionAt(path);
    if (function != nullptr && mayFollow())
        return follow(*function, arguments, m_frame->owner, m_frame->call);
    return operationOnData("prim::CallFunction", arguments.held);
}

/// What the author marked as the place of a split is no operator here, as in a model that is loaded.
Held Walker::markerOrOperator(const std::string &op, const Expression &expression, const Term &term)
{
    std::vector<Held> items = evaluateAll(expression, term, 1);
    const ops::Operator &row = ops::of(op);
    if (row.role != ops::Role::Marks)
        return operation(op, items);
    const bool isBoundary = row.keeps == ops::Keeps::All;
    const std::size_t nameAt = isBoundary ? 2 : 1;
    m_writer.addMarker(nameAt < term.items.size() ? std::string(unquoted(expression.term(term.items[nameAt]).text))
                                                  : std::string());
    return isBoundary && !items.empty() ? items.front() : Held{};
}

Held Walker::callMethod(int object, std::string_view name, Arguments arguments)
{
    const archive::CodeFunction *function = m_source.code.find(m_objects.at(object).className, name);
    const bool isModule = m_objects.at(object).isModule;
    const bool isOther = isModule && object != m_frame->owner;
    const int owner = isModule ? object : m_frame->owner;
    const int call = isOther ? m_writer.beginCall(m_objects.at(object).fqn) : m_frame->call;
    Held result;
    if (function != nullptr && mayFollow()) {
        arguments.held.insert(arguments.held.begin(), Held::ofObject(object));
        arguments.names.insert(arguments.names.begin(), std::string_view());
        result = follow(*function, arguments, owner, call);
    } else {
        const std::pair caller(std::exchange(m_frame->owner, owner), std::exchange(m_frame->call, call));
        result = isOther ? operation("prim::CallMethod", arguments.held)
                         : operationOnData("prim::CallMethod", arguments.held);
        m_frame->owner = caller.first;
        m_frame->call = caller.second;
    }
    if (isOther)
        m_writer.endCall();
    return result;
}

Held Walker::operation(const std::string &op, const std::vector<Held> &operands)
{
    const std::vector<ValueId> values = valuesOf(operands);
    return Held::ofValue(m_writer.addOutput(m_writer.addNode(op, place(), values)));
}

Held Walker::operationOnData(const std::string &op, const std::vector<Held> &operands)
{
    const bool hasData = std::any_of(operands.begin(), operands.end(), [](const Held &held) { return held.hasData(); });
    return hasData ? operation(op, operands) : Held{};
}

ValueId Walker::valueOf(const Held &held)
{
    if (held.kind == Held::Kind::Data)
        return held.value;
    return held.hasData() && !m_writer.isFull() ? operation("prim::TupleConstruct", held.items->held).value : ValueId{};
}

std::vector<ValueId> Walker::valuesOf(const std::vector<Held> &held)
{
    std::vector<ValueId> values;
    values.reserve(held.size());
    for (const Held &each : held)
        values.push_back(valueOf(each));
    return values;
}

} // namespace pipescope::outline
