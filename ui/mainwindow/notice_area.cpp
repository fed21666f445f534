#include "mainwindow/notice_area.h"

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace pipescope::mainwindow {

namespace {

constexpr auto TextName = "noticeText";

const char *kindName(Notice::Kind kind)
{
    return kind == Notice::Kind::Error ? "error" : kind == Notice::Kind::Warning ? "warning" : "information";
}

} // namespace

QString shortened(const QString &text, qsizetype most)
{
    return text.size() <= most ? text : text.left(most - 1) + QChar(0x2026);
}

NoticeArea::NoticeArea(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName("notices");
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    hide();
}

void NoticeArea::post(const QString &id, const Notice &notice)
{
    remove(id);
    auto *frame = new QFrame(this);
    frame->setObjectName("notice");
    frame->setProperty("kind", kindName(notice.kind));
    auto *text = new QLabel(notice.text, frame);
    text->setObjectName(TextName);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *row = new QHBoxLayout(frame);
    row->setContentsMargins(12, 4, 8, 4);
    row->addWidget(text, 1);
    for (const NoticeLink &link : notice.links) {
        auto *button = new QPushButton(link.text, frame);
        button->setObjectName("noticeLink");
        connect(button, &QPushButton::clicked, this, [this, id, link] {
            if (link.dismisses)
                remove(id);
            link.follow();
        });
        row->addWidget(button);
    }
    auto *close = new QToolButton(frame);
    close->setObjectName("noticeClose");
    close->setText(tr("Hide"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Hide this notice"));
    connect(close, &QToolButton::clicked, this, [this, id] { remove(id); });
    row->addWidget(close);
    m_layout->addWidget(frame);
    m_notices[id] = frame;
    frame->show();
    show();
}

void NoticeArea::reword(const QString &id, const QString &text)
{
    if (const auto found = m_notices.find(id); found != m_notices.end())
        found->second->findChild<QLabel *>(TextName)->setText(text);
}

void NoticeArea::remove(const QString &id)
{
    const auto found = m_notices.find(id);
    if (found == m_notices.end())
        return;
    found->second->hide();
    found->second->deleteLater(); // it may be its own button that was pressed
    m_layout->removeWidget(found->second);
    m_notices.erase(found);
    setVisible(!m_notices.empty());
}

QString NoticeArea::text(const QString &id) const
{
    const auto found = m_notices.find(id);
    return found == m_notices.end() ? QString() : found->second->findChild<QLabel *>(TextName)->text();
}

} // namespace pipescope::mainwindow
