// What users write for a model's inputs, parsed: `x=float32[16,512]`, `ids=int64[8,128]<50257`, `x=@x.pt`, `sr=16000`.
// Values are made from it by tensor/make_input.h.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pipescope::plan {

/// Uniform in [low, high); both finite.
struct RealRange
{
    double low = 0;
    double high = 1;

    friend bool operator==(const RealRange &, const RealRange &) = default;
};

/// A random tensor: floats are normal(0, 1) or uniform in `reals`, complex normal, integers uniform in [low, high),
/// bools fair coins.
struct TensorSpec
{
    std::string dtype;                   ///< "float32", "int64", "bool", "bfloat16", "complex64", ...
    std::vector<std::int64_t> sizes;     ///< empty: 0-dim
    std::int64_t low = 0;                ///< integers only
    std::int64_t high = 0;               ///< integers only; low == high == 0 means the default range [0, 2)
    std::optional<std::uint64_t> seed;   ///< own seed; without one the run's seed and the input's place decide
    std::optional<RealRange> reals = {}; ///< floats only

    friend bool operator==(const TensorSpec &, const TensorSpec &) = default;
};

/// The contents of a file written by torch.save (a tensor, or lists, tuples and dicts of tensors and plain values).
struct FileSpec
{
    std::string path;
    friend bool operator==(const FileSpec &, const FileSpec &) = default;
};

struct InputValue
{
    struct None
    {
        friend bool operator==(const None &, const None &) = default;
    };
    struct List
    {
        std::vector<InputValue> items;
        friend bool operator==(const List &, const List &) = default;
    };
    struct Tuple
    {
        std::vector<InputValue> items;
        friend bool operator==(const Tuple &, const Tuple &) = default;
    };
    struct Entry;
    struct Dict
    {
        std::vector<Entry> entries;
        friend bool operator==(const Dict &, const Dict &);
    };
    std::variant<None, bool, std::int64_t, double, std::string, TensorSpec, FileSpec, List, Tuple, Dict> node;

    friend bool operator==(const InputValue &, const InputValue &) = default;
};

/// A name and its value. As a std::pair, which cannot hold an InputValue inside an InputValue: it asks for complete
/// types.
struct InputValue::Entry
{
    std::string first;
    InputValue second;
    friend bool operator==(const Entry &, const Entry &) = default;
};

/// One `--input`: by position (no name) or by name.
struct InputSpec
{
    std::string name; ///< "" for a positional one
    InputValue value;

    friend bool operator==(const InputSpec &, const InputSpec &) = default;
};

/// Grammar (blanks allowed between tokens):
///   input  = [ name "=" ] value
///   value  = dtype "[" [ int *( "," int ) ] "]" [ "<" number | ">=" number "<" number ] [ "#" seed ]
///          | "@" path | int | float | "true" | "false" | "none" | string in single or double quotes
///          | "[" values "]" | "(" values ")" | "{" name ":" value *( "," ... ) "}"
/// - One comma may follow the last of several values; "(1)" is a tuple of one.
/// - Python's True, False and None, and inf and nan are values too. Strings know \\, \', \", \n, \r, \t and \xHH.
/// - A path runs to the end of the text; inside brackets to a blank, comma or closing bracket; in quotes to the quote.
/// - dtype words are torch's, short names included (plan/dtypes.h); a range is of integers for integer dtypes,
///   which it must fit, and of finite numbers for floats; others have none.
/// - Sizes are not negative; they and their product without zeros are at most 2^40; there are at most 64.
/// - At most 64 KiB of text and 64 levels; no name twice in a dict.
///
/// Error: InvalidArgument with the input's name where it has one, the column, what was expected and what was found;
/// unknown words get the nearest dtypes.
Result<InputSpec> parseInputSpec(std::string_view text);

/// Whether it is a number, a bool, a text or None: what a branch of a model can be decided by before it runs.
[[nodiscard]] bool isPlain(const InputValue &value);

/// The text form, which parses back to the same.
[[nodiscard]] std::string toText(const InputSpec &spec);

} // namespace pipescope::plan
