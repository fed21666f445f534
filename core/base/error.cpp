#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace pipescope {

std::string_view codeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "invalid-argument";
    case ErrorCode::NotFound:
        return "not-found";
    case ErrorCode::InvalidFile:
        return "invalid-file";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::IllegalCut:
        return "illegal-cut";
    case ErrorCode::WriteFailed:
        return "write-failed";
    case ErrorCode::ModelFailed:
        return "model-failed";
    case ErrorCode::OutOfResources:
        return "out-of-resources";
    case ErrorCode::Deadlock:
        return "deadlock";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Internal:
        break;
    }
    return "internal";
}

int exitCode(ErrorCode code)
{
    if (code == ErrorCode::Internal)
        return 3;
    return code == ErrorCode::Cancelled ? 130 : 2;
}

void assertionFailed(const char *condition, const char *file, int line)
{
    std::fprintf(stderr, "pipescope: broken invariant: %s (%s:%d)\n", condition, file, line);
    std::abort();
}

} // namespace pipescope
