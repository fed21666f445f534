// Input specs made into values, bound to a method's arguments.
#pragma once

#include "graph/model_graph.h"
#include "plan/input_spec.h"

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <map>
#include <vector>

namespace pipescope::tensor {

/// The value of one spec. Random tensors depend on `seed` and `place`, or on the spec's own seed alone; never on the
/// machine's thread count or on other inputs. Files are read through tensor_file.h.
Result<c10::IValue> makeValue(const plan::InputValue &value, std::uint64_t seed, int place);

/// Values for all arguments of a graph, by argument position. Positional specs bind in order, named ones by name;
/// `defaults`, by argument position, fill the rest. Values are fitted to argument types: an int is taken where a float
/// is declared, lists become typed lists, None fits Optional. Errors: "missing a required argument: 'x'" with the
/// argument's type, an example to write and the others that are missing; "got an unexpected keyword argument 'y'" with
/// the nearest; too many positional; "multiple values for argument 'x'"; a wrong type with both types.
Result<std::vector<c10::IValue>> makeInputs(const std::vector<graph::Argument> &arguments,
                                            const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed);

/// The same for a graph's arguments; the example for a missing one is what the model tells of it, where it does
/// (plan/propose_inputs.h).
Result<std::vector<c10::IValue>> makeInputs(const graph::ModelGraph &graph, const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed);

} // namespace pipescope::tensor
