#include "terminal.h"

#include "base/shown_text.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace pipescope::app {

namespace {

constexpr int Narrowest = 40;
constexpr int Widest = 400;

int columnsOf(int file)
{
    winsize size{};
    if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    int columns = 0;
    if (const char *text = std::getenv("COLUMNS"))
        std::from_chars(text, text + std::strlen(text), columns);
    return columns > 0 ? columns : Terminal{}.columns;
}

bool wantsColour()
{
    const char *noColour = std::getenv("NO_COLOR");
    const char *term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && (noColour == nullptr || *noColour == '\0') &&
           (term == nullptr || std::strcmp(term, "dumb") != 0);
}

std::string painted(const Terminal &terminal, std::string_view code, std::string_view text)
{
    const std::string shown = shownText(text);
    return terminal.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, shown) : shown;
}

} // namespace

Result<ColourChoice> parseColour(std::string_view text)
{
    if (text == "auto")
        return ColourChoice::Auto;
    if (text == "always")
        return ColourChoice::Always;
    if (text == "never")
        return ColourChoice::Never;
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("'{}' is no choice; write auto, always or never.{}", text,
                             didYouMean(text, {"auto", "always", "never"})),
                 "--colour",
                 {}};
}

Terminal standardOutput(ColourChoice choice)
{
    Terminal terminal;
    terminal.colour = choice == ColourChoice::Always || (choice == ColourChoice::Auto && wantsColour());
    terminal.columns = std::clamp(columnsOf(STDOUT_FILENO), Narrowest, Widest);
    return terminal;
}

std::string bold(const Terminal &terminal, std::string_view text)
{
    return painted(terminal, "1", text);
}

std::string good(const Terminal &terminal, std::string_view text)
{
    return painted(terminal, "32", text);
}

std::string bad(const Terminal &terminal, std::string_view text)
{
    return painted(terminal, "31", text);
}

std::string dim(const Terminal &terminal, std::string_view text)
{
    return painted(terminal, "2", text);
}

} // namespace pipescope::app
