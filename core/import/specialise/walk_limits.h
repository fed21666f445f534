// How far the walk over the original graphs goes: how many nodes, how deep, and until somebody asks it to stop. Throws
// what specialise.cpp turns into errors. Private to import/specialise.
#pragma once

#include <stop_token>
#include <string>
#include <utility>

namespace pipescope::import {

struct TooLarge
{
    std::string what;
};

struct Stopped
{
};

class WalkLimits
{
public:
    explicit WalkLimits(std::stop_token stop)
        : m_stop(std::move(stop))
    {
    }

    /// Call it for each node. Throws TooLarge, Stopped.
    void countNode();

    /// One level of the walk, and of every walk over what it makes: a call, or a block of an if or loop. Throws
    /// TooLarge.
    class Level
    {
    public:
        explicit Level(WalkLimits &limits);
        ~Level() { --m_limits.m_depth; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

    private:
        WalkLimits &m_limits;
    };

private:
    std::stop_token m_stop;
    int m_nodes = 0;
    int m_depth = 0;
};

} // namespace pipescope::import
