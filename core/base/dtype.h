// The dtypes of tensors as PyTorch names them, with what one element takes. Where a dtype's name comes from outside, it
// is looked up here.
#pragma once

#include <array>
#include <string_view>

namespace pipescope {

struct Dtype
{
    std::string_view name;         ///< torch's name without "torch.": "float32"
    std::string_view alias;        ///< torch's short name, "float", or ""
    std::string_view abbreviation; ///< torch.dtype.abbr, as in torch's logs: "f32"
    int bytes = 1;                 ///< of one element
};

inline constexpr std::array Dtypes{
    Dtype{"float32", "float", "f32", 4},
    Dtype{"float64", "double", "f64", 8},
    Dtype{"float16", "half", "f16", 2},
    Dtype{"bfloat16", "", "bf16", 2},
    Dtype{"float8_e4m3fn", "", "f8e4m3fn", 1},
    Dtype{"float8_e5m2", "", "f8e5m2", 1},
    Dtype{"float8_e4m3fnuz", "", "f8e4m3fnuz", 1},
    Dtype{"float8_e5m2fnuz", "", "f8e5m2fnuz", 1},
    Dtype{"float8_e8m0fnu", "", "f8e8m0fnu", 1},
    Dtype{"complex64", "cfloat", "c64", 8},
    Dtype{"complex128", "cdouble", "c128", 16},
    Dtype{"complex32", "chalf", "c32", 4},
    Dtype{"bcomplex32", "", "bc32", 4},
    Dtype{"bool", "", "b8", 1},
    Dtype{"int64", "long", "i64", 8},
    Dtype{"int32", "int", "i32", 4},
    Dtype{"int16", "short", "i16", 2},
    Dtype{"int8", "char", "i8", 1},
    Dtype{"uint8", "byte", "u8", 1},
    Dtype{"uint16", "", "u16", 2},
    Dtype{"uint32", "", "u32", 4},
    Dtype{"uint64", "", "u64", 8},
};

/// By name, alias or abbreviation; null where there is none.
[[nodiscard]] constexpr const Dtype *dtypeOf(std::string_view word)
{
    for (const Dtype &dtype : Dtypes) {
        if (!word.empty() && (dtype.name == word || dtype.alias == word || dtype.abbreviation == word))
            return &dtype;
    }
    return nullptr;
}

} // namespace pipescope
