// The opcodes of pickles, one row each: which dialect has it, and what it makes the machine do.
#pragma once

#include "archive/pickle_machine.h"

namespace pipescope::archive {

using PickleStep = void (*)(PickleMachine &);

/// nullptr for a code that is none of the dialect's.
[[nodiscard]] PickleStep pickleStep(PickleDialect dialect, unsigned char code);

} // namespace pipescope::archive
