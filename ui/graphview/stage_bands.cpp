#include "graphview/stage_bands.h"

#include "base/text.h"
#include "graph/held_tensors.h"
#include "graphview/split_overlay.h"
#include "graphview/translate.h"
#include "session/split_preview.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <algorithm>
#include <limits>
#include <unordered_set>

namespace pipescope::graphview {

using style::Token;

namespace {

QString detailOf(const graph::ModelGraph &graph, int begin, int end, const std::vector<std::int64_t> &bytes)
{
    std::optional<double> seconds;
    std::int64_t held = 0;
    bool hasConstants = false;
    std::unordered_set<ValueId> seen;
    for (int position = begin; position < end; ++position) {
        const graph::Node &node = graph.at(position);
        if (node.seconds)
            seconds = seconds.value_or(0) + *node.seconds;
        for (const ValueId input : node.uses) {
            if (bytes[input.index()] == 0 || !seen.insert(input).second)
                continue;
            held += bytes[input.index()];
            hasConstants = hasConstants || graph.value(input).kind == graph::ValueKind::Constant;
        }
    }
    QStringList parts;
    if (seconds)
        parts << tr("%1 a batch").arg(widgets::secondsText(*seconds)); // as it was profiled
    parts << (held == 0      ? tr("no parameters")
              : hasConstants ? tr("%1 parameters and constants").arg(widgets::bytesText(held))
                             : tr("%1 parameters").arg(widgets::bytesText(held)));
    return parts.join(QStringLiteral(" · "));
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

/// A box with stages of its own: an open one over several stages has none, only what stands inside of it.
struct Part
{
    StageSpan span;
    double top = 0;
    double bottom = 0;

    [[nodiscard]] bool isOfOther(std::size_t stage) const
    {
        return span.first.index() != stage || span.last.index() != stage;
    }
};

std::vector<Part> partsOf(const GraphScene &scene, const std::vector<StageSpan> &stages)
{
    std::vector<Part> parts;
    for (std::size_t i = 1; i < stages.size(); ++i) {
        const bool isOpen = scene.tree.boxes[i].group >= 0;
        if (stages[i].first.valid() && (!isOpen || stages[i].first == stages[i].last))
            parts.push_back({stages[i], scene.rects[i].top(), scene.rects[i].bottom()});
    }
    return parts;
}

/// How far a band may reach up and down before a part of another stage; infinite where there is none.
StageBand roomOf(const std::vector<Part> &parts, const StageBand &band, std::size_t stage)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    StageBand room{-infinity, infinity, false};
    for (const Part &part : parts) {
        if (part.isOfOther(stage) && part.bottom <= band.top)
            room.top = std::max(room.top, part.bottom);
        if (part.isOfOther(stage) && part.top >= band.bottom)
            room.bottom = std::min(room.bottom, part.top);
    }
    return room;
}

// The header of an open box over several stages belongs to the first of them, its lower edge to the last: as far as
// other stages leave room.
void takeInEdges(const GraphScene &scene, const std::vector<StageSpan> &stages, const std::vector<Part> &parts,
                 std::vector<StageBand> &bands)
{
    std::vector<StageBand> rooms;
    for (std::size_t stage = 0; stage < bands.size(); ++stage)
        rooms.push_back(roomOf(parts, bands[stage], stage));
    for (std::size_t i = 1; i < stages.size(); ++i) {
        const StageSpan &span = stages[i];
        if (!span.first.valid() || span.first == span.last || scene.tree.boxes[i].group < 0)
            continue;
        StageBand &first = bands[span.first.index()];
        StageBand &last = bands[span.last.index()];
        first.top = std::min(first.top, std::max(scene.rects[i].top(), rooms[span.first.index()].top));
        last.bottom = std::max(last.bottom, std::min(scene.rects[i].bottom(), rooms[span.last.index()].bottom));
    }
}

} // namespace

std::vector<StageBand> stageBands(const GraphScene &scene, const std::vector<StageSpan> &stages)
{
    std::vector<StageBand> bands;
    const std::vector<Part> parts = partsOf(scene, stages);
    for (const Part &part : parts) {
        if (bands.size() <= part.span.last.index())
            bands.resize(part.span.last.index() + 1);
        for (std::size_t stage = part.span.first.index(); stage <= part.span.last.index(); ++stage) {
            StageBand &band = bands[stage];
            const bool isFirst = band.bottom < band.top;
            band.top = isFirst ? part.top : std::min(band.top, part.top);
            band.bottom = isFirst ? part.bottom : std::max(band.bottom, part.bottom);
        }
    }
    takeInEdges(scene, stages, parts, bands);
    for (std::size_t stage = 0; stage < bands.size(); ++stage) {
        StageBand &band = bands[stage];
        band.standsAlone = band.top <= band.bottom && std::none_of(parts.begin(), parts.end(), [&](const Part &part) {
                               return part.isOfOther(stage) && part.top < band.bottom && part.bottom > band.top;
                           });
    }
    return bands;
}

std::vector<StageTitle> stageTitles(const graph::ModelGraph &graph, const std::vector<StageId> &stageOf)
{
    std::vector<StageTitle> titles;
    const std::vector<std::int64_t> bytes = graph::weightBytes(graph);
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
        if (!bands[i].standsAlone || band.bottom() < 0 || band.top() > viewport.size().height())
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
                      const Look &look, const std::vector<StageBand> &bands, const std::vector<StageTitle> &titles,
                      const std::vector<QRectF> &pills)
{
    constexpr double line = 17;
    if (titles.size() < 2)
        return;
    for (std::size_t i = 0; i < std::min(bands.size(), titles.size()); ++i) {
        const QRectF band = bandRect(viewport, bands[i]);
        if (!bands[i].standsAlone || band.bottom() < line || band.top() > viewport.size().height())
            continue;
        const double top = std::max(band.top(), 0.0) + 6;
        const auto draw = [&](double y, const QString &text, TextRole role, Token token) {
            QRectF place(QPointF(18, y), texts.size(text, role));
            if (std::any_of(pills.begin(), pills.end(), [&](const QRectF &pill) { return pill.intersects(place); }))
                place.moveLeft(SplitOverlay::PillMargin);
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
