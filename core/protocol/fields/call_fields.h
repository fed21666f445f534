// What of the messages' own structs is sent. Private to protocol/.
#pragma once

#include "protocol/calls.h"
#include "protocol/fields/report_fields.h"

namespace pipescope::protocol {

void fields(auto &visit, Is<Hello> auto &hello)
{
    visit("version", hello.version);
    visit("client", hello.client);
}

void fields(auto &visit, Is<MemoryLeft> auto &left)
{
    visit("bytes", left.bytes);
    visit("source", left.source);
}

void fields(auto &visit, Is<Welcome> auto &welcome)
{
    visit("version", welcome.version);
    visit("engine", welcome.engine);
    visit("torch", welcome.torch);
    visit("host", welcome.host);
    visit("cores", welcome.cores);
    visit("processId", welcome.processId);
    visit("residentBytes", welcome.residentBytes);
    visit("left", welcome.left);
}

void fields(auto &visit, Is<SplitRequest> auto &request)
{
    visit("run", request.run);
    visit("folder", request.folder);
    visit("keepUnused", request.keepUnused);
}

void fields(auto &visit, Is<CancelRequest> auto &request)
{
    visit("id", request.id);
}

void fields(auto &visit, Is<CancelAnswer> auto &answer)
{
    visit("wasRunning", answer.wasRunning);
}

void fields(auto &visit, Is<ProgressNote> auto &note)
{
    visit("step", note.step);
    visit("fraction", note.fraction);
}

void fields(auto &visit, Is<TextNote> auto &note)
{
    visit("text", note.text);
}

void fields(auto &visit, Is<MemoryNote> auto &note)
{
    visit("residentBytes", note.residentBytes);
    visit("left", note.left);
}

} // namespace pipescope::protocol
