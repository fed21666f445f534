#include "outline/operator_words.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace pipescope::outline {

std::string operatorOfSign(std::string_view sign)
{
    constexpr std::array<std::pair<std::string_view, const char *>, 10> Signs{{{"+", "aten::add"},
                                                                               {"-", "aten::sub"},
                                                                               {"*", "aten::mul"},
                                                                               {"/", "aten::div"},
                                                                               {"%", "aten::remainder"},
                                                                               {"@", "aten::matmul"},
                                                                               {"<", "aten::lt"},
                                                                               {">", "aten::gt"},
                                                                               {"=", "aten::eq"},
                                                                               {"!", "aten::ne"}}};
    for (const auto &[written, name] : Signs)
        if (written == sign)
            return name;
    return fmt::format("prim::{}", sign);
}

std::string operatorOfWord(std::string_view word)
{
    constexpr std::array<std::pair<std::string_view, const char *>, 7> Words{{{"bool", "aten::Bool"},
                                                                              {"int", "aten::Int"},
                                                                              {"float", "aten::Float"},
                                                                              {"complex", "aten::Complex"},
                                                                              {"str", "aten::str"},
                                                                              {"len", "aten::len"},
                                                                              {"print", "prim::Print"}}};
    for (const auto &[written, name] : Words)
        if (written == word)
            return name;
    return {};
}

} // namespace pipescope::outline
