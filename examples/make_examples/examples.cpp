#include "make_examples/examples.h"

namespace pipescope::examples {

namespace {

constexpr Example Examples[] = {
    {"decoder", "GPT-style decoder: token ids in, tied embedding, blocks under transformer.h", "ids=int64[8,128]<50257",
     "ids=int64[8,16]<1000", "--split 4 --microbatches 8", &decoder},
    {"mlp", "a chain of equal layers: the easiest model to balance", "x=float32[64,512]", "x=float32[16,32]",
     "--split layers.2 --split layers.4 --split layers.6 --microbatches 8", &mlpChain},
    {"skip", "a value of the first stage is used again in the last, over the stages between", "x=float32[64,512]",
     "x=float32[16,32]", "--split markers --microbatches 4", &longSkip},
    {"rnn_state", "keeps a hidden state from call to call; its rows are steps of one sequence", "x=float32[16,64]",
     "x=float32[8,16]", "--split head --microbatches 4", &rnnState},
    {"resnet_like", "convolutions with batch norm in eval mode, and short skips around them", "x=float32[8,3,64,64]",
     "x=float32[4,3,8,8]", "--split 2 --microbatches 4", &resnetLike},
};

} // namespace

std::span<const Example> allExamples()
{
    return Examples;
}

} // namespace pipescope::examples
