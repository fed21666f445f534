#include "shardview/layout_words.h"

#include "shard/layout_text.h"

#include <utility>

namespace pipescope::shardview {

namespace {

using shard::Layout;

/// Keeps what went wrong for its field.
template <class T>
std::optional<T> taken(Result<T> read, LayoutWords &problems, LayoutField field)
{
    if (read)
        return *std::move(read);
    wordOf(problems, field) = QString::fromStdString(read.error().message);
    return std::nullopt;
}

std::optional<Layout> layoutOf(shard::LayoutRequest request, const QString &placements, LayoutWords &problems,
                               LayoutField field)
{
    auto read = taken(shard::parsePlacements(placements.toStdString()), problems, field);
    if (!read)
        return std::nullopt;
    request.placements = *std::move(read);
    return taken(Layout::make(std::move(request)), problems, field);
}

} // namespace

LayoutWords exampleWords()
{
    LayoutWords words;
    wordOf(words, LayoutField::Shape) = QStringLiteral("1000,768");
    wordOf(words, LayoutField::Dtype) = QStringLiteral("float32");
    wordOf(words, LayoutField::Mesh) = QStringLiteral("dp=2,tp=4");
    wordOf(words, LayoutField::Placements) = QStringLiteral("S0,P");
    wordOf(words, LayoutField::Target) = QStringLiteral("S0,S1");
    return words;
}

ReadLayouts readLayouts(const LayoutWords &words)
{
    ReadLayouts read;
    auto shape =
        taken(shard::parseShape(wordOf(words, LayoutField::Shape).toStdString()), read.problems, LayoutField::Shape);
    auto mesh =
        taken(shard::parseMesh(wordOf(words, LayoutField::Mesh).toStdString()), read.problems, LayoutField::Mesh);
    const std::string dtype = wordOf(words, LayoutField::Dtype).toStdString();
    // By itself, so that what is wrong with a tensor is not said of its placements.
    if (shape && !taken(Layout::make({*shard::DeviceMesh::make({1}), {shard::Replicate{}}, *shape, {}, {}, dtype}),
                        read.problems, LayoutField::Shape))
        shape.reset();
    if (!shape || !mesh)
        return read;
    const shard::LayoutRequest request{*std::move(mesh), {}, *std::move(shape), {}, {}, dtype};
    read.from = layoutOf(request, wordOf(words, LayoutField::Placements), read.problems, LayoutField::Placements);
    const QString &target = wordOf(words, LayoutField::Target);
    if (!target.trimmed().isEmpty())
        read.to = layoutOf(request, target, read.problems, LayoutField::Target);
    return read;
}

} // namespace pipescope::shardview
