// Which operators the signs and words of the code stand for. Private to outline/.
#pragma once

#include <string>
#include <string_view>

namespace pipescope::outline {

/// "aten::add" of "+"; of a sign that is none of an operator's, a name made of it.
[[nodiscard]] std::string operatorOfSign(std::string_view sign);

/// What the words bool(x), int(x) and so on call; "" for no operator.
[[nodiscard]] std::string operatorOfWord(std::string_view word);

} // namespace pipescope::outline
