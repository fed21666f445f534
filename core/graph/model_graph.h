// The plain picture of one method of a model, which every other part works on: nodes in program order, the values
// between them, parameters, module calls. Values only; no torch, no Qt. Made by import/ from TorchScript; never edited
// afterwards except that profiling fills in shapes and times.
#pragma once

#include "base/ids.h"
#include "graph/literal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::graph {

/// What is known of a tensor without its data.
struct TensorMeta
{
    std::string dtype;               ///< torch's name without "torch.": "float32", "int64", "quint8"
    std::vector<std::int64_t> sizes; ///< [] for a 0-dim tensor; -1 where the parts of a nested one may differ
    std::int64_t bytes = 0;          ///< numel * element size
    bool requiresGrad = false;

    friend bool operator==(const TensorMeta &, const TensorMeta &) = default;
};

/// "float32[16, 512]".
[[nodiscard]] std::string toText(const TensorMeta &meta);
/// 0 where the size of a dimension is not known.
[[nodiscard]] std::int64_t elements(const TensorMeta &meta);

enum class ValueKind {
    Input,     ///< an argument of the method
    Parameter, ///< an nn.Parameter
    Buffer,    ///< a registered buffer
    Attribute, ///< anything else the module holds: a plain tensor, a list, a custom object, a module that keeps state
    Constant,  ///< baked into the program; copied into every stage that uses it, never sent
    Result,    ///< an output of a top-level node
    Inner,     ///< lives inside an if or a loop
};

/// Why a value may or may not be handed from one stage to another.
enum class Crossing {
    Sends,   ///< tensors, numbers, strings, bools, None, and tuples, lists, dicts, optionals of these
    Refused, ///< futures, modules, custom objects, generators, streams
};

struct Value
{
    ValueId id;
    ValueKind kind = ValueKind::Result;
    std::string name;    ///< argument name, FQN, or "<producer node>:<output index>"
    std::string type;    ///< TorchScript annotation: "Tensor", "List[int]", "Tuple[Tensor, Optional[int]]"
    NodeId producer;     ///< invalid unless Result or Inner
    int outputIndex = 0; ///< position among the producer's outputs
    Crossing crossing = Crossing::Sends;
    bool holdsTensors = false;         ///< Tensor, or a container that may hold one
    std::optional<TensorMeta> tensor;  ///< after profiling, for single tensors; of constants always
    std::optional<std::int64_t> bytes; ///< likewise: bytes of all tensors inside; 0 for values without any
    std::optional<bool> requiresGrad;  ///< after profiling with autograd: whether any tensor inside requires grad
    /// What a constant is, and a list or tuple put together of constants that nothing changes; none for what is no
    /// plain data (a tensor, an object) or very long.
    std::optional<Literal> literal;

    friend bool operator==(const Value &, const Value &) = default;
};

/// Where a node comes from in the author's source (or in the archive's code when the file keeps no other).
struct SourceLocation
{
    std::string file;
    int line = 0;
    int column = 0;
    std::string text; ///< its lines, without the indentation they share; a great many are cut short

    friend bool operator==(const SourceLocation &, const SourceLocation &) = default;
};

/// `output` may share memory with (or contain, or be contained in) `input`.
struct Alias
{
    ValueId output;
    ValueId input;

    friend bool operator==(const Alias &, const Alias &) = default;
};

struct Node
{
    NodeId id;
    std::string name; ///< stable across save and load: "<fqn>/<op>" plus "#k" for the k-th (k >= 1) of that kind there
    std::string op;   ///< "aten::linear", "prim::If"
    std::string overload; ///< of the schema, "dim_IntList" of aten::sum; "" for the default one and where none is known
    std::string fqn;      ///< dotted name of the module whose code this is; "" for the model itself
    std::string className; ///< that module's class, "Linear"
    int call = 0;          ///< which call of that module, 0-based
    SourceLocation source;
    NodeId parent; ///< the if or loop this is inside of; invalid at top level
    /// By position, constants included; mul(x, x) has x twice. Invalid where an outline does not know what stands
    /// there.
    std::vector<ValueId> operands;
    /// Every value it takes, once: the operands, and for an if or loop also what its blocks use from outside.
    std::vector<ValueId> uses;
    std::vector<ValueId> outputs;
    std::vector<NodeId> children; ///< nodes of its blocks, in order; empty unless an if, loop or the like
    std::vector<ValueId> writes;  ///< values among `uses` whose memory this node (or a child) writes in place
    /// The lists and dicts among `writes` whose items are put in, replaced or taken out, the items' own memory
    /// untouched.
    std::vector<ValueId> containerWrites;
    std::vector<Alias> aliases;
    std::vector<std::string> stateRead;    ///< attributes (FQN) the model assigns somewhere and this node reads
    std::vector<std::string> stateWritten; ///< attributes (FQN) this node assigns (`self.x = ...`)
    bool random = false;                   ///< draws random numbers
    bool effect = false;                   ///< prints, raises, or has another effect besides its outputs
    bool differentiates = false;           ///< takes gradients through the nodes before it (torch.autograd.grad)
    std::optional<double> seconds;         ///< after profiling: median time of one run on the sample inputs
    std::optional<double> flops;           ///< after profiling: floating-point operations, where a rule is known

    friend bool operator==(const Node &, const Node &) = default;
};

/// A parameter, buffer or other tensor the model holds.
struct Parameter
{
    std::string fqn;
    /// The graph value, or that of the list, dict or module that the method takes it in; tied names share one. Invalid
    /// where the method takes it by no value: it reads or assigns it by name, or does not use it
    /// (partition/held_uses.h).
    ValueId value;
    bool isBuffer = false;
    TensorMeta tensor;
    std::string tiedTo; ///< FQN of the first name of the same tensor; "" for that first name itself and when untied

    friend bool operator==(const Parameter &, const Parameter &) = default;
};

struct ModuleInfo
{
    std::string fqn;                 ///< "" is the model
    std::string className;           ///< "Linear"
    std::int64_t parameters = 0;     ///< elements of its own and its children's parameters, each tensor once
    std::int64_t parameterBytes = 0; ///< bytes of the same, buffers not included
    std::int64_t bufferBytes = 0;

    friend bool operator==(const ModuleInfo &, const ModuleInfo &) = default;
};

/// One call of a submodule: it runs order[begin, end) of the top-level order (empty when it runs no node).
struct ModuleCall
{
    std::string fqn;
    int call = 0;
    int begin = 0;
    int end = 0;
    NodeId inside; ///< the if or loop the call is inside of; invalid at top level

    friend bool operator==(const ModuleCall &, const ModuleCall &) = default;
};

/// A split marker the model's author wrote: pippy::_pipe_split, pipescope::split, pipescope::boundary.
struct Marker
{
    int position = 0; ///< cuts before order[position]
    std::string name; ///< "" when it has none
    NodeId inside;    ///< the if or loop it is inside of, where no cut can be; invalid at top level

    friend bool operator==(const Marker &, const Marker &) = default;
};

struct Argument
{
    std::string name;
    std::string type;
    ValueId value;
    bool hasDefault = false;
    std::string defaultText; ///< as TorchScript prints it

    friend bool operator==(const Argument &, const Argument &) = default;
};

/// One method of a model. `order` holds the top-level nodes in program order; a position p in [0, order.size()] names
/// the place before order[p], and a cut at p puts order[0, p) and order[p, ...) in different stages.
struct ModelGraph
{
    std::string modelClass;
    std::string method;
    std::vector<Value> values; ///< by ValueId
    std::vector<Node> nodes;   ///< by NodeId, nested ones included
    std::vector<NodeId> order;
    std::vector<Argument> arguments; ///< without self
    std::vector<ValueId> outputs;    ///< what the method returns; a returned tuple is one value
    std::vector<Parameter> parameters;
    std::vector<ModuleInfo> modules; ///< preorder; modules[0] is the model
    std::vector<ModuleCall> calls;   ///< in the order the calls begin
    std::vector<Marker> markers;

    [[nodiscard]] const Node &node(NodeId id) const { return nodes[id.index()]; }
    [[nodiscard]] const Value &value(ValueId id) const { return values[id.index()]; }
    /// The node at a position of the top-level order; position < order.size().
    [[nodiscard]] const Node &at(int position) const
    {
        return nodes[order[static_cast<std::size_t>(position)].index()];
    }
    [[nodiscard]] int size() const { return static_cast<int>(order.size()); }

    friend bool operator==(const ModelGraph &, const ModelGraph &) = default;
};

/// "layers.4.fc1/aten::linear (model.py:12)": how a node is named in messages.
[[nodiscard]] std::string describe(const Node &node);

/// Position in the top-level order of a node or of the top-level node that holds it; -1 when the id is invalid.
[[nodiscard]] int positionOf(const ModelGraph &graph, NodeId node);

} // namespace pipescope::graph
