// SHA-256 of bytes that come piece by piece.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace pipescope {

class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256 &) = delete;
    Sha256 &operator=(const Sha256 &) = delete;
    Sha256(Sha256 &&) = delete;
    Sha256 &operator=(Sha256 &&) = delete;

    void add(std::string_view bytes);
    /// Of all that was added, in lower-case hexadecimal. Nothing may be added afterwards.
    [[nodiscard]] std::string finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace pipescope
