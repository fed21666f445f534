#include "tell.h"

#include "base/shown_text.h"

#include <cstdio>

namespace pipescope::app {

void tellError(std::string_view problem)
{
    std::fprintf(stderr, "pipescope: error: %s\n", shownText(problem).c_str());
}

void tellWarning(std::string_view problem)
{
    std::fprintf(stderr, "pipescope: warning: %s\n", shownText(problem).c_str());
}

} // namespace pipescope::app
