#include "import/import_method.h"

#include "base/text.h"
#include "import/container_versions.h"
#include "import/describe_graph.h"
#include "import/device_pass.h"
#include "import/gather_appends.h"
#include "import/gather_state.h"
#include "import/memory_facts.h"
#include "import/meta_tensors.h"
#include "import/method_signature.h"
#include "import/objects_apart.h"
#include "import/specialise.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <c10/util/ScopeExit.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/remove_mutation.h>
#include <vector>

namespace pipescope::import {

namespace {

using Pass = void (*)(const std::shared_ptr<torch::jit::Graph> &);

Error noSuchMethod(const torch::jit::Module &module, const std::string &method)
{
    std::vector<std::string> names;
    std::vector<std::string> signatures;
    for (const torch::jit::Method &known : module.get_methods()) {
        names.push_back(known.name());
        signatures.push_back(known.name() + signatureOf(known));
    }
    if (names.empty())
        return {ErrorCode::NotFound,
                fmt::format("the model has no method '{}', and none at all: it holds values only; save a module whose "
                            "methods are exported",
                            method),
                method,
                {}};
    return {ErrorCode::NotFound,
            fmt::format("the model has no method '{}'.{} It has: {}; choose one of them as the method", method,
                        didYouMean(method, names), fmt::join(signatures, "; ")),
            method,
            {}};
}

Status checkHooks(const torch::jit::Module &module, const std::string &method)
{
    // Hooks of submodules are calls in their parent's code already; the model's own are run by its caller only.
    if (method != "forward" ||
        (module.type()->getForwardHooks().empty() && module.type()->getForwardPreHooks().empty()))
        return Success{};
    return Error{
        ErrorCode::Unsupported,
        "the model has forward hooks of its own, which are run around forward and not in it; save it without them, "
        "or inside a wrapper module",
        method,
        {}};
}

void noteDevices(const std::vector<std::string> &changes, ImportedModel &model)
{
    if (changes.empty())
        return;
    std::string note = fmt::format("the model has devices baked in; {} place{} now use{} the CPU:", changes.size(),
                                   changes.size() == 1 ? "" : "s", changes.size() == 1 ? "s" : "");
    for (std::size_t i = 0; i < changes.size() && i < 5; ++i)
        note += " " + changes[i] + ";";
    note.back() = '.';
    if (changes.size() > 5)
        note += fmt::format(" And {} more.", changes.size() - 5);
    model.notes.push_back(std::move(note));
}

// A list that grows item by item (the skip connections of a U-Net, the features of a pyramid) would keep every cut
// between the first append and the last from being made. Where nothing looks at the list in between, it is made at once
// at the end.
void makeListsAtOnce(const std::shared_ptr<torch::jit::Graph> &graph)
{
    const auto nodes = graph->nodes();
    // The pass analyses the whole graph first, which is not for free.
    if (std::any_of(nodes.begin(), nodes.end(),
                    [](const torch::jit::Node *node) { return node->kind() == c10::aten::append; }))
        torch::jit::RemoveListMutation(graph);
}

void collectUnusedWrites(torch::jit::Block &block, GraphMemory &memory, std::vector<torch::jit::Node *> &found)
{
    for (torch::jit::Node *node : block.nodes()) {
        const auto outputs = node->outputs();
        const bool isUnused = !outputs.empty() && std::none_of(outputs.begin(), outputs.end(),
                                                               [](const auto *output) { return output->hasUses(); });
        if (node->kind().is_aten() && isUnused && !memory.facts(*node).writes.empty())
            found.push_back(node);
        for (torch::jit::Block *inner : node->blocks())
            collectUnusedWrites(*inner, memory, found);
    }
}

// Every write in place stays. With a graph LibTorch asks its alias analysis which of them matter, and that takes the
// results of some operators for new (operator_memory.h: dropout that is off gives back its operand); it also leaves
// loops without a body, which its printer writes as code that its parser refuses.
// Nor does it know of writes that the schema keeps to itself (the statistics of instance_norm), so that these get a
// use.
void eliminateDeadCode(const std::shared_ptr<torch::jit::Graph> &graph)
{
    std::vector<torch::jit::Node *> unusedWrites;
    GraphMemory memory;
    collectUnusedWrites(*graph->block(), memory, unusedWrites);
    std::vector<torch::jit::Node *> uses;
    const auto withdrawn = c10::make_scope_exit([&uses] { // also where the pass fails: nothing may be printed
        for (torch::jit::Node *use : uses)
            use->destroy();
    });
    for (torch::jit::Node *node : unusedWrites)
        uses.push_back(graph->create(c10::prim::Print, {node->output(0)}, 0)->insertAfter(node));
    torch::jit::EliminateDeadCode(graph->block());
}

// LibTorch's passes assert on a node that they do not know, before they change anything. The graph then is what it was:
// larger, and with fewer places for cuts, but right.
Status runPass(const std::function<void()> &pass)
{
    Status passed = tensor::guardTorch(ErrorCode::Internal, {}, pass);
    return !passed && passed.error().code == ErrorCode::Internal ? Status(Success{}) : passed;
}

} // namespace

Result<ImportedModel> importMethod(const torch::jit::Module &module, const std::string &method,
                                   const std::stop_token &stop, const std::map<int, c10::IValue> &constants)
{
    torch::jit::Function *const function = module.type()->findMethod(method);
    if (!function || !torch::jit::tryToGraphFunction(*function))
        return noSuchMethod(module, method);
    if (auto ok = checkHooks(module, method); !ok)
        return ok.error();
    Result<Specialised> specialised = specialise(module, *function, constants, stop);
    if (!specialised)
        return specialised.error();
    return tensor::guardTorch(ErrorCode::Internal, method, [&]() -> Result<ImportedModel> {
        ImportedModel model;
        model.module = module;
        model.methodName = method;
        model.specialised = constants;
        noteDevices(sendToDevice(*specialised->graph, c10::Device(c10::kCPU)), model);
        std::vector<Pass> passes{takeObjectsApart, gatherAppends, makeListsAtOnce, eliminateDeadCode};
        if (!constants.empty()) // nodes that move change their names, which plans of other graphs have
            passes.insert(passes.end(), {gatherState, eliminateDeadCode});
        for (const Pass pass : passes) {
            if (stop.stop_requested())
                return stoppedImporting(method);
            if (Status passed = runPass([&] { pass(specialised->graph); }); !passed)
                return passed.error();
        }
        if (Status passed = runPass([&] { nameVersions(*specialised); }); !passed)
            return passed.error();
        if (auto ok = describeGraph(std::move(*specialised), model, stop); !ok)
            return ok.error();
        if (const std::vector<std::string> names = withoutValues(model); !names.empty())
            model.notes.push_back(withoutValuesText(names));
        return model;
    });
}

} // namespace pipescope::import
