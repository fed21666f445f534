#include "exec/save_stage.h"

#include "base/sha256.h"
#include "exec/file_batch.h"
#include "exec/stage_module.h"
#include "import/specialised_inputs.h"
#include "report/stage_report.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string_view>
#include <torch/csrc/jit/serialization/export.h>

namespace pipescope::exec {

namespace {

using graph::ValueKind;
using nlohmann::json;

// What the method returns without any stage computing it.
bool passedThrough(const graph::Value &value)
{
    return value.kind != ValueKind::Input && value.kind != ValueKind::Result;
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "cancelled while saving the stages; nothing was written", {}, {}};
}

class StageWriter
{
public:
    StageWriter(const import::ImportedModel &model, const partition::Partition &partition,
                const std::string &modelSha256)
        : m_model(model)
        , m_graph(model.graph)
        , m_partition(partition)
        , m_modelSha256(modelSha256)
    {
    }

    Result<std::vector<SavedStage>> run(const std::filesystem::path &folder, const std::stop_token &stop)
    {
        auto batch = FileBatch::open(folder);
        if (!batch)
            return batch.error();
        std::vector<SavedStage> saved;
        for (const partition::Stage &stage : m_partition.stages) {
            if (stop.stop_requested())
                return cancelled();
            saved.push_back(describe(stage));
            if (auto ok = writeStage(*batch, stage, saved.back()); !ok)
                return ok.error();
        }
        const std::string text = index(saved).dump(2) + '\n';
        if (auto ok = batch->write("stages.json",
                                   [&](std::ostream &out) -> Status {
                                       out << text;
                                       return Success{};
                                   });
            !ok)
            return ok.error();
        if (stop.stop_requested())
            return cancelled();
        if (auto ok = batch->commit(); !ok)
            return ok.error();
        return saved;
    }

private:
    std::string nameOf(ValueId id) const
    {
        const graph::Value &value = m_graph.value(id);
        return passedThrough(value) ? fmt::format("value:{}", id.value) : value.name;
    }

    std::vector<std::string> namesOf(const std::vector<ValueId> &ids) const
    {
        std::vector<std::string> names;
        names.reserve(ids.size());
        for (const ValueId id : ids)
            names.push_back(nameOf(id));
        return names;
    }

    // The last stage also gives what is passed through, so that the chain has all of the method's outputs.
    partition::Stage completed(const partition::Stage &stage) const
    {
        partition::Stage whole = stage;
        if (&stage != &m_partition.stages.back())
            return whole;
        for (const ValueId id : m_graph.outputs) {
            if (!passedThrough(m_graph.value(id)))
                continue;
            addOnce(whole.outputs, id);
            if (m_model.held.count(id))
                addOnce(whole.held, id);
        }
        return whole;
    }

    static void addOnce(std::vector<ValueId> &ids, ValueId id)
    {
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            ids.push_back(id);
    }

    SavedStage describe(const partition::Stage &stage) const
    {
        return {stage.name + ".pt", namesOf(stage.inputs), namesOf(completed(stage).outputs), stage.parameters, {}};
    }

    Status writeStage(FileBatch &batch, const partition::Stage &stage, SavedStage &saved) const
    {
        return batch.write(saved.file, [&](std::ostream &out) -> Status {
            const partition::Stage whole = completed(stage);
            auto status = tensor::guardTorch(ErrorCode::Unsupported, stage.name, [&]() -> Status {
                auto module = makeStageModule(m_model, whole);
                if (!module)
                    return module.error();
                // LibTorch's own file writer ends the program on a full disk. Told that all went well, it ends in
                // peace, and the stream remembers.
                Sha256 hash; // of what is written, whatever becomes of the file afterwards
                torch::jit::ExportModule(*module, [&out, &hash](const void *bytes, std::size_t size) {
                    out.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(size));
                    hash.add({static_cast<const char *>(bytes), size});
                    return size;
                });
                saved.sha256 = hash.finish();
                return Success{};
            });
            if (status || status.error().message.starts_with(stage.name))
                return status;
            Error error = status.error();
            error.message = fmt::format("{} cannot be saved: {}", stage.name, error.message);
            return error;
        });
    }

    // The model's names that are in no stage.
    std::vector<std::string> leftOut() const
    {
        std::set<std::string_view> kept;
        for (const partition::Stage &stage : m_partition.stages)
            kept.insert(stage.parameters.begin(), stage.parameters.end());
        std::vector<std::string> names;
        for (const graph::Parameter &parameter : m_graph.parameters)
            if (!kept.contains(parameter.fqn))
                names.push_back(parameter.fqn);
        return names;
    }

    json index(const std::vector<SavedStage> &saved) const
    {
        json stages = json::array();
        for (const SavedStage &stage : saved)
            stages.push_back({{"file", stage.file},
                              {"inputs", stage.inputs},
                              {"outputs", stage.outputs},
                              {"parameters", stage.parameters},
                              {"sha256", stage.sha256}});
        json arguments = json::array();
        for (const graph::Argument &argument : m_graph.arguments)
            arguments.push_back({{"name", argument.name},
                                 {"type", argument.type},
                                 {"default", argument.hasDefault ? json(argument.defaultText) : json()}});
        json index = {{"format", "pipescope-stages"},
                      {"version", 1},
                      {"model", m_graph.modelClass},
                      {"method", m_model.methodName},
                      {"arguments", std::move(arguments)},
                      {"outputs", namesOf(m_graph.outputs)},
                      {"stages", std::move(stages)},
                      {"splits", report::splitWords(m_graph, m_partition.cuts)},
                      {"left_out", leftOut()}};
        for (const plan::InputSpec &input : import::specialisedInputs(m_model))
            index["specialised"].push_back(plan::toText(input));
        if (!m_modelSha256.empty())
            index["model_sha256"] = m_modelSha256;
        return index;
    }

    const import::ImportedModel &m_model;
    const graph::ModelGraph &m_graph;
    const partition::Partition &m_partition;
    const std::string &m_modelSha256;
};

} // namespace

Result<std::vector<SavedStage>> saveStages(const import::ImportedModel &model, const partition::Partition &partition,
                                           const std::filesystem::path &folder, const std::stop_token &stop,
                                           const std::string &modelSha256)
{
    return StageWriter(model, partition, modelSha256).run(folder, stop);
}

} // namespace pipescope::exec
