// How far two values are apart, and whether that is close by torch.testing's measure.
#pragma once

#include "base/result.h"

#include <ATen/core/ivalue.h>
#include <optional>
#include <string>
#include <string_view>

namespace pipescope::tensor {

struct Tolerance
{
    double rtol = 0;
    double atol = 0;
};

/// torch.testing.assert_close's defaults: float16 1e-3, 1e-5; bfloat16 1.6e-2, 1e-5; float32 1.3e-6, 1e-5; float64
/// 1e-7, 1e-7; complex as their parts; quantized types as float32; everything else 0, 0.
[[nodiscard]] Tolerance defaultTolerance(at::ScalarType type);

/// From the mildest to the worst.
enum class Difference {
    None,
    Rounding,    ///< apart by no more than a reordered sum of such numbers would be, or close by a tolerance given
    ScaleFactor, ///< actual = scale * expected
    Permutation, ///< the same rows (along dimension 0) in another order
    Values,
    Dtype,
    Shape,
    Structure, ///< other containers, or a tensor where there was none
};
/// "none", "rounding", "scale-factor", "permutation", "values", "dtype", "shape", "structure".
[[nodiscard]] std::string_view differenceName(Difference difference);

struct Comparison
{
    bool bitwise = true;    ///< same bits everywhere (NaN equals NaN)
    bool close = true;      ///< |a - b| <= atol + rtol * |expected| everywhere; NaN equals NaN, infinities by sign
    double maxAbsError = 0; ///< infinity where structures, shapes, dtypes, infinities or NaNs differ
    double maxRelError = 0; ///< |a - b| / |expected| where expected is not 0
    double relL2 = 0;       ///< ||a - b|| / ||expected||
    Difference difference = Difference::None; ///< the worst leaf's
    double scale = 1;                         ///< for ScaleFactor: actual = scale * expected
    std::string worst; ///< where the largest error is: "[1]['h'] at (3, 17): expected 1.5, got 2.5"; "" when bitwise
    std::string unknown = {}; ///< why the values cannot be compared, which says nothing about them; else ""

    friend bool operator==(const Comparison &, const Comparison &) = default;
};

/// Compares two trees leaf by leaf; the result is the worst over leaves. Dicts are compared by key. Numbers are
/// compared as 0-dim int64 and float64 tensors, quantized tensors by what they stand for, sparse ones as dense, nested
/// ones as lists of their parts, all on the CPU; class objects and futures as opened_value.h has them. Leaves of other
/// kinds must be equal; of modules, generators and the like nothing is known but whether they are the very same one.
/// `unknown` only where nothing else differs.
[[nodiscard]] Comparison compare(const c10::IValue &expected, const c10::IValue &actual,
                                 std::optional<Tolerance> tolerance = {});

} // namespace pipescope::tensor
