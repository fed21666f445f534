// How many members a struct really has, so that one that nobody listed is noticed.
#pragma once

#include <cstddef>

namespace pipescope::tests {

/// Turns into whatever a member is made from.
struct Anything
{
    template <class T>
    operator T() const; // NOLINT(google-explicit-constructor): members are made from it unseen
};

/// How many members an aggregate has.
template <class T, class... Known>
constexpr std::size_t memberCount()
{
    if constexpr (requires { T{Known{}..., Anything{}}; })
        return memberCount<T, Known..., Anything>();
    else
        return sizeof...(Known);
}

} // namespace pipescope::tests
