// The headless program: reads the command line and runs one command. The work of each command is in command_*.cpp.
#pragma once

namespace pipescope::app {

/// What main() does, in a process that has done nothing else yet; the exit code.
int runProgram(int argc, char **argv);

} // namespace pipescope::app
