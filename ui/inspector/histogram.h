// How the elements of a tensor lie between the smallest and the largest: bars of equal bins, each with its range and
// count on hover and by the arrow keys.
#pragma once

#include "widgets/drawable.h"

#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <vector>

class QCPBars;
class QCustomPlot;

namespace pipescope::inspector {

struct Bins
{
    std::vector<std::int64_t> counts;
    double smallest = 0;
    double largest = 0;

    friend bool operator==(const Bins &, const Bins &) = default;
};

/// Where a bin begins and the one before it ends.
[[nodiscard]] double edgeOf(const Bins &bins, std::size_t bin);
/// So many significant digits that edges beside each other differ, where numbers can tell them apart; `least` of them
/// where that is enough.
[[nodiscard]] int digitsOf(const Bins &bins, int least);
/// "−3.91 … −3.77: 12 340 (1.2 %)"
[[nodiscard]] QString binText(const Bins &bins, std::size_t bin);

class Histogram : public QWidget, public widgets::Drawable
{
    Q_OBJECT

public:
    explicit Histogram(QWidget *parent = nullptr);

    void show(const Bins &bins);
    [[nodiscard]] const Bins &bins() const { return m_bins; }

    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

    [[nodiscard]] QSize sizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void dress();
    void plot();
    void fill() const;
    void mark(int bin) const;
    [[nodiscard]] int binAt(double x) const; ///< -1 outside
    void choose(int bin);

    Bins m_bins;
    int m_chosen = -1;
    QCustomPlot *m_plot; // not owned, nor are its bars: Qt's parent has it
    QCPBars *m_bars;
};

} // namespace pipescope::inspector
