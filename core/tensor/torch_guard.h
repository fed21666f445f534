// The one border where LibTorch's exceptions become Errors. Every call into LibTorch that user input can make fail sits
// in guardTorch; nothing else in the project catches c10::Error.
#pragma once

#include "base/result.h"

#include <functional>
#include <string_view>
#include <type_traits>

namespace pipescope::tensor {

/// Turns the exception now being handled into an Error: the short text as `message` (for c10::Error without its
/// backtrace, and without TorchScript's traceback, which goes to `details`), `where` as given. std::bad_alloc,
/// torch's out-of-memory texts and a refused thread are OutOfResources, whatever the code given. Call inside a catch
/// block only.
[[nodiscard]] Error currentException(ErrorCode code, std::string_view where);

/// Runs `body` and returns its result, or the Error its exception became. `body` returns T or Result<T>; void gives
/// Status.
template <class Body>
auto guardTorch(ErrorCode code, std::string_view where, Body &&body)
{
    using Returned = std::invoke_result_t<Body>;
    if constexpr (std::is_void_v<Returned>) {
        try {
            body();
            return Status(Success{});
        } catch (...) {
            return Status(currentException(code, where));
        }
    } else if constexpr (requires(Returned r) { r.error(); }) {
        try {
            return body();
        } catch (...) {
            return Returned(currentException(code, where));
        }
    } else {
        try {
            return Result<Returned>(body());
        } catch (...) {
            return Result<Returned>(currentException(code, where));
        }
    }
}

} // namespace pipescope::tensor
