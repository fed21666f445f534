// libc10_cuda.so, of which libraries with the stable interface use no function. Empty.
