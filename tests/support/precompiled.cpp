// Nothing of its own: compiled for the precompiled headers that tests share (pipescope_add_test_pch).
