// Input specs made into values, bound to a method's arguments.
#pragma once

#include "graph/model_graph.h"
#include "plan/input_spec.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type_base.h>
#include <cstdint>
#include <map>
#include <vector>

namespace pipescope::tensor {

/// The value of one spec. Random tensors depend on `seed` and `place`, or on the spec's own seed alone; never on the
/// machine's thread count or on other inputs. Files are read through tensor_file.h.
Result<c10::IValue> makeValue(const plan::InputValue &value, std::uint64_t seed, int place);

/// The arguments of a method.
struct DeclaredArguments
{
    std::vector<graph::Argument> arguments;
    std::vector<c10::TypePtr> types;            ///< by position; null, or none at all: what the argument's text names
    const graph::ModelGraph *graph = nullptr;   ///< that may tell of them (plan/propose_inputs.h)
    std::map<int, plan::InputValue> right = {}; ///< by position: values that are known to be right, for advice
};

/// Values for all arguments, by position. Positional specs bind in order, named ones by name; `defaults`, by argument
/// position, fill the rest. Values are fitted to argument types: an int is taken where a float is declared, lists
/// become typed lists, tuples named ones, None fits Optional. Errors: "missing a required argument: 'x'" with the
/// argument's type, an example to write (of what the model tells, where it does) and the others that are missing; "got
/// an unexpected keyword argument 'y'" with the nearest; too many positional; "multiple values for argument 'x'"; a
/// wrong type with both types; a type of which no value can be written, with that type.
Result<std::vector<c10::IValue>> makeInputs(const DeclaredArguments &declared,
                                            const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed);

/// Of the specs that are a number, a bool, a text or None, the values by argument position, bound and fitted as
/// makeInputs does; arguments may be missing. Errors as makeInputs, of the names of all specs and of these values.
Result<std::map<int, c10::IValue>> makePlainInputs(const DeclaredArguments &declared,
                                                   const std::vector<plan::InputSpec> &specs);

} // namespace pipescope::tensor
