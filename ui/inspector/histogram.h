// How the elements of a tensor lie between the smallest and the largest: bars of equal bins, each with its range and
// count on hover and by the arrow keys.
#pragma once

#include "widgets/drawable.h"

#include <QWidget>
#include <cstdint>
#include <vector>

namespace pipescope::inspector {

struct Bins
{
    std::vector<std::int64_t> counts;
    double smallest = 0;
    double largest = 0;

    friend bool operator==(const Bins &, const Bins &) = default;
};

/// Where the bar of a bin stands in a widget of this size, above the line with the axis' ends. A bin that is not empty
/// is at least a pixel high.
[[nodiscard]] QRectF barOf(const Bins &bins, std::size_t bin, const QSizeF &size, double axisHeight);

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
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    [[nodiscard]] double axisHeight() const;
    [[nodiscard]] int binAt(double x) const; ///< -1 outside
    void choose(int bin);
    void paint(QPainter &painter, int chosen) const;

    Bins m_bins;
    int m_chosen = -1;
};

} // namespace pipescope::inspector
