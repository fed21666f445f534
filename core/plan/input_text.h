// Reading input specs character by character. Private to plan/.
#pragma once

#include "plan/input_spec.h"

namespace pipescope::plan {

class InputParser
{
public:
    explicit InputParser(std::string_view text) : m_text(text) {}
    Result<InputSpec> run();

private:
    Result<InputValue> value(int depth);
    Result<InputValue> tensor(std::size_t start, std::string dtype);
    Status range(TensorSpec &spec);
    Status seed(TensorSpec &spec);
    Result<InputValue> file();
    Result<InputValue> quoted(char quote);
    Result<InputValue> number();
    Result<std::vector<InputValue>> items(char close, int depth);
    Result<InputValue> dict(int depth);
    Result<InputValue> wordValue(int depth);
    Result<std::int64_t> integer(std::string_view what);

    [[nodiscard]] Error expected(std::string_view what) const;
    [[nodiscard]] Error refuse(std::size_t at, const std::string &why) const;
    void skipBlanks();
    bool take(std::string_view token);
    [[nodiscard]] bool atWord() const;
    std::string word();

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace pipescope::plan
