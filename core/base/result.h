// Result<T>: a value or an Error. Ours because std::expected is C++23 and clang-tidy 14 cannot parse it.
// Propagate with `if (!r) return r.error();`.
#pragma once

#include "base/error.h"

#include <utility>
#include <variant>

namespace pipescope {

template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) // NOLINT(google-explicit-constructor): `return value;` is the point
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error) // NOLINT(google-explicit-constructor): so is `return error;`
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    explicit operator bool() const { return m_state.index() == 0; }
    /// The value; aborts when there is none.
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T &&operator*() && { return std::move(value()); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }
    /// The error; aborts when there is none.
    [[nodiscard]] const Error &error() const
    {
        PIPESCOPE_ASSERT(m_state.index() == 1);
        return std::get<1>(m_state);
    }

private:
    T &value()
    {
        PIPESCOPE_ASSERT(m_state.index() == 0);
        return std::get<0>(m_state);
    }
    const T &value() const
    {
        PIPESCOPE_ASSERT(m_state.index() == 0);
        return std::get<0>(m_state);
    }

    std::variant<T, Error> m_state;
};

/// The value of a Result that carries none: `return Success{};`.
struct Success
{
    friend bool operator==(Success, Success) = default;
};

using Status = Result<Success>;

} // namespace pipescope
