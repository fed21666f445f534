#include "mainwindow/trust_bar.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace pipescope::mainwindow {

TrustBar::TrustBar(const style::Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_button(new QPushButton(tr("&Trust and load"), this))
{
    setObjectName("trustBar");
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_button->setObjectName("trust");
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &TrustBar::trusted);
    setTheme(theme);
}

void TrustBar::setTheme(const style::Theme &theme)
{
    QPalette palette = this->palette();
    palette.setColor(QPalette::Window, theme.colour(style::Token::Raised));
    setPalette(palette);
    m_colour = theme.colour(style::Token::Warn);
    showText();
}

void TrustBar::setLibraries(const QStringList &libraries)
{
    m_libraries = libraries;
    showText();
}

void TrustBar::setCode(Code code)
{
    m_code = code;
    m_button->setDisabled(code == Code::Running || code == Code::BeingRead);
    m_button->setText(code == Code::NotReadToItsEnd ? tr("&Read it") : tr("&Trust and load"));
    showText();
}

QString TrustBar::sentences() const
{
    switch (m_code) {
    case Code::Running:
        return tr("The file is being loaded, which runs code in it.");
    case Code::MayHaveRun:
        return tr("Loading this file was begun here, so that code in it may have run. Loading it again may run it "
                  "again.");
    case Code::BeingRead:
        return tr("Nothing in this file has run. It can be trusted once it is read to its end.");
    case Code::NotReadToItsEnd:
        return tr("Nothing in this file has run. It was not read to its end, which has to be done before it is "
                  "trusted.");
    case Code::NotRun:
        break;
    }
    return tr("Nothing in this file has run. A TorchScript file is a program: loading it runs code in it.");
}

void TrustBar::showText()
{
    QString text = tr("<b style='color:%1'>Structure only.</b>").arg(m_colour.name()) + ' ' + sentences();
    if (!m_libraries.isEmpty()) // the plan's, so that they are to be escaped
        text += ' ' + tr("Its plan also loads %1.").arg(m_libraries.join(QStringLiteral(", ")).toHtmlEscaped());
    m_text->setText(text);
}

} // namespace pipescope::mainwindow
