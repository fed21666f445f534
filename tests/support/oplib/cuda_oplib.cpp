// A library of operators that was built for CUDA: its operators run on the CPU, and it asks for LibTorch's GPU half.
// cudalib::twice gives twice its operand; cudalib::stream asks for a CUDA stream and gives LibTorch's status;
// cudalib::message gives the text for an error of CUDA's.

#include <ATen/ATen.h>
#include <string>
#include <torch/library.h>

extern "C" {
std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t device, void **stream);
std::int32_t torch_c10_cuda_check_msg(std::int32_t error, const char *file, const char *function, std::uint32_t line,
                                      bool withAssertions, char **message);
void torch_c10_cuda_free_error_msg(char *message);
}

namespace {

at::Tensor twice(const at::Tensor &x)
{
    return x * 2;
}

std::int64_t stream()
{
    void *stream = nullptr;
    return aoti_torch_get_current_cuda_stream(0, &stream);
}

std::string message(std::int64_t error)
{
    char *text = nullptr;
    torch_c10_cuda_check_msg(static_cast<std::int32_t>(error), "kernel.cu", "launch", 7, false, &text);
    std::string result = text == nullptr ? "" : text;
    torch_c10_cuda_free_error_msg(text);
    return result;
}

} // namespace

TORCH_LIBRARY(cudalib, library)
{
    library.def("twice(Tensor x) -> Tensor", &twice);
    library.def("stream() -> int", &stream);
    library.def("message(int error) -> str", &message);
}
