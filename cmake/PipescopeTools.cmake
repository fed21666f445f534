# Optional build tools: a compiler cache and a fast linker, used where they are installed.
find_program(PIPESCOPE_CCACHE ccache)
if(PIPESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The precompiled header needs these two relaxations to be cached at all.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "${PIPESCOPE_CCACHE}")
endif()
find_program(PIPESCOPE_MOLD mold)
if(PIPESCOPE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
if(PIPESCOPE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
