// How many of LibTorch's intra-op threads work for a thread of ours.
#pragma once

namespace pipescope::tensor {

/// Of the calling thread, from now on. Becomes the default, too, of threads that first ask later: whoever starts
/// threads of some width keeps a CallersWidth meanwhile.
void setThreadWidth(int threads);

/// Puts back the width that the calling thread had when this was made.
class CallersWidth
{
public:
    CallersWidth();
    ~CallersWidth();
    CallersWidth(const CallersWidth &) = delete;
    CallersWidth &operator=(const CallersWidth &) = delete;

private:
    const int m_threads;
};

} // namespace pipescope::tensor
