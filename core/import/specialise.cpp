#include "import/specialise.h"

#include "import/provenance.h"
#include "import/specialise/walk.h"
#include "tensor/torch_guard.h"

#include <fmt/format.h>
#include <set>

namespace pipescope::import {

namespace {

// Which attributes are assigned decides which may be folded, and folding decides which assignments are reached: walk
// again until nothing new is assigned. Each round only adds, so this ends; one or two rounds in practice.
Specialised walkUntilSettled(const torch::jit::Module &module, const torch::jit::Function &method,
                             const std::map<int, c10::IValue> &constants, const std::stop_token &stop)
{
    std::set<SlotKey> assigned;
    while (true) {
        Walk walk(module, assigned, stop);
        Specialised result = walk.run(method, constants);
        const std::size_t before = assigned.size();
        assigned.insert(walk.assigned().begin(), walk.assigned().end());
        if (assigned.size() == before)
            return result;
    }
}

} // namespace

Error stoppedImporting(const std::string &method)
{
    return {ErrorCode::Cancelled, "stopped while importing the model", method, {}};
}

Result<Specialised> specialise(const torch::jit::Module &module, const torch::jit::Function &method,
                               const std::map<int, c10::IValue> &constants, const std::stop_token &stop)
{
    registerCallMarks();
    try {
        return walkUntilSettled(module, method, constants, stop);
    } catch (const TooLarge &limit) {
        return Error{
            ErrorCode::Unsupported, fmt::format("the model cannot be imported: {}", limit.what), method.name(), {}};
    } catch (const Stopped &) {
        return stoppedImporting(method.name());
    } catch (...) {
        return tensor::currentException(ErrorCode::InvalidFile, method.name());
    }
}

} // namespace pipescope::import
