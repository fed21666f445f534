#include "tensor/thread_width.h"

#include <ATen/Parallel.h>

namespace pipescope::tensor {

void setThreadWidth(int threads)
{
    at::get_num_threads(); // takes over the process default now, or that would happen later and undo the next line
    at::set_num_threads(threads);
}

CallersWidth::CallersWidth()
    : m_threads(at::get_num_threads())
{
}

CallersWidth::~CallersWidth()
{
    at::set_num_threads(m_threads);
}

} // namespace pipescope::tensor
