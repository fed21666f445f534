#include "program.h"

// An exception that gets so far is a fault of the program and ends it at once.
int main(int argc, char **argv) // NOLINT(bugprone-exception-escape)
{
    return pipescope::app::runProgram(argc, argv);
}
