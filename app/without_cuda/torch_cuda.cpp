// libtorch_cuda.so for a LibTorch without it: the functions of LibTorch's stable interface that libraries of operators
// take from there. The loader wants them before the first operator runs; on the CPU none of them is called, and who
// calls one is told that there is no CUDA. Declared in torch/csrc/inductor/aoti_torch/c/shim.h and
// torch/csrc/stable/c/shim.h.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr std::int32_t Ok = 0;     // AOTI_TORCH_SUCCESS
constexpr std::int32_t Failed = 1; // AOTI_TORCH_FAILURE

} // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the names are LibTorch's.
std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t device, void **stream);
std::int32_t torch_c10_cuda_check_msg(std::int32_t error, const char *file, const char *function, std::uint32_t line,
                                      bool withAssertions, char **message);
void torch_c10_cuda_free_error_msg(char *message);
// NOLINTEND(readability-identifier-naming)

std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t /*device*/, void **stream)
{
    *stream = nullptr;
    return Failed;
}

std::int32_t torch_c10_cuda_check_msg(std::int32_t error, const char *file, const char * /*function*/,
                                      std::uint32_t line, bool /*withAssertions*/, char **message)
{
    *message = nullptr;
    if (error == 0)
        return Ok;
    constexpr std::size_t Longest = 512;
    *message = static_cast<char *>(std::malloc(Longest)); // freed below
    if (*message != nullptr)
        std::snprintf(*message, Longest, "CUDA error %d at %s:%u; this LibTorch has no CUDA", static_cast<int>(error),
                      file, static_cast<unsigned>(line));
    return Failed;
}

void torch_c10_cuda_free_error_msg(char *message)
{
    std::free(message);
}
}
