#include "exec/stage_module.h"

#include "exec/module_tree.h"
#include "exec/savable.h"
#include "import/provenance.h"
#include "partition/stage_copies.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <memory>
#include <torch/csrc/jit/passes/shape_analysis.h>

namespace pipescope::exec {

namespace {

using torch::jit::Graph;
using torch::jit::Value;

std::string identifier(const std::string &name)
{
    std::string text = name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "_" : "";
    for (const char c : name)
        text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return text;
}

// Attributes of module objects that stay attributes because the model assigns them.
std::vector<std::string> stateNames(const graph::ModelGraph &graph, const partition::Stage &stage)
{
    std::vector<std::string> names;
    for (int position = stage.begin; position < stage.end; ++position) {
        const graph::Node &node = graph.at(position);
        names.insert(names.end(), node.stateRead.begin(), node.stateRead.end());
        names.insert(names.end(), node.stateWritten.begin(), node.stateWritten.end());
    }
    return names;
}

// All of the stage's names, in the model's order, so that a state dict reads as the model's does.
Status addNames(const import::ImportedModel &model, const partition::Stage &stage, ModuleTree &tree)
{
    std::vector<std::string> names;
    for (const graph::Parameter &parameter : model.graph.parameters)
        if (std::binary_search(stage.parameters.begin(), stage.parameters.end(), parameter.fqn))
            names.push_back(parameter.fqn);
    for (const ValueId id : stage.held)
        names.push_back(model.graph.value(id).name);
    for (std::string &name : stateNames(model.graph, stage))
        names.push_back(std::move(name));
    for (const std::string &name : names)
        if (auto ok = tree.add(name); !ok)
            return ok;
    return Success{};
}

// Held values become attributes of self, read where the stage begins.
void readHeld(const import::ImportedModel &model, const partition::Stage &stage, const ModuleTree &tree, Graph &graph)
{
    Value *const self = graph.insertInput(0, "self");
    self->setType(tree.root().type());
    const torch::jit::WithInsertPoint first(*graph.nodes().begin());
    for (std::size_t i = 0; i < stage.held.size(); ++i) {
        Value *const input = graph.inputs()[1 + stage.inputs.size() + i];
        Value *read = tree.insertRead(graph, self, model.graph.value(stage.held[i]).name);
        // An optional attribute was found to hold a value when the model was imported.
        if (!model.held.at(stage.held[i]).isObject() && !read->type()->isSubtypeOf(*input->type()))
            read = graph.insertUncheckedCast(read, input->type());
        input->replaceAllUsesWith(read);
    }
    for (std::size_t i = 0; i < stage.held.size(); ++i)
        graph.eraseInput(graph.inputs().size() - 1);
}

void returnTuple(Graph &graph)
{
    const std::vector<Value *> outputs = graph.outputs().vec();
    Value *const tuple = graph.insertNode(graph.createTuple(outputs))->output();
    for (std::size_t i = 0; i < outputs.size(); ++i)
        graph.eraseOutput(outputs.size() - 1 - i);
    graph.registerOutput(tuple);
}

} // namespace

Result<torch::jit::Module> makeStageModule(const import::ImportedModel &model, const partition::Stage &stage)
{
    if (auto ok = checkSavable(model, stage); !ok)
        return ok.error();
    ModuleTree tree(model.module, fmt::format("{}Stage{}", identifier(model.graph.modelClass), stage.id.value));
    if (auto ok = addNames(model, stage, tree); !ok)
        return Error{ErrorCode::Unsupported,
                     fmt::format("{} cannot be saved: {}", stage.name, ok.error().message),
                     ok.error().where,
                     {}};
    Slice slice{stage.begin, stage.end, stage.inputs, stage.outputs, inputsToCopy(model.graph, stage)};
    slice.inputs.insert(slice.inputs.end(), stage.held.begin(), stage.held.end());
    const std::shared_ptr<Graph> graph = sliceGraph(model, slice);
    torch::jit::EraseShapeInformation(graph);
    for (std::size_t i = 0; i < stage.inputs.size(); ++i)
        graph->inputs()[i]->setDebugName(identifier(model.graph.value(stage.inputs[i]).name));
    readHeld(model, stage, tree, *graph);
    returnTuple(*graph);
    const auto type = tree.root().type();
    type->addMethod(tree.unit()->create_function(c10::QualifiedName(*type->name(), "forward"), graph));
    return tree.root();
}

} // namespace pipescope::exec
