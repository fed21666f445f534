// A device that keeps what is painted on it as numbers, so that a test can ask how wide a bar is and what is written.
#pragma once

#include <QColor>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <vector>

namespace pipescope::tests {

/// A rectangle, or the bounds of another filled shape, where it came to stand on the device.
struct PaintedFill
{
    QRectF rect;
    QColor colour;
};

struct PaintedText
{
    QPointF at; ///< where its line begins
    QString text;
    QColor colour;
};

struct Painting
{
    std::vector<PaintedFill> fills;
    std::vector<PaintedText> texts;
    std::vector<QPainterPath> lines; ///< drawn with a pen and not filled

    /// Those of this colour, in the order they were painted.
    [[nodiscard]] std::vector<QRectF> filled(const QColor &colour) const
    {
        std::vector<QRectF> found;
        for (const PaintedFill &fill : fills)
            if (fill.colour == colour)
                found.push_back(fill.rect);
        return found;
    }
    /// nullptr where it is not written.
    [[nodiscard]] const PaintedText *text(const QString &text) const
    {
        const auto found =
            std::find_if(texts.begin(), texts.end(), [&](const PaintedText &one) { return one.text == text; });
        return found == texts.end() ? nullptr : &*found;
    }
    /// All that is written, one after another.
    [[nodiscard]] QString written() const
    {
        QString all;
        for (const PaintedText &one : texts)
            all += one.text + '\n';
        return all;
    }
};

class RecordingDevice : public QPaintDevice
{
public:
    explicit RecordingDevice(QSize size = {800, 600})
        : m_engine(painting)
        , m_size(size)
    {
    }

    Painting painting;

    [[nodiscard]] QPaintEngine *paintEngine() const override { return &m_engine; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override
    {
        constexpr int dotsPerInch = 96;
        constexpr double millimetresPerInch = 25.4;
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return static_cast<int>(m_size.width() * millimetresPerInch / dotsPerInch);
        case PdmHeightMM:
            return static_cast<int>(m_size.height() * millimetresPerInch / dotsPerInch);
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dotsPerInch;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
        }
    }

private:
    class Engine : public QPaintEngine
    {
    public:
        explicit Engine(Painting &recorded)
            : QPaintEngine(AllFeatures)
            , m_painting(recorded)
        {
        }

        bool begin(QPaintDevice * /*device*/) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState & /*state*/) override {}
        [[nodiscard]] Type type() const override { return User; }
        void drawPixmap(const QRectF & /*to*/, const QPixmap & /*pixmap*/, const QRectF & /*from*/) override {}
        using QPaintEngine::drawPolygon;
        using QPaintEngine::drawRects;
        void drawRects(const QRectF *rects, int count) override
        {
            for (int i = 0; i < count; ++i)
                fill(rects[i]);
        }
        void drawPath(const QPainterPath &path) override
        {
            fill(path.boundingRect());
            if (state->brush().style() == Qt::NoBrush)
                m_painting.lines.push_back(state->transform().map(path));
        }
        void drawPolygon(const QPointF * /*points*/, int /*count*/, PolygonDrawMode /*mode*/) override {}
        void drawLines(const QLineF *lines, int count) override
        {
            for (int i = 0; i < count; ++i) {
                QPainterPath path(lines[i].p1());
                path.lineTo(lines[i].p2());
                m_painting.lines.push_back(state->transform().map(path));
            }
        }
        void drawTextItem(const QPointF &at, const QTextItem &item) override
        {
            m_painting.texts.push_back({state->transform().map(at), item.text(), state->pen().color()});
        }

    private:
        void fill(const QRectF &rect)
        {
            if (state->brush().style() != Qt::NoBrush)
                m_painting.fills.push_back({state->transform().mapRect(rect), state->brush().color()});
        }

        Painting &m_painting;
    };

    mutable Engine m_engine;
    QSize m_size;
};

} // namespace pipescope::tests
