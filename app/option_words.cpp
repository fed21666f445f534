#include "option_words.h"

#include "shell_word.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace pipescope::app {

namespace {

/// Phrases of the library, and the same on the command line.
constexpr std::array Phrases{
    std::pair<std::string_view, std::string_view>{", or look at the structure only",
                                                  " with --op-library LIB.so, or look at the structure only with "
                                                  "--structure-only"},
    std::pair<std::string_view, std::string_view>{"where only the structure is looked at, ",
                                                  "with --structure-only, where only the structure is looked at, "},
    std::pair<std::string_view, std::string_view>{"with the key 'pipescopePlan'.",
                                                  "with the key 'pipescopePlan', as run --save-plan writes it."},
    std::pair<std::string_view, std::string_view>{"; its structure can be looked at",
                                                  "; --structure-only shows its structure"},
    std::pair<std::string_view, std::string_view>{"; choose one of them as the method",
                                                  "; choose one with --method NAME"},
    std::pair<std::string_view, std::string_view>{"so autograd has to be recorded while it runs",
                                                  "so autograd has to be recorded while it runs: add --grad"},
    std::pair<std::string_view, std::string_view>{"Specialise again for what is given now",
                                                  "Add --specialise for what is given now"},
    std::pair<std::string_view, std::string_view>{"; do not specialise, or look at all of it",
                                                  "; leave out --specialise, or --structure-only"},
    std::pair<std::string_view, std::string_view>{"the method takes none, so leave it out",
                                                  "the method takes none, so leave out --specialise"},
    std::pair<std::string_view, std::string_view>{"the outputs' chunk spec",
                                                  "the outputs' chunk spec (--chunk-output)"},
};

/// Places that are no file, stage or name.
constexpr std::array Places{
    std::pair<std::string_view, std::string_view>{"inputs", "--input"},
    std::pair<std::string_view, std::string_view>{"specialised", "--specialise"},
    std::pair<std::string_view, std::string_view>{"method", "--method"},
    std::pair<std::string_view, std::string_view>{"warm-ups", "--warm-up"},
    std::pair<std::string_view, std::string_view>{"repeat", "--repeat"},
    std::pair<std::string_view, std::string_view>{"input chunks", "--chunk"},
    std::pair<std::string_view, std::string_view>{"output chunks", "--chunk-output"},
};

void replaceOnce(std::string &text, std::string_view phrase, std::string_view words)
{
    if (const std::size_t at = text.find(phrase); at != std::string::npos)
        text.replace(at, phrase.size(), words);
}

/// "--input 'x=float32[2,3]'".
std::string inputOption(std::string_view input)
{
    return fmt::format("--input {}", shellWord(input));
}

/// "; give it a value, such as float32[2,3] (guess: ...)".
void nameMissingInput(Error &error)
{
    constexpr std::string_view phrase = "; give it a value, such as ";
    const std::size_t at = error.message.find(phrase);
    if (at == std::string::npos)
        return;
    const std::size_t begin = at + phrase.size();
    const std::size_t others = std::min(error.message.find("; missing too: ", at), error.message.size());
    const std::size_t end = std::min(error.message.find(" (guess: ", begin), others);
    error.message =
        fmt::format("{}; give it as {}{}", error.message.substr(0, at),
                    inputOption(fmt::format("{}={}", error.where, error.message.substr(begin, end - begin))),
                    error.message.substr(end));
}

/// "; write it as x=1" and "; give it as x=1 and y=2", which end a message.
void nameInputs(std::string &message)
{
    for (const std::string_view phrase : {"; write it as ", "; give it as "}) {
        const std::size_t at = message.rfind(phrase);
        if (at == std::string::npos || message.find("--input ", at) != std::string::npos)
            continue;
        constexpr std::string_view And = " and ";
        std::string options;
        for (std::size_t begin = at + phrase.size(); begin < message.size();) {
            const std::size_t end = std::min(message.find(And, begin), message.size());
            options.append(options.empty() ? "" : " ");
            options.append(inputOption(std::string_view(message).substr(begin, end - begin)));
            begin = end + And.size();
        }
        message.resize(at + phrase.size());
        message.append(options);
    }
}

} // namespace

std::string withOptions(std::string text)
{
    for (const auto &[phrase, words] : Phrases)
        replaceOnce(text, phrase, words);
    return text;
}

Error withOptions(Error error)
{
    error.message = withOptions(std::move(error.message));
    if (error.message.starts_with("cannot use the plan ")) // whose place is a key of that file
        return error;
    if (error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::ModelFailed)
        nameInputs(error.message);
    if (error.message.starts_with("missing a required argument: "))
        nameMissingInput(error);
    else // whose place is the argument's name, which may be any of these
        for (const auto &[place, option] : Places)
            if (error.where == place)
                error.where = option;
    return error;
}

report::RunReport withOptions(report::RunReport report)
{
    report.separabilityUnknown = withOptions(std::move(report.separabilityUnknown));
    if (report.separability)
        report.separability->explanation = withOptions(std::move(report.separability->explanation));
    return report;
}

} // namespace pipescope::app
