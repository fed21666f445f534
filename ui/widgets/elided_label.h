// A line that takes the room there is: what does not fit is left out of its middle, and its dock can be as narrow as
// before. All of the text should be in the tool tip.
#pragma once

#include <QLabel>

namespace pipescope::widgets {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace pipescope::widgets
