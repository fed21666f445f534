// The models the tests run: small, made in C++ from TorchScript source (see make_examples/script_text.h), with weights
// that depend on a fixed seed only. Each is new on every call. Inputs are float32 [rows, width] unless said otherwise,
// and the models are in eval mode where that makes a difference.
#pragma once

#include <cstdint>
#include <torch/csrc/jit/api/module.h>

namespace pipescope::testing {

enum class Mode { Train, Eval };

// The models of torch.distributed.pipelining's own tests (seeds; pipelining.md 2.1). Markers are pippy::_pipe_split.

/// forward(x, y): `mm_param1` is used on both sides of the first marker, and a value of stage 0 skips to stage 2. Three
/// markers, four stages.
[[nodiscard]] torch::jit::Module exampleCode(std::int64_t width = 16);
/// forward(x, y): four MLPs mlp0 to mlp3 with markers between; the root input y is first used in the last stage (x -
/// y).
[[nodiscard]] torch::jit::Module multiMlp(std::int64_t width = 16);
/// forward(x, y): one Parameter is mm_param0 and mm_param1, one Linear is lin0 and lin1; the first names are used
/// before the marker, the second ones after it.
[[nodiscard]] torch::jit::Module modelWithParamAlias(std::int64_t width = 16);
/// forward(x): eight MLPs in `layers`, a Sequential; no markers.
[[nodiscard]] torch::jit::Module transformerLike(std::int64_t width = 16);
/// forward(x, y: Optional[Tensor] = None): without y, zeros are used; y is needed in stage 0 only. One marker.
[[nodiscard]] torch::jit::Module modelWithKwargs(std::int64_t width = 16);
/// forward(x [rows, 4, 8, 8], constant [8]): block0 and block1 of conv, linear, marker, add_ of `constant` in place
/// onto what crossed, linear, relu, and a marker between them: four stages, three of them writing or reading
/// `constant`.
[[nodiscard]] torch::jit::Module unflattenM();
/// The same with `add`, so that nothing is written in place and it may be split.
[[nodiscard]] torch::jit::Module unflattenWithoutWrites();

// Parameters, buffers and state.

/// A clone of the persistent buffer `offset` (without gradient) crosses the marker beside the activation.
[[nodiscard]] torch::jit::Module bufferModel(std::int64_t width = 16);
/// Methods forward and encode, which share `first`; `second` is used by forward only. Both have a marker.
[[nodiscard]] torch::jit::Module twoMethods(std::int64_t width = 16);
/// Assigns self.n and keeps its last row in the plain tensor self.hidden, which it reads in the next call; method
/// reset_states puts both back. `first` before the state, `second` after it.
[[nodiscard]] torch::jit::Module statefulCounter(std::int64_t width = 16);
/// relu_ and mul_ write in place onto what crossed the marker; `first` before, `second` after.
[[nodiscard]] torch::jit::Module inplaceChain(std::int64_t width = 16);
/// Linear, dropout with p = 0.5 when training, Linear.
[[nodiscard]] torch::jit::Module dropoutModel(Mode mode, std::int64_t width = 16);
/// Linear, batch norm with running statistics, Linear. In train mode its rows are not independent and its buffers
/// change.
[[nodiscard]] torch::jit::Module batchNormModel(Mode mode, std::int64_t width = 16);
/// A linear layer, frozen: its weight and bias are constants of the code, there are no parameters.
[[nodiscard]] torch::jit::Module frozenModel(std::int64_t width = 16);
/// A linear layer of int8 weights whose input is quantized by the range of all its rows (quantized::linear_dynamic).
[[nodiscard]] torch::jit::Module dynamicallyQuantized(std::int64_t width = 16);

// Control flow and calls.

/// forward(x, steps: int = 2): `head`, then an if on the sum of x between `positive` and `negative`, then a loop that
/// calls `shared` `steps` times, then `tail`. Cuts inside the if and the loop are impossible.
[[nodiscard]] torch::jit::Module controlFlow(std::int64_t width = 16);
/// A marker inside a branch of an if on the input, where it can cut nothing.
[[nodiscard]] torch::jit::Module markerInsideIf(std::int64_t width = 16);
/// `block` is held by the type of an interface, so that its class is known only from the object.
[[nodiscard]] torch::jit::Module interfaceModel(std::int64_t width = 16);
/// 3 * (2 * x + 1) with Pipescope's own markers: split("encoder") after the first product, split() and a boundary
/// "head" one after the other before the last.
[[nodiscard]] torch::jit::Module ownMarkers();
/// layers.0 to layers.3, unrolled as TorchScript does with a loop over a ModuleList, with relu between; layers.1 is
/// called twice.
[[nodiscard]] torch::jit::Module moduleListLoop(std::int64_t width = 16);
/// A tuple, a list, a dict, an optional, an int and a string made before the marker are used after it.
[[nodiscard]] torch::jit::Module listDictModel(std::int64_t width = 16);

// The cases of pipelining.md with their right answers.

/// C1: h = 2x, y = h + 1, z = y + h over three stages; markers. For x of ones everything is 5.
[[nodiscard]] torch::jit::Module c1Skip();
/// C2: forward(x, positions [rows, width]): cos and sin, made in stage 0 from the positions (no gradient), are used in
/// stages 1, 2 and 3 as h = h * cos + sin. Markers.
[[nodiscard]] torch::jit::Module c2Rope(std::int64_t width = 16);
/// C3: forward(ids int64 [rows, length]): Embedding(32, 16), then layers.0 and layers.1, which cast to float32, with an
/// unused tensor of zeros between them. No markers; to be split at layers.1.
[[nodiscard]] torch::jit::Module c3Embedding();
/// C15: layers.0 to layers.3, four Linears; no markers.
[[nodiscard]] torch::jit::Module c15FourLinears(std::int64_t width = 16);

// From other sources.

/// Made by the tracer: a forward without control flow, with concrete shapes, with device constants "cpu" baked into
/// factory functions and `to`, and with a marker. For 4 rows of `width`.
[[nodiscard]] torch::jit::Module tracedModel(std::int64_t width = 16);
/// forward(x [2, 3]): (x + 1) * 2 where the sum of x is positive, x * 2 elsewhere, as a model traced on a GPU looks:
/// cuda:0 baked into zeros, and inside the if into `to` and ones; then x.cuda().
[[nodiscard]] torch::jit::Module bakedInDevices();
/// The decoder of make-examples in its small size: 2 blocks, width 64, vocabulary 1000. Input int64 [rows, up to 32].
[[nodiscard]] torch::jit::Module tinyDecoder();

} // namespace pipescope::testing
