#include "bubble_option.h"

#include "number_option.h"

namespace pipescope::app {

void addBubbleOption(CLI::App &command, std::size_t &count)
{
    command.add_option("--bubbles", count, "How many of the longest bubbles to list (5)")
        ->type_name("N")
        ->transform(wholeNumber(0, MostBubbles));
}

} // namespace pipescope::app
