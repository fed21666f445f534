#include "inspector/fact_browser.h"

#include <QEvent>
#include <QFontDatabase>
#include <QTextDocument>
#include <cmath>

namespace pipescope::inspector {

namespace {

constexpr int LabelWidth = 92;
constexpr int TitlePixels = 14;

} // namespace

FactBrowser::FactBrowser(QWidget *parent)
    : QTextBrowser(parent)
{
    setObjectName("facts");
    setAccessibleName(tr("Facts"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &address) {
        const auto number = address.toString().toULongLong();
        if (number < m_links.size())
            Q_EMIT followed(session::Selected(m_links[number])); // a copy: what follows may write anew
    });
}

void FactBrowser::show(const FactSheet &sheet)
{
    if (sheet == m_sheet && !document()->isEmpty())
        return;
    m_sheet = sheet;
    write();
}

void FactBrowser::resizeEvent(QResizeEvent *event)
{
    QTextBrowser::resizeEvent(event);
    fit();
}

void FactBrowser::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    // The text holds colours of the palette.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        write();
}

void FactBrowser::write()
{
    m_links.clear();
    const QString dim = palette().color(QPalette::PlaceholderText).name();
    const QString fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    QString text;
    if (!m_sheet.title.isEmpty())
        text += QStringLiteral("<p style='margin:0 0 2px 0; font-size:%1px; font-weight:600'>%2</p>")
                    .arg(TitlePixels)
                    .arg(m_sheet.title.toHtmlEscaped());
    if (!m_sheet.subtitle.empty())
        text += QStringLiteral("<p style='margin:0; color:%1'>%2</p>")
                    .arg(dim, html(m_sheet.subtitle, QStringLiteral(" · ")));
    text += QStringLiteral("<table cellspacing='0' cellpadding='2' style='margin-top:8px; margin-left:-2px'>");
    for (const Fact &fact : m_sheet.facts)
        text += QStringLiteral("<tr><td width='%1' style='color:%2'>%3</td><td style='%4'>%5</td></tr>")
                    .arg(LabelWidth)
                    .arg(dim, fact.label.toHtmlEscaped(),
                         fact.isCode ? QStringLiteral("font-family:\"%1\"").arg(fixed) : QString(),
                         html(fact.words, QStringLiteral("<br>")));
    text += QStringLiteral("</table>");
    for (const Onward &onward : m_sheet.onward)
        text += QStringLiteral("<p style='margin:8px 0 2px 0; font-weight:600'>%1</p>"
                               "<p style='margin:0; font-family:\"%2\"'>%3</p>")
                    .arg(onward.title.toHtmlEscaped(), fixed, html(onward.links, QStringLiteral("<br>")));
    setHtml(text);
    fit();
}

void FactBrowser::fit()
{
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())));
}

QString FactBrowser::html(const Words &words)
{
    if (!words.link)
        return words.text.toHtmlEscaped();
    m_links.push_back(*words.link);
    return QStringLiteral("<a href='%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(m_links.size() - 1)
        .arg(palette().color(QPalette::Link).name(), words.text.toHtmlEscaped());
}

QString FactBrowser::html(const std::vector<Words> &words, const QString &between)
{
    QStringList parts;
    for (const Words &each : words)
        parts += html(each);
    return parts.join(between);
}

} // namespace pipescope::inspector
