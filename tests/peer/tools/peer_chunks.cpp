// Reads cases from a torch.save file, splits and merges each with our own functions, and writes the results for Python
// to compare. File: a list of {"args": tuple, "kwargs": dict, "chunks": int, "args_spec": text or None, "kwargs_spec":
// text or None}; result: a list of {"error": text, "args": list, "kwargs": list, "merged_args": tuple, "merged_kwargs":
// dict}.
#include "tensor/chunks.h"
#include "tensor/tensor_file.h"

#include <cstdio>
#include <string>

namespace {

using namespace pipescope;
using c10::IValue;
using StringDict = c10::impl::GenericDict;

StringDict emptyDict()
{
    return StringDict(c10::StringType::get(), c10::AnyType::get());
}

IValue tupleOf(std::vector<IValue> items)
{
    return c10::ivalue::Tuple::create(std::move(items));
}

IValue dictOf(const tensor::Kwargs &kwargs)
{
    StringDict dict = emptyDict();
    for (const auto &[name, value] : kwargs)
        dict.insert(name, value);
    return dict;
}

IValue listOf(const std::vector<IValue> &items)
{
    c10::impl::GenericList list(c10::AnyType::get());
    for (const IValue &item : items)
        list.push_back(item);
    return list;
}

// Upstream's words are in the details where the message says more than they do.
std::string textOf(const Error &error)
{
    return error.details.empty() ? error.message : error.details + '\n' + error.message;
}

// What cannot be split or merged is an error Python compares with upstream's.
Status fill(StringDict &result, const StringDict &entry)
{
    std::optional<std::vector<microbatch::ChunkSpec>> argsSpec;
    std::optional<microbatch::ChunkSpec::Entries> kwargsSpec;
    if (const IValue text = entry.at("args_spec"); text.isString()) {
        auto spec = microbatch::parseChunkSpec(text.toStringRef());
        if (!spec)
            return spec.error();
        argsSpec = std::get<microbatch::ChunkSpec::Tuple>(spec->node).items;
    }
    if (const IValue text = entry.at("kwargs_spec"); text.isString()) {
        auto spec = microbatch::parseChunkSpec(text.toStringRef());
        if (!spec)
            return spec.error();
        kwargsSpec = std::get<microbatch::ChunkSpec::Dict>(spec->node).entries;
    }
    const auto &arguments = entry.at("args").toTupleRef().elements();
    tensor::Kwargs kwargs;
    for (const auto &item : entry.at("kwargs").toGenericDict())
        kwargs.emplace_back(item.key().toStringRef(), item.value());
    const auto chunked =
        tensor::splitArgsKwargsIntoChunks(std::vector<IValue>(arguments.begin(), arguments.end()), kwargs,
                                          static_cast<int>(entry.at("chunks").toInt()), argsSpec, kwargsSpec);
    if (!chunked)
        return chunked.error();
    std::vector<IValue> argChunks;
    std::vector<IValue> kwargChunks;
    for (const auto &chunk : chunked->args)
        argChunks.push_back(tupleOf(chunk));
    for (const auto &chunk : chunked->kwargs)
        kwargChunks.push_back(dictOf(chunk));
    result.insert("args", listOf(argChunks));
    result.insert("kwargs", listOf(kwargChunks));
    std::optional<microbatch::ChunkSpec> mergeArgs;
    if (argsSpec)
        mergeArgs = microbatch::ChunkSpec{microbatch::ChunkSpec::Tuple{*argsSpec}};
    std::optional<microbatch::ChunkSpec> mergeKwargs;
    if (kwargsSpec)
        mergeKwargs = microbatch::ChunkSpec{microbatch::ChunkSpec::Dict{*kwargsSpec}};
    const auto mergedArgs = tensor::mergeChunks(argChunks, mergeArgs);
    if (!mergedArgs)
        return mergedArgs.error();
    const auto mergedKwargs = tensor::mergeChunks(kwargChunks, mergeKwargs);
    if (!mergedKwargs)
        return mergedKwargs.error();
    result.insert("merged_args", *mergedArgs);
    result.insert("merged_kwargs", *mergedKwargs);
    return Success{};
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: peer-chunks CASES.pt RESULTS.pt\n");
        return 2;
    }
    const auto cases = tensor::loadTensors(argv[1]);
    if (!cases) {
        std::fprintf(stderr, "%s\n", cases.error().message.c_str());
        return 2;
    }
    std::vector<IValue> results;
    for (const IValue &entry : cases->toListRef()) {
        StringDict result = emptyDict();
        const Status status = fill(result, entry.toGenericDict());
        result.insert("error", status ? std::string() : textOf(status.error()));
        results.emplace_back(result);
    }
    if (const auto saved = tensor::saveTensors(listOf(results), argv[2]); !saved) {
        std::fprintf(stderr, "%s\n", saved.error().message.c_str());
        return 2;
    }
    return 0;
}
