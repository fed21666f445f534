// What of a plan is sent: everything, whether it is complete or not. Inputs and chunk specs go in the text form that
// plan files and the command line have for them. Private to protocol/.
#pragma once

#include "plan/plan.h"
#include "protocol/codec.h"

namespace pipescope::protocol {

template <>
struct TextForm<plan::InputSpec>
{
    static constexpr bool exists = true;
    static std::string write(const plan::InputSpec &input) { return plan::toText(input); }
    static Result<plan::InputSpec> parse(const std::string &text) { return plan::parseInputSpec(text); }
};

template <>
struct TextForm<microbatch::ChunkSpec>
{
    static constexpr bool exists = true;
    static std::string write(const microbatch::ChunkSpec &spec) { return microbatch::toText(spec); }
    static Result<microbatch::ChunkSpec> parse(const std::string &text) { return microbatch::parseChunkSpec(text); }
};

void fields(auto &visit, Is<plan::Plan> auto &plan)
{
    visit("model", plan.model);
    visit("modelSha256", plan.modelSha256);
    visit("method", plan.method);
    visit("opLibraries", plan.opLibraries);
    visit("inputs", plan.inputs);
    visit("inputChunks", plan.inputChunks);
    visit("outputChunks", plan.outputChunks);
    visit("splits", plan.splits);
    visit("microbatches", plan.microbatches);
    visit("schedule", plan.schedule);
    visit("devices", plan.devices);
    visit("threadsPerRank", plan.threadsPerRank);
    visit("maxInFlight", plan.maxInFlight);
    visit("seed", plan.seed);
    visit("grad", plan.grad);
    visit("rtol", plan.rtol);
    visit("atol", plan.atol);
}

} // namespace pipescope::protocol
