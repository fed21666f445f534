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

/// A random tensor: floats are normal(0, 1), complex likewise, integers uniform in [low, high), bools fair coins.
struct TensorSpec {
    std::string dtype;               ///< "float32", "int64", "bool", "bfloat16", "complex64", ...
    std::vector<std::int64_t> sizes; ///< empty: 0-dim
    std::int64_t low = 0;            ///< integers only
    std::int64_t high = 0;           ///< integers only; 0 means the default range [0, 2)
    std::optional<std::uint64_t> seed; ///< own seed; without one the run's seed and the input's place decide

    friend bool operator==(const TensorSpec &, const TensorSpec &) = default;
};

/// The contents of a file written by torch.save (a tensor, or lists, tuples and dicts of tensors and plain values).
struct FileSpec {
    std::string path;
    friend bool operator==(const FileSpec &, const FileSpec &) = default;
};

struct InputValue {
    struct None {
        friend bool operator==(const None &, const None &) = default;
    };
    struct List {
        std::vector<InputValue> items;
        friend bool operator==(const List &, const List &) = default;
    };
    struct Tuple {
        std::vector<InputValue> items;
        friend bool operator==(const Tuple &, const Tuple &) = default;
    };
    struct Dict {
        std::vector<std::pair<std::string, InputValue>> entries;
        friend bool operator==(const Dict &, const Dict &); // in the .cpp: a pair needs complete types
    };
    std::variant<None, bool, std::int64_t, double, std::string, TensorSpec, FileSpec, List, Tuple, Dict> node;

    friend bool operator==(const InputValue &, const InputValue &) = default;
};

/// One `--input`: by position (no name) or by name.
struct InputSpec {
    std::string name; ///< "" for a positional one
    InputValue value;

    friend bool operator==(const InputSpec &, const InputSpec &) = default;
};

/// Grammar (blanks allowed between tokens):
///   input  = [ name "=" ] value
///   value  = dtype "[" [ int *( "," int ) ] "]" [ "<" int | ">=" int "<" int ] [ "#" seed ]
///          | "@" path | int | float | "true" | "false" | "none" | string in single or double quotes
///          | "[" values "]" | "(" values ")" | "{" name ":" value *( "," ... ) "}"
/// dtype words are torch's, with float/double/half/long/int/short/byte/char as it has them. Sizes are not negative, at most
/// 2^40 elements. Error: InvalidArgument with the column, what was found and what was expected; unknown dtypes get the nearest.
Result<InputSpec> parseInputSpec(std::string_view text);

/// The text form, which parses back to the same.
[[nodiscard]] std::string toText(const InputSpec &spec);

} // namespace pipescope::plan
