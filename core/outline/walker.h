// Follows a method through the code as a run would, without computing anything: names are bound to what they stand for,
// calls are followed into the methods of the objects that the file holds, and every operator called becomes a node.
#pragma once

#include "archive/code_expression.h"
#include "outline/code_body.h"
#include "outline/graph_writer.h"
#include "outline/held.h"
#include "outline/objects.h"

#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pipescope::outline {

class Walker
{
public:
    Walker(const OutlineSource &source, graph::ModelGraph &graph, const OutlineLimits &limits, std::stop_token stop);

    /// False where the model's class has no such method in the code.
    bool walk(const std::string &method);
    /// Not all is there: a limit was reached.
    [[nodiscard]] bool isCut() const { return m_isCut || m_writer.isFull(); }

private:
    struct Change
    {
        std::string_view name;
        std::optional<Held> before; ///< nothing where the name was new
    };
    using Names = std::map<std::string_view, Held>;
    struct Frame
    {
        int owner = 0; ///< object whose code this is
        int call = 0;  ///< which call of it
        std::unordered_map<std::string_view, Held> names;
        std::vector<Change> *changes = nullptr; ///< of the innermost branch
        Held result;
        const CodeBody *body = nullptr;
        const archive::CodeStatement *statement = nullptr;
    };
    struct Arguments
    {
        std::vector<Held> held;
        std::vector<std::string_view> names; ///< "" for one given by its position
    };
    using Words = std::span<const archive::CodeWord>;
    using Expression = archive::CodeExpression;
    using Term = archive::CodeTerm;

    // Statements.
    void walkBlock(CodeBody &body, int indentation);
    void walkStatement(CodeBody &body, const archive::CodeStatement &statement);
    void walkIf(CodeBody &body, const archive::CodeStatement &statement);
    void walkLoop(CodeBody &body, const archive::CodeStatement &statement);
    void walkAssignment(Words targets, const Held &held);
    void assign(Words target, const Held &held);
    void set(std::string_view name, Held held);
    [[nodiscard]] Held get(std::string_view name) const;
    template <class Walk>
    Names changedBy(Walk walk);
    void join(NodeId node, const Names &first, const Names &second);

    // Expressions.
    Held evaluate(Words words);
    Held evaluate(const Expression &expression, archive::TermRef ref);
    Held evaluateTerm(const Expression &expression, const Term &term);
    Held attribute(const Expression &expression, const Term &term);
    Held attributeOf(int object, std::string_view name);
    Held index(const Expression &expression, const Term &term);
    Held tuple(std::vector<Held> items);
    Held call(const Expression &expression, const Term &term);
    Held callPath(const Expression &expression, const Term &term, const std::vector<std::string_view> &path);
    Held callWord(const Expression &expression, const Term &term, std::string_view word);
    Held callMethod(int object, std::string_view name, Arguments arguments);
    Held follow(const archive::CodeFunction &function, const Arguments &arguments, int owner, int call);
    [[nodiscard]] bool mayFollow();
    void bind(Frame &frame, const std::vector<CodeParameter> &parameters, const Arguments &arguments) const;
    Arguments argumentsOf(const Expression &expression, const Term &term);
    std::vector<Held> evaluateAll(const Expression &expression, const Term &term, std::size_t first = 0);
    [[nodiscard]] const archive::CodeFunction *functionAt(const std::vector<std::string_view> &path) const;
    [[nodiscard]] std::vector<std::string_view> pathOf(const Expression &expression, archive::TermRef ref) const;
    Held markerOrOperator(const std::string &op, const Expression &expression, const Term &term);

    Held operation(const std::string &op, const std::vector<Held> &operands);
    /// The same where there is data among the operands; Unknown otherwise.
    Held operationOnData(const std::string &op, const std::vector<Held> &operands);
    ValueId valueOf(const Held &held);
    /// Invalid for what is no data.
    std::vector<ValueId> valuesOf(const std::vector<Held> &held);
    [[nodiscard]] Place place() const;

    OutlineSource m_source;
    OutlineLimits m_limits;
    std::stop_token m_stop;
    graph::ModelGraph &m_graph;
    GraphWriter m_writer;
    Objects m_objects;
    Frame *m_frame = nullptr;
    std::size_t m_words = 0;
    int m_calls = 0;
    int m_levels = 0;
    bool m_isCut = false;
};

} // namespace pipescope::outline
