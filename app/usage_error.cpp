#include "usage_error.h"

#include "base/text.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace pipescope::app {

namespace {

/// The command that was named, else the program itself.
const CLI::App &namedCommand(const CLI::App &app)
{
    const std::vector<CLI::App *> named = app.get_subcommands();
    return named.empty() ? app : *named.front();
}

std::vector<std::string> optionNames(const CLI::App &command)
{
    std::vector<std::string> names;
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

std::vector<std::string> commandNames(const CLI::App &app)
{
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::string unexpected(const CLI::App &app, const CLI::App &command, const std::string &word)
{
    const std::string name = word.substr(0, word.find('='));
    if (&command == &app && word == "--json")
        return "no command was named";
    if (word.starts_with('-'))
        return fmt::format("there is no option '{}'.{}", name, didYouMean(name, optionNames(command)));
    if (&command == &app)
        return fmt::format("there is no command '{}'.{}", word, didYouMean(word, commandNames(app)));
    return fmt::format("'{}' is one argument too many", word);
}

/// Of "--repeat: expected ..."; "" where it names none.
std::string optionAhead(const std::string &message)
{
    const std::size_t colon = message.find(": ");
    return message.starts_with("--") && message.find(' ') > colon ? message.substr(0, colon) : "";
}

} // namespace

Error usageError(const CLI::App &app, const CLI::ParseError &thrown)
{
    const CLI::App &command = namedCommand(app);
    const std::string help = fmt::format("{} --help lists what there is",
                                         &command == &app ? "pipescope-cli" : "pipescope-cli " + command.get_name());
    std::string message = thrown.what();
    const std::vector<std::string> rest = app.remaining(true);
    if (dynamic_cast<const CLI::ExtrasError *>(&thrown) != nullptr && !rest.empty())
        message = unexpected(app, command, rest.front());
    return {ErrorCode::InvalidArgument, fmt::format("{} ({})", message, help), optionAhead(message), {}};
}

} // namespace pipescope::app
