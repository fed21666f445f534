// The card that tells what a split would do, before it is made: its words, and how it is drawn.
#pragma once

#include "graphview/text_cache.h"
#include "session/split_preview.h"
#include "style/theme.h"

#include <QRectF>
#include <QStringList>

namespace pipescope::graphview {

struct CardText
{
    enum class Verdict { Legal, Illegal, There };

    QString title; ///< "Split before blocks.6"
    Verdict verdict = Verdict::Illegal;
    QString verdictText; ///< "legal", "not possible", "split 2 is here"
    QString reason;      ///< why not; empty when legal
    QStringList crosses; ///< "x float32[1, 128, 256]", or that nothing does
    QString bytes;
    QString measure; ///< what is balanced: "time", "FLOPs", "parameters"
    QString pace;    ///< "slowest 12.9 ms (+27 % over mean)"
    QString now;     ///< the same of the plan as it is: "now 20.1 ms"
    bool uneven = false;

    /// All of it in lines, for screen readers and tool tips.
    [[nodiscard]] QString plain() const;
};

/// `moved` is the stage that begins at the split being moved, or invalid.
[[nodiscard]] CardText cardText(const session::SplitTable &table, const session::SplitPreview &preview,
                                StageId moved = {});

/// For a card beside a point of the screen: to the side with more room, inside of `room`.
[[nodiscard]] QRectF cardPlace(const QRectF &room, QPointF beside, QSizeF card);

class SplitCard
{
public:
    explicit SplitCard(const GraphFonts &fonts)
        : m_fonts(fonts)
    {
    }

    void set(const session::SplitPreview &preview, const CardText &text)
    {
        m_preview = preview;
        m_text = text;
    }
    [[nodiscard]] const CardText &text() const { return m_text; }
    [[nodiscard]] QSizeF size() const;
    void paint(QPainter &painter, TextCache &texts, const style::Theme &theme, const QRectF &place) const;

private:
    [[nodiscard]] double reasonHeight() const;
    void paintBars(QPainter &painter, TextCache &texts, const style::Theme &theme, const QRectF &room) const;

    GraphFonts m_fonts;
    session::SplitPreview m_preview;
    CardText m_text;
};

} // namespace pipescope::graphview
