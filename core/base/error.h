// What went wrong, as a value: a code programs can rely on, a sentence for people, and the place. Everything user input
// can break returns one (see result.h); broken invariants of our own abort through PIPESCOPE_ASSERT instead.
#pragma once

#include <string>
#include <string_view>

namespace pipescope {

/// Stable error classes. Their texts (codeName) appear as `error.code` in JSON output.
enum class ErrorCode {
    InvalidArgument, ///< an option, spec or input value that cannot be used
    NotFound,        ///< a file, module, node or name that does not exist
    InvalidFile,     ///< a file that is not what it should be, or is damaged
    Unsupported,     ///< understood, but not something that can be done
    IllegalCut,      ///< a split point where the model cannot be cut
    WriteFailed,     ///< a file that could not be written
    ModelFailed,     ///< the model itself threw while running
    OutOfResources,  ///< the machine gave no more memory or threads
    Deadlock,        ///< a schedule or run in which nobody can go on
    Cancelled,       ///< the user asked to stop
    Internal,        ///< a fault of this program
};

/// "invalid-argument", "not-found", ...
[[nodiscard]] std::string_view codeName(ErrorCode code);

/// A failure. `message` is one complete sentence or clause saying what is wrong and what to do about it; `where` names
/// the file, option, stage, node or position it is about (empty when the message says it all); `details` is long text
/// such as a TorchScript traceback, shown on request only.
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string where;
    std::string details;

    friend bool operator==(const Error &, const Error &) = default;
};

/// The process exit code the command line uses for an error: 2 for bad input, 3 for an internal error, 130 when
/// cancelled (128 + SIGINT, as shells have it). 1 is kept for a failed check, which is no Error.
[[nodiscard]] int exitCode(ErrorCode code);

/// Prints the broken invariant and aborts. For faults of this program only, never for user input.
[[noreturn]] void assertionFailed(const char *condition, const char *file, int line);

} // namespace pipescope

#define PIPESCOPE_ASSERT(condition)                                                                                    \
    ((condition) ? static_cast<void>(0) : ::pipescope::assertionFailed(#condition, __FILE__, __LINE__))
