#include "mainwindow/trust_bar.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPalette>
#include <QPushButton>

namespace pipescope::mainwindow {

TrustBar::TrustBar(const style::Theme &theme, QWidget *parent)
    : QFrame(parent)
{
    setObjectName("trustBar");
    setAutoFillBackground(true);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Window, theme.colour(style::Token::Raised));
    setPalette(palette);
    auto *label =
        new QLabel(tr("<b style='color:%1'>Structure only.</b> Nothing in this file has run. A TorchScript file "
                      "is a program: loading it runs code in it.")
                       .arg(theme.colour(style::Token::Warn).name()),
                   this);
    label->setWordWrap(true);
    auto *button = new QPushButton(tr("&Trust and load"), this);
    button->setObjectName("trust");
    auto *layout = new QHBoxLayout(this);
    layout->addWidget(label, 1);
    layout->addWidget(button);
    connect(button, &QPushButton::clicked, this, &TrustBar::trusted);
}

} // namespace pipescope::mainwindow
