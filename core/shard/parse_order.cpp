#include "shard/parse_order.h"

#include "base/spec_reader.h"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace pipescope::shard {

namespace {

/// A number or a name of the mesh.
Result<int> readMeshDim(SpecReader &reader, const DeviceMesh &mesh)
{
    const char ahead = reader.peek();
    if (ahead != '-' && ahead != '+' && (ahead < '0' || ahead > '9')) {
        const Result<std::string> name = reader.key();
        if (!name)
            return reader.expected("a mesh dimension");
        const Result<int> named = mesh.dim(*name);
        return named ? named : reader.wrong(named.error().message);
    }
    Result<int> number = reader.integer<int>("a mesh dimension");
    if (number && (*number < 0 || *number >= mesh.ndim()))
        return reader.wrong(fmt::format("there is no mesh dimension {}: they are 0 to {}", *number, mesh.ndim() - 1));
    return number;
}

/// "0:1,0".
Result<ShardOrderEntry> readEntry(SpecReader &reader, const DeviceMesh &mesh)
{
    const Result<int> dim = reader.integer<int>("a tensor dimension");
    if (!dim)
        return dim.error();
    if (!reader.take(':'))
        return reader.expected("':' and the mesh dimensions that cut it");
    ShardOrderEntry entry{*dim, {}};
    do {
        const Result<int> meshDim = readMeshDim(reader, mesh);
        if (!meshDim)
            return meshDim.error();
        entry.meshDims.push_back(*meshDim);
    } while (reader.take(','));
    return entry;
}

} // namespace

Result<ShardOrder> parseShardOrder(std::string_view text, const DeviceMesh &mesh)
{
    SpecReader reader(text);
    if (auto ok = reader.checkLength(); !ok)
        return ok.error();
    ShardOrder order;
    do {
        Result<ShardOrderEntry> entry = readEntry(reader, mesh);
        if (!entry)
            return entry.error();
        order.push_back(*std::move(entry));
    } while (reader.take(';') && !reader.atEnd());
    if (!reader.atEnd())
        return reader.expected("',', ';' or the end");
    return order;
}

} // namespace pipescope::shard
