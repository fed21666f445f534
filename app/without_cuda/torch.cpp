// libtorch.so, by which a wheel means all of LibTorch. Empty: its CPU half is loaded already.
