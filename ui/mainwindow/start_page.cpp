#include "mainwindow/start_page.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace pipescope::mainwindow {

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
{
    auto *steps =
        new QLabel(tr("<h2>Pipescope</h2><p>1&nbsp; Place splits &nbsp;&nbsp; 2&nbsp; Run &nbsp;&nbsp; "
                      "3&nbsp; Read the bubbles</p><p>Open a TorchScript model or a plan, or drop one here.</p>"),
                   this);
    steps->setAlignment(Qt::AlignCenter);
    auto *open = new QPushButton(tr("&Open a model or plan..."), this);
    open->setObjectName("open");
    auto *layout = new QVBoxLayout(this);
    layout->addStretch();
    layout->addWidget(steps);
    layout->addWidget(open, 0, Qt::AlignCenter);
    layout->addStretch();
    connect(open, &QPushButton::clicked, this, &StartPage::openAsked);
}

} // namespace pipescope::mainwindow
