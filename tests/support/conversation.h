// A conversation between a window and an engine, kept in a file: both sides' frames in the order they were sent.
#pragma once

#include "protocol/frame.h"
#include "protocol/message.h"

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace pipescope::tests {

/// The payload of each frame; fewer than there are where the file is damaged.
inline std::vector<std::string> readConversation(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    protocol::FrameReader frames;
    frames.feed(bytes);
    std::vector<std::string> payloads;
    for (auto frame = frames.next(); frame && *frame; frame = frames.next())
        payloads.push_back(**frame);
    return payloads;
}

inline void writeConversation(const std::string &path, const std::vector<protocol::Message> &messages)
{
    std::ofstream file(path, std::ios::binary);
    for (const protocol::Message &message : messages)
        file << *protocol::frameOf(protocol::toBytes(message));
}

} // namespace pipescope::tests
