#include "mainwindow/start_page.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <vector>

namespace pipescope::mainwindow {

namespace {

constexpr int Width = 640;

void colour(QLabel &label, const QColor &colour)
{
    QPalette palette = label.palette();
    palette.setColor(QPalette::WindowText, colour);
    label.setPalette(palette);
}

QLabel *title(const QString &text, int points, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPixelSize(points);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
    , m_open(new QPushButton(tr("&Open a model, plan or trace..."), this))
    , m_example(new QPushButton(tr("Open the e&xample"), this))
    , m_exampleHint(new QLabel(this))
    , m_recentTitle(title(tr("Opened last"), 14, this))
    , m_recent(new QVBoxLayout)
{
    m_open->setObjectName("open");
    m_open->setDefault(true);
    m_example->setObjectName("openExample");
    m_exampleHint->setObjectName("exampleHint");
    m_exampleHint->setWordWrap(true);
    auto *about = new QLabel(tr("See a PyTorch model as a graph, split it over several devices, run it, see what "
                                "happened, and see that it is still the same model."),
                             this);
    about->setWordWrap(true);
    auto *drop = new QLabel(tr("Opens TorchScript models with their code (.pt, .pth, .jit, .ptl), and plans and traces "
                               "that Pipescope wrote (.json). They can also be dropped here."),
                            this);
    drop->setObjectName("whatOpens");
    drop->setWordWrap(true);
    m_dim = {about, drop, m_exampleHint};
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_example);
    buttons->addStretch();
    auto *middle = new QWidget(this);
    middle->setMaximumWidth(Width);
    auto *column = new QVBoxLayout(middle);
    column->setSpacing(12);
    column->addWidget(title(tr("Pipescope"), 28, middle));
    column->addWidget(about);
    column->addSpacing(8);
    column->addLayout(buttons);
    column->addWidget(m_exampleHint);
    column->addSpacing(8);
    column->addWidget(makeSteps());
    column->addSpacing(8);
    column->addWidget(m_recentTitle);
    m_recent->setSpacing(0);
    column->addLayout(m_recent);
    column->addWidget(drop);
    auto *across = new QHBoxLayout;
    across->addStretch(1);
    across->addWidget(middle, 4);
    across->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(1);
    layout->addLayout(across);
    layout->addStretch(2);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openAsked);
    connect(m_example, &QPushButton::clicked, this, &StartPage::exampleAsked);
    setTheme(style::Theme::dark());
    setRecent({});
}

QWidget *StartPage::makeSteps()
{
    struct Step
    {
        QString title;
        QString text;
    };
    const Step steps[] = {
        {tr("Place splits"), tr("Click between two rows of the program. What crosses and how even the stages are is "
                                "shown before.")},
        {tr("Run"), tr("The stages really run in parallel, microbatch by microbatch, and are compared with the whole "
                       "model.")},
        {tr("Read the bubbles"), tr("Every wait on the timeline says what it waited for, and what would shrink it.")},
    };
    auto *strip = new QWidget(this);
    auto *row = new QHBoxLayout(strip);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(24);
    int number = 0;
    for (const Step &step : steps) {
        auto *column = new QVBoxLayout;
        column->setSpacing(4);
        auto *head = new QHBoxLayout;
        m_numbers.push_back(title(QString::number(++number), 14, strip));
        head->addWidget(m_numbers.back());
        head->addWidget(title(step.title, 14, strip), 1);
        auto *text = new QLabel(step.text, strip);
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_dim.push_back(text);
        column->addLayout(head);
        column->addWidget(text, 1);
        row->addLayout(column, 1);
    }
    return strip;
}

void StartPage::setTheme(const style::Theme &theme)
{
    for (QLabel *label : m_dim)
        colour(*label, theme.colour(style::Token::Dim));
    for (QLabel *label : m_numbers)
        colour(*label, theme.colour(style::Token::Accent));
}

void StartPage::setRecent(const std::vector<session::RecentFile> &files)
{
    for (QWidget *row : m_rows)
        row->deleteLater();
    m_rows.clear();
    m_recentTitle->setVisible(!files.empty());
    for (const session::RecentFile &file : files) {
        auto *button = new QPushButton(file.name + "    " + (file.whyNot.isEmpty() ? file.folder : file.whyNot), this);
        button->setObjectName("recentFile");
        button->setFlat(true);
        button->setStyleSheet("text-align: left; padding: 4px;");
        button->setEnabled(file.whyNot.isEmpty());
        button->setToolTip(file.whyNot.isEmpty() ? file.path : file.path + '\n' + file.whyNot);
        connect(button, &QPushButton::clicked, this, [this, path = file.path] { Q_EMIT recentAsked(path); });
        m_recent->addWidget(button);
        m_rows.push_back(button);
    }
}

void StartPage::setExample(const QString &hint, const QString &whyNot)
{
    m_example->setEnabled(whyNot.isEmpty());
    m_example->setToolTip(whyNot);
    m_exampleHint->setText(whyNot.isEmpty() ? hint : whyNot);
    m_exampleHint->setVisible(!m_exampleHint->text().isEmpty());
}

} // namespace pipescope::mainwindow
