#include "outline/walker.h"

#include <utility>

namespace pipescope::outline {

Walker::Walker(const OutlineSource &source, graph::ModelGraph &graph, const OutlineLimits &limits, std::stop_token stop)
    : m_source(source)
    , m_limits(limits)
    , m_stop(std::move(stop))
    , m_graph(graph)
    , m_writer(graph, limits)
    , m_objects(source.tree, source.classes, graph)
{
}

bool Walker::walk(const std::string &method)
{
    const archive::CodeFunction *function = m_source.code.find(m_objects.at(0).className, method);
    if (function == nullptr)
        return false;
    const CodeBody head(*function, m_source.code.recordOf(*function));
    if (!head.hasNext())
        return false;
    Arguments arguments{{Held::ofObject(0)}, {""}};
    const std::vector<CodeParameter> parameters = parametersOf(head.next());
    for (std::size_t i = 1; i < parameters.size(); ++i) {
        const CodeParameter &parameter = parameters[i];
        arguments.held.push_back(
            Held::ofValue(m_writer.addArgument(parameter.name, parameter.type, parameter.defaultText)));
        arguments.names.emplace_back();
    }
    const Held result = follow(*function, arguments, 0, 0);
    if (result.kind == Held::Kind::Data)
        m_graph.outputs.push_back(result.value);
    m_writer.finish();
    return true;
}

bool Walker::mayFollow()
{
    const bool may = m_calls < m_limits.calls;
    m_isCut = m_isCut || !may;
    return may;
}

Held Walker::follow(const archive::CodeFunction &function, const Arguments &arguments, int owner, int call)
{
    CodeBody body(function, m_source.code.recordOf(function));
    if (!body.hasNext())
        return {};
    const archive::CodeStatement head = body.take();
    m_words += head.words.size();
    Frame frame;
    frame.owner = owner;
    frame.call = call;
    frame.body = &body;
    frame.statement = &head;
    bind(frame, parametersOf(head), arguments);
    Frame *outer = std::exchange(m_frame, &frame);
    ++m_calls;
    walkBlock(body, head.indentation);
    --m_calls;
    m_frame = outer;
    return std::move(frame.result);
}

void Walker::bind(Frame &frame, const std::vector<CodeParameter> &parameters, const Arguments &arguments) const
{
    for (const CodeParameter &parameter : parameters)
        frame.names.emplace(parameter.name, Held{});
    for (std::size_t i = 0; i < arguments.held.size(); ++i) {
        const std::string_view name = arguments.names[i];
        if (!name.empty())
            frame.names[name] = arguments.held[i];
        else if (i < parameters.size())
            frame.names[parameters[i].name] = arguments.held[i];
    }
}

Place Walker::place() const
{
    const Object &owner = m_objects.at(m_frame->owner);
    const std::string_view className = owner.className;
    return {owner.fqn,
            className.substr(className.rfind('.') + 1),
            m_frame->call,
            m_frame->body->record(),
            m_frame->body->lineOf(*m_frame->statement),
            firstLine(*m_frame->statement)};
}

} // namespace pipescope::outline
