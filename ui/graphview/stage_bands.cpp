#include "graphview/stage_bands.h"

#include "base/text.h"
#include "session/split_preview.h"
#include "widgets/number_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <unordered_set>

namespace pipescope::graphview {

using style::Token;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("pipescope::graphview::StageBands", text);
}

std::vector<std::int64_t> parameterBytes(const graph::ModelGraph &graph)
{
    std::vector<std::int64_t> bytes(graph.values.size(), 0);
    for (const graph::Parameter &parameter : graph.parameters) {
        if (parameter.value.valid() && !parameter.isBuffer)
            bytes[parameter.value.index()] = parameter.tensor.bytes;
    }
    return bytes;
}

QString detailOf(const graph::ModelGraph &graph, int begin, int end, const std::vector<std::int64_t> &bytes)
{
    std::optional<double> seconds;
    std::int64_t held = 0;
    std::unordered_set<ValueId> seen;
    for (int position = begin; position < end; ++position) {
        const graph::Node &node = graph.at(position);
        if (node.seconds)
            seconds = seconds.value_or(0) + *node.seconds;
        for (const ValueId input : node.inputs) {
            if (bytes[input.index()] > 0 && seen.insert(input).second)
                held += bytes[input.index()];
        }
    }
    QStringList parts;
    if (seconds)
        parts << tr("%1 a batch").arg(widgets::secondsText(*seconds)); // as it was profiled
    parts << (held > 0 ? tr("%1 parameters").arg(widgets::bytesText(held)) : tr("no parameters"));
    return parts.join(QStringLiteral(" · "));
}

// Above and below it no other stage's box reaches in.
bool standsAlone(const std::vector<StageBand> &bands, std::size_t i)
{
    const bool above = i == 0 || bands[i - 1].bottom <= bands[i].top;
    const bool below = i + 1 == bands.size() || bands[i].bottom <= bands[i + 1].top;
    return above && below && bands[i].top <= bands[i].bottom;
}

QRectF bandRect(const Viewport &viewport, const StageBand &band)
{
    constexpr double pad = 8;
    const double top = viewport.toScreen(QPointF(0, band.top - pad)).y();
    const double bottom = viewport.toScreen(QPointF(0, band.bottom + pad)).y();
    return {8, top, viewport.size().width() - 16, bottom - top};
}

bool coversABox(const Picture &picture, const Viewport &viewport, const QRectF &screen)
{
    const QRectF scene(viewport.toScene(screen.topLeft()), screen.size() / viewport.zoom());
    const std::vector<int> boxes = picture.index.boxesIn(scene);
    return std::any_of(boxes.begin(), boxes.end(), [&](int box) {
        return picture.scene.tree.boxes[static_cast<std::size_t>(box)].group < 0 ||
               !picture.scene.rects[static_cast<std::size_t>(box)].contains(scene);
    });
}

// The header of an open box over several stages belongs to the first of them, its lower edge to the last: as far as the
// bands beside them leave room.
void takeInEdges(const GraphScene &scene, const std::vector<StageSpan> &stages, std::vector<StageBand> &bands)
{
    const std::vector<StageBand> leaves = bands;
    for (std::size_t i = 1; i < stages.size(); ++i) {
        const StageSpan &span = stages[i];
        if (!span.first.valid() || span.first == span.last || scene.tree.boxes[i].group < 0)
            continue;
        const std::size_t first = span.first.index();
        const std::size_t last = span.last.index();
        const double above = first == 0 ? scene.rects[i].top() : leaves[first - 1].bottom;
        const double below = last + 1 == leaves.size() ? scene.rects[i].bottom() : leaves[last + 1].top;
        bands[first].top = std::min(bands[first].top, std::max(scene.rects[i].top(), above));
        bands[last].bottom = std::max(bands[last].bottom, std::min(scene.rects[i].bottom(), below));
    }
}

} // namespace

std::vector<StageBand> stageBands(const GraphScene &scene, const std::vector<StageSpan> &stages)
{
    std::vector<StageBand> bands;
    for (std::size_t i = 1; i < stages.size(); ++i) {
        const StageSpan &span = stages[i];
        const bool open = scene.tree.boxes[i].group >= 0;
        if (!span.first.valid() || (open && span.first != span.last))
            continue;
        if (bands.size() <= span.last.index())
            bands.resize(span.last.index() + 1);
        for (int stage = span.first.value; stage <= span.last.value; ++stage) {
            StageBand &band = bands[static_cast<std::size_t>(stage)];
            const bool first = band.bottom < band.top;
            band.top = first ? scene.rects[i].top() : std::min(band.top, scene.rects[i].top());
            band.bottom = first ? scene.rects[i].bottom() : std::max(band.bottom, scene.rects[i].bottom());
        }
    }
    takeInEdges(scene, stages, bands);
    return bands;
}

std::vector<StageTitle> stageTitles(const graph::ModelGraph &graph, const std::vector<StageId> &stageOf)
{
    std::vector<StageTitle> titles;
    const std::vector<std::int64_t> bytes = parameterBytes(graph);
    for (std::size_t begin = 0; begin < stageOf.size();) {
        std::size_t end = begin;
        while (end < stageOf.size() && stageOf[end] == stageOf[begin])
            ++end;
        const std::string extent = session::extentText(graph, static_cast<int>(begin), static_cast<int>(end));
        titles.push_back({tr("stage %1 · %2").arg(titles.size()).arg(QString::fromStdString(extent)),
                          detailOf(graph, static_cast<int>(begin), static_cast<int>(end), bytes)});
        begin = end;
    }
    return titles;
}

void paintStageBands(QPainter &painter, const Viewport &viewport, const Look &look, const std::vector<StageBand> &bands)
{
    if (bands.size() < 2) // a whole model is no stage of anything
        return;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        const QRectF band = bandRect(viewport, bands[i]);
        if (!standsAlone(bands, i) || band.bottom() < 0 || band.top() > viewport.size().height())
            continue;
        const StageId stage{static_cast<int>(i)};
        const bool isSelected = stage == look.stage;
        const QColor colour = look.theme->colour(stage);
        QColor tint = colour;
        tint.setAlphaF(isSelected ? 0.18F : 0.07F);
        QColor border = colour;
        border.setAlphaF(isSelected ? 1.0F : 0.5F);
        painter.setBrush(tint);
        painter.setPen(QPen(border, isSelected ? 2 : 1));
        painter.drawRoundedRect(band, 6, 6);
    }
}

void paintStageTitles(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                      const Look &look, const std::vector<StageBand> &bands, const std::vector<StageTitle> &titles)
{
    constexpr double line = 17;
    if (titles.size() < 2)
        return;
    for (std::size_t i = 0; i < std::min(bands.size(), titles.size()); ++i) {
        const QRectF band = bandRect(viewport, bands[i]);
        if (!standsAlone(bands, i) || band.bottom() < line || band.top() > viewport.size().height())
            continue;
        const double top = std::max(band.top(), 0.0) + 6;
        const auto draw = [&](double y, const QString &text, TextRole role, Token token) {
            const QRectF place(QPointF(18, y), texts.size(text, role));
            if (place.bottom() > band.bottom() - 2 || coversABox(picture, viewport, place.adjusted(0, 0, 6, 0)))
                return false;
            texts.draw(painter, place.topLeft(), text, role, look.theme->colour(token));
            return true;
        };
        const QString plain = titles[i].title.section(QStringLiteral(" · "), 0, 0);
        if (draw(top, titles[i].title, TextRole::Title, Token::Text) || draw(top, plain, TextRole::Title, Token::Text))
            draw(top + line, titles[i].detail, TextRole::Detail, Token::Dim) ||
                draw(top + line, titles[i].detail.section(QStringLiteral(" · "), 0, 0), TextRole::Detail, Token::Dim);
    }
}

} // namespace pipescope::graphview
