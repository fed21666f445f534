#include "base/resident_memory.h"

#include <fstream>
#include <unistd.h>

namespace pipescope {

std::int64_t residentMemory()
{
    std::ifstream statm("/proc/self/statm"); // in pages: all of it, then what is resident
    std::int64_t all = 0;
    std::int64_t resident = 0;
    if (!(statm >> all >> resident))
        return 0;
    return resident * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace pipescope
