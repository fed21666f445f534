// The inliner and the lowering, in one walk over the original graphs: calls are followed into the objects really held,
// attributes become inputs or constants, branches on constants are decided. Arguments can be taken for constants. The
// original graphs are only read.
#pragma once

#include "base/result.h"
#include "import/held_inputs.h"

#include <ATen/core/ivalue.h>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// An attribute some node assigns.
struct AssignedAttribute
{
    std::string fqn;
    c10::intrusive_ptr<c10::ivalue::Object> owner;
    std::string name;
};

struct Specialised
{
    /// Inputs: arguments without self, then held inputs in order of first use.
    std::shared_ptr<torch::jit::Graph> graph;
    std::vector<HeldInput> held;
    std::vector<AssignedAttribute> assigned;
};

/// Calls, ifs and loops inside each other: all that walks over the result recurses no deeper.
inline constexpr int MaxNesting = 500;

/// Walks `method` of `module`. Nodes carry their Provenance; module calls are bracketed by call marks. Where an
/// argument is used of which `constants` says the value, by position without self, that value is used; it stays an
/// input. Only plain constants may be given (fold.h). Errors: Unsupported when the inlined program would be larger than
/// two million nodes or nested deeper than MaxNesting; Cancelled when `stop` is requested.
Result<Specialised> specialise(const torch::jit::Module &module, const torch::jit::Function &method,
                               const std::map<int, c10::IValue> &constants, const std::stop_token &stop);

/// The Cancelled error of importing.
[[nodiscard]] Error stoppedImporting(const std::string &method);

} // namespace pipescope::import
