// Facts about operators that their schemas do not say: one row an operator, in rows/, found by its name. A row repeats
// nothing that the schema says (aliases, writes).
#pragma once

#include "graph/model_graph.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace pipescope::ops {

enum class FlopRule {
    None,          ///< moves or describes data only
    PerOutput,     ///< `factor` per element of the first output
    PerInput,      ///< `factor` per element of operand `at`
    Dense,         ///< operand `at` [..., in] to output [..., out]
    MatMul,        ///< operand `at` [..., n, k] times the next, output [..., n, m]
    SumMatMul,     ///< as MatMul, the batch summed: every row of operand `at` meets every column of the next
    Conv,          ///< input, weight [out, in / groups, ...]
    ConvTranspose, ///< input, weight [in, out / groups, ...]
    Convolution,   ///< either of the two, by the flag `transposed`
    Attention,     ///< query [..., l, e], key [..., s, e], value [..., s, v]
    Recurrent,     ///< input [steps, batch, ...], weights of input and hidden state
};

struct Flops
{
    FlopRule rule = FlopRule::None;
    double factor = 1;
    std::size_t at = 0;

    friend bool operator==(const Flops &, const Flops &) = default;
};

/// Its effect on memory.
enum class Memory {
    AsSchema,
    MarksTensor,      ///< changes what autograd does with a tensor and no data, although the schema says that it writes
    MayReturnOperand, ///< the schema says the result is fresh although it can be an operand (dropout in eval mode is)
    MayReturnFirst,   ///< the same, and it can be no other operand than the first (type_as)
    Nothing,          ///< has no operand with memory
    SharesAll,        ///< every result may share memory with every operand
    ReadsAttribute,   ///< its result is, or is part of, an attribute of operand 0
    SetsAttribute,    ///< operand 1 becomes an attribute of operand 0
    Anything,         ///< may write and share whatever it is given
};

/// It writes running statistics although its schema does not say so. Positions of operands.
struct Statistics
{
    std::size_t mean = 0;
    std::size_t variance = 0;
    std::size_t training = 0; ///< a flag: nothing is written where it is the constant false

    friend bool operator==(const Statistics &, const Statistics &) = default;
};

/// An operator whose weight tells of the data it is used on: where both are among its operands.
struct Tells
{
    enum class Of {
        IndexRange,         ///< indices are below the weight's rows
        LastDimension,      ///< the data's is the weight's
        LastDimensions,     ///< the data's are all of the weight's
        InnerDimension,     ///< the data's last is the weight's last but one
        Channels,           ///< the data's second dimension is the weight's
        TransposedChannels, ///< the data's second dimension is the weight's first
        /// Either of the two: one operator for both kinds, told apart by the class of its module.
        ChannelsByClass,
    };
    Of of = Of::LastDimension;
    std::size_t data = 0;
    std::size_t weight = 1;

    friend bool operator==(const Tells &, const Tells &) = default;
};

/// The part of the first operand that the first result has, row by row.
enum class Keeps {
    Unknown,
    Shape,      ///< its shape, other values here and there
    Values,     ///< all its values, in another shape
    Transposed, ///< all its values, the dimensions in reverse order
    All,        ///< shape and values
};

/// How a row of its result depends on other rows of the batch, where it can.
enum class Batch {
    Unknown,
    Statistics,   ///< normalises with statistics of all rows, while training
    DynamicRange, ///< quantizes by the range of all rows
    DropsOnes,    ///< drops dimensions of size one, the batch's too
};

/// Its part in the program, besides a computation.
enum class Role {
    Computes,
    TellsSizes,     ///< makes sizes and indices into values, also into tensors
    PacksItems,     ///< its operands are the items of the tuple or list it makes
    PacksPairs,     ///< its operands are the keys and values of the dict it makes, by turns
    Enters,         ///< begins a `with` block
    Exits,          ///< ends one
    Seeds,          ///< sets the generator of random numbers
    Differentiates, ///< takes gradients through the operators that its operands came from
    UsesFiles,      ///< reads or writes a file of the machine it runs on
    Marks,          ///< names a place where the author wants a split, by its operand that is a text
};

/// Whether its operands are put into a container: a tuple, list or dict.
[[nodiscard]] constexpr bool packs(Role role)
{
    return role == Role::PacksItems || role == Role::PacksPairs;
}

/// Draws random numbers, but not where one of these operands is the constant false or zero.
struct Draws
{
    std::array<int, 2> unless{-1, -1}; ///< positions; -1 for none

    friend bool operator==(const Draws &, const Draws &) = default;
};

struct Operator
{
    std::string_view name; ///< "aten::linear"; "aten::lstm.data" where one overload is another matter
    std::optional<Flops> flops = std::nullopt; ///< none where no rule is known
    Memory memory = Memory::AsSchema;
    std::optional<Statistics> statistics = std::nullopt; ///< that it moves
    std::optional<Tells> tells = std::nullopt;
    Keeps keeps = Keeps::Unknown;
    Batch batch = Batch::Unknown;
    std::optional<Draws> draws = std::nullopt;
    Role role = Role::Computes;
    std::string_view code = {}; ///< how TorchScript's code writes it where not by its name: "+", "len"

    friend bool operator==(const Operator &, const Operator &) = default;
};

/// All rows, by family.
[[nodiscard]] std::span<const std::span<const Operator>> families();

/// The operator's own row, else that of all its overloads; an in-place form has its plain one's where it has none.
/// nullptr where nothing is known.
[[nodiscard]] const Operator *find(std::string_view name, std::string_view overload = {});

/// The same. Where there is no row, a nameless one that says no more than the name does: that an operator of another
/// library depends on the batch as those of its kind do ("mylib::fused_batch_norm").
[[nodiscard]] const Operator &of(std::string_view name, std::string_view overload = {});
[[nodiscard]] const Operator &of(const graph::Node &node);

/// The one that code writes as this sign or word; nullptr for none.
[[nodiscard]] const Operator *findByCode(std::string_view code);

/// Whether an operator of this name is one of PyTorch's own ("aten::linear"), which no library adds: a LibTorch that
/// does not know it is older than the PyTorch that wrote it.
[[nodiscard]] bool isTorchsOwn(std::string_view name);

/// Whether the node's operator draws random numbers, as far as its row and the node's constants say.
[[nodiscard]] bool drawsRandom(const graph::ModelGraph &graph, const graph::Node &node);

} // namespace pipescope::ops
