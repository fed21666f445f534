// What is best not ended in the middle: files that are given their places together.
#pragma once

#include <chrono>
#include <functional>

namespace pipescope {

/// While one lives, files are being given their places. For what ends by itself, soon: nobody ends the process until it
/// has, but by force.
class Commit
{
public:
    Commit();
    ~Commit();
    Commit(const Commit &) = delete;
    Commit &operator=(const Commit &) = delete;
    Commit(Commit &&) = delete;
    Commit &operator=(Commit &&) = delete;
};

/// For who is about to end the process: calls `end`, during which no Commit begins, where none is under way or ended
/// less than `quiet` before `now`, as more may follow that belongs to it. Whether it was called.
bool unlessCommitting(std::chrono::milliseconds quiet, const std::function<void()> &end,
                      std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

/// For tests. How often unlessCommitting() has called nothing.
int endsPutOff();

} // namespace pipescope
