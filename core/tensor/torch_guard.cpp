#include "tensor/torch_guard.h"

#include "base/text.h"
#include "tensor/cut_text.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <cctype>
#include <cstddef>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <regex>
#include <system_error>

namespace pipescope::tensor {

namespace {

constexpr std::size_t MessageLimit = 600;
constexpr std::string_view InterpreterFailed = "The following operation failed in the TorchScript interpreter.";

/// "RuntimeError: ..." starts at the beginning of a line and has nothing but a class name before its colon.
bool startsException(std::string_view line)
{
    const std::size_t colon = line.find(": ");
    if (colon == 0 || colon == std::string_view::npos || !std::isalpha(static_cast<unsigned char>(line[0])))
        return false;
    return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

/// What a TorchScript traceback ends with. Everything from there on, because the text may have several lines.
std::string_view finalException(std::string_view text)
{
    const std::size_t marker = text.rfind("<--- HERE");
    std::size_t begin = marker == std::string_view::npos ? 0 : std::min(text.find('\n', marker), text.size());
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (startsException(text.substr(begin, end - begin)))
            return trimmed(text.substr(begin));
        begin = end + 1;
    }
    return trimmed(text);
}

/// Without LibTorch's "[enforce fail at inline_container.cc:145] . " and its C++ backtrace; the first paragraph only.
std::string firstParagraph(std::string_view text)
{
    text = text.substr(0, text.find("\nException raised from "));
    text = trimmed(text);
    if (text.starts_with("[enforce fail at ")) {
        const std::size_t condition = text.find("] ");
        const std::size_t sentence = condition == std::string_view::npos ? condition : text.find(". ", condition);
        if (sentence != std::string_view::npos)
            text = text.substr(sentence + 2);
    }
    text = trimmed(text.substr(0, text.find("\n\n")));
    return cutText(text, MessageLimit);
}

/// How much an out-of-memory text of the CPU allocator says was asked for.
std::optional<std::string> cpuOutOfMemory(const std::string &text)
{
    static const std::regex pattern(R"(you tried to allocate (\d{1,18}) bytes)");
    std::smatch match;
    if (!std::regex_search(text, match, pattern))
        return std::nullopt;
    return fmt::format("out of memory: {} were asked for at once", formatBytes(std::stoll(match[1])));
}

Error describe(ErrorCode code, std::string_view where, const std::string &text)
{
    Error error{code, {}, std::string(where), {}};
    const bool interpreter = text.find(InterpreterFailed) != std::string::npos;
    const std::string_view body = interpreter ? finalException(text) : std::string_view(text);
    error.message = firstParagraph(body);
    if (const auto memory = cpuOutOfMemory(error.message)) {
        error.code = ErrorCode::OutOfResources;
        error.message = *memory;
    }
    if (error.message.empty())
        error.message = "LibTorch failed and gave no reason";
    if (interpreter)
        error.details = std::string(trimmed(text));
    else if (body.size() > error.message.size() + 64)
        error.details = std::string(trimmed(text.substr(0, text.find("\nException raised from "))));
    return error;
}

} // namespace

Error currentException(ErrorCode code, std::string_view where)
{
    try {
        throw;
    } catch (const c10::Error &e) {
        return describe(code, where, e.what_without_backtrace());
    } catch (const std::bad_alloc &) {
        return {
            ErrorCode::OutOfResources, "out of memory; how much was asked for is not known", std::string(where), {}};
    } catch (const std::system_error &e) {
        if (e.code() == std::errc::resource_unavailable_try_again)
            return {ErrorCode::OutOfResources,
                    "the system gives no more threads; use fewer devices or fewer threads for each",
                    std::string(where),
                    {}};
        return describe(code, where, e.what());
    } catch (const std::exception &e) {
        return describe(code, where, e.what());
    } catch (...) {
        return {code, "an exception of an unknown type was thrown", std::string(where), {}};
    }
}

} // namespace pipescope::tensor
