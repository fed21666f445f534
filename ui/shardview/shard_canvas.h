// The picture of one layout on the screen, with title and notes: zoomed and panned like the other canvases, a card
// under the pointer, and a current rank that the arrow keys step through.
#pragma once

#include "shardview/shard_painter.h"
#include "widgets/drawable.h"

#include <QWidget>
#include <memory>
#include <optional>

namespace pipescope::shardview {

class ShardCanvas : public QWidget, public widgets::Drawable
{
    Q_OBJECT

public:
    /// `role` says which of several pictures it is: "Before".
    explicit ShardCanvas(const QString &role, QWidget *parent = nullptr);

    /// nullptr clears. The zoom stays where the shape and the sides are the same.
    void setScene(std::shared_ptr<const ShardScene> scene);
    [[nodiscard]] const ShardScene *scene() const { return m_scene.get(); }
    void setTheme(const style::Theme &theme);
    /// nullopt for none; one that the mesh does not have is none, too. Does not tell.
    void setCurrent(std::optional<RankId> rank);
    [[nodiscard]] std::optional<RankId> current() const { return m_look.current; }

    /// "Before: S(0) over dp, R over tp".
    [[nodiscard]] QString title() const;
    /// What the card at a point of the widget says; "" where there is nothing to say.
    [[nodiscard]] QString cardText(QPointF at) const;
    /// Where the picture is; none without a scene.
    [[nodiscard]] std::optional<ShardFrame> frame() const;
    [[nodiscard]] const ShardZoom &zoom() const { return m_zoom; }
    void setZoom(const ShardZoom &zoom);
    /// In the middle.
    void zoomBy(double factor);
    void fit() { setZoom({}); }

    [[nodiscard]] QSizeF drawnSize() const override;
    void draw(QPainter &painter) const override;
    [[nodiscard]] QString drawnName() const override;

    [[nodiscard]] QSize sizeHint() const override { return {420, 420}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 140}; }

Q_SIGNALS:
    /// By a click or a key; none is selected with an invalid rank.
    void currentChanged(pipescope::RankId rank);
    void zoomChanged(const pipescope::shardview::ShardZoom &zoom);

protected:
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    /// Where title, picture and notes stand in a widget or a file.
    struct Places
    {
        QRectF title;
        QRectF picture;
        QRectF notes;
    };

    [[nodiscard]] Places placesIn(const QRectF &whole) const;
    [[nodiscard]] QString notes() const;
    void paintAll(QPainter &painter, const QRectF &whole, const ShardLook &look, const ShardZoom &zoom) const;
    void choose(std::optional<RankId> rank);
    void stepRank(int by);
    void chooseAt(QPointF at);
    void changeZoom(const ShardZoom &zoom);
    [[nodiscard]] QPointF shareOfPlot(QPointF at) const;
    void describe();

    const QString m_role;
    std::shared_ptr<const ShardScene> m_scene;
    ShardLook m_look;
    ShardZoom m_zoom;
    std::optional<QPointF> m_pointer;
    std::optional<QPointF> m_pressed;
    QPointF m_draggedTo;
    bool m_isDragging = false;
};

} // namespace pipescope::shardview
