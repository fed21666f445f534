#include "bubble_option.h"

#include "number_option.h"

#include <limits>

namespace pipescope::app {

void addBubbleOption(CLI::App &command, std::size_t &count)
{
    command.add_option("--bubbles", count, "Tell of so many bubbles, the longest (5)")
        ->type_name("N")
        ->transform(wholeNumber(0, std::numeric_limits<int>::max()));
}

} // namespace pipescope::app
