// Two layouts beside each other, and between them the step that leads from one to the other.
#pragma once

#include "shardview/shard_canvas.h"
#include "shardview/step_walk.h"

#include <QStringList>
#include <QWidget>
#include <memory>

namespace pipescope::shardview {

/// What stands between the two: the first line in a box, with the next ones, the last line below the arrow.
class StepArrow : public QWidget
{
    Q_OBJECT

public:
    explicit StepArrow(QWidget *parent = nullptr);

    void setWords(const QStringList &inBox, const QString &below);
    void setTheme(const style::Theme &theme);
    void paintIn(QPainter &painter, const QRectF &room) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QStringList m_inBox;
    QString m_below;
    const style::Theme *m_theme = &style::Theme::dark();
};

class StepPicture : public QWidget, public widgets::Drawable
{
    Q_OBJECT

public:
    explicit StepPicture(QWidget *parent = nullptr);

    /// What the walk has at its place, in this view of the tensor.
    void show(const StepWalk &walk, const ShardView &view);
    using QWidget::show;
    void setTheme(const style::Theme &theme);
    /// In both; nullopt for none.
    void setCurrent(std::optional<RankId> rank);

    [[nodiscard]] ShardCanvas &before() { return *m_before; }
    [[nodiscard]] ShardCanvas &after() { return *m_after; }

    /// Both pictures and what is between them.
    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

Q_SIGNALS:
    /// In one of the two, and now in both; invalid for none.
    void currentChanged(pipescope::RankId rank);

private:
    void follow(ShardCanvas &one, ShardCanvas &other);

    ShardCanvas *m_before; // not owned, nor are those below: Qt's parent has them
    StepArrow *m_arrow;
    ShardCanvas *m_after;
};

} // namespace pipescope::shardview
