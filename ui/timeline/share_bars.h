// Shares of time as bars with their numbers and names.
#pragma once

#include "style/theme.h"
#include "timeline/summary.h"

#include <QWidget>

namespace pipescope::timeline {

class ShareBars : public QWidget
{
    Q_OBJECT

public:
    explicit ShareBars(QWidget *parent = nullptr);

    void setShares(const std::vector<Summary::Share> &shares, const style::Theme &theme);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    static constexpr int RowHeight = 20;

    std::vector<Summary::Share> m_shares;
    const style::Theme *m_theme = &style::Theme::dark();
};

} // namespace pipescope::timeline
