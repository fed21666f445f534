#include "shardview/shard_page.h"

#include "shardview/layout_fields.h"
#include "shardview/shard_tables.h"
#include "shardview/step_words.h"
#include "shardview/view_fields.h"
#include "widgets/elided_label.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSettings>
#include <QShowEvent>
#include <QSplitter>
#include <QToolButton>
#include <array>
#include <utility>

namespace pipescope::shardview {

namespace {

using shard::Planner;

constexpr std::array<const char *, LayoutFieldCount> Keys{"shards/shape", "shards/dtype", "shards/mesh",
                                                          "shards/placements", "shards/target"};

LayoutWords wordsIn(const QSettings &settings)
{
    LayoutWords words = exampleWords();
    if (!settings.contains(QLatin1String(Keys.front())))
        return words;
    for (std::size_t i = 0; i < LayoutFieldCount; ++i)
        words[i] = settings.value(QLatin1String(Keys[i])).toString();
    return words;
}

QString shapeWord(const std::vector<std::int64_t> &sizes)
{
    QStringList words;
    for (const std::int64_t size : sizes)
        words << QString::number(size);
    return sizes.empty() ? QStringLiteral("[]") : words.join(',');
}

/// "R,R".
QString replicated(const QString &placements)
{
    const auto read = shard::parsePlacements(placements.toStdString());
    return QStringList(read ? static_cast<qsizetype>(read->size()) : 1, QStringLiteral("R")).join(',');
}

} // namespace

ShardPage::ShardPage(QSettings &settings, const style::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_fields(new LayoutFields(this))
    , m_name(new widgets::ElidedLabel(this))
    , m_view(new ViewFields(this))
    , m_stepBar(new QWidget(this))
    , m_planner(new QComboBox(this))
    , m_first(stepButton(tr("First"), "firstStep", tr("To the whole way, or its only step (Home)")))
    , m_previous(stepButton(tr("Previous"), "previousStep", tr("To the step before (Page Up)")))
    , m_next(stepButton(tr("Next"), "nextStep", tr("To the next step (Page Down)")))
    , m_last(stepButton(tr("Last"), "lastStep", tr("To the last step (End)")))
    , m_now(new widgets::ElidedLabel(this))
    , m_difference(new QLabel(this))
    , m_picture(new StepPicture(this))
    , m_tables(new ShardTables(this))
{
    layOut();
    connectParts();
    setTheme(theme);
    m_fields->setWords(wordsIn(m_settings));
}

QToolButton *ShardPage::stepButton(const QString &text, const char *name, const QString &help)
{
    auto *button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QBoxLayout *ShardPage::makeViewBar()
{
    m_name->setObjectName("shardsOf");
    m_name->setTextFormat(Qt::PlainText);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(m_view);
    bar->addWidget(m_name, 1);
    return bar;
}

QBoxLayout *ShardPage::makeStepBar()
{
    m_planner->setObjectName("shardPlanner");
    m_planner->setAccessibleName(tr("Who plans the steps"));
    m_planner->setToolTip(tr("Whose way is shown: the cheapest one there is, or the one that PyTorch 2.15 takes"));
    m_planner->addItem(tr("Cheapest"), static_cast<int>(Planner::Cheapest));
    m_planner->addItem(tr("As PyTorch 2.15"), static_cast<int>(Planner::Upstream));
    m_now->setObjectName("stepNow");
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(6);
    bar->addWidget(m_planner);
    for (QToolButton *button : {m_first, m_previous, m_next, m_last})
        bar->addWidget(button);
    bar->addWidget(m_now, 1);
    return bar;
}

void ShardPage::layOut()
{
    m_stepBar->setLayout(makeStepBar());
    m_difference->setObjectName("planDifference");
    m_difference->setTextFormat(Qt::PlainText);
    m_difference->setWordWrap(true);
    m_difference->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_difference->setContentsMargins(8, 2, 8, 4);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setObjectName("shardSplit");
    split->addWidget(m_picture);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({520, 180});
    split->setChildrenCollapsible(false);
    m_tables->setMinimumHeight(80);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_fields);
    layout->addLayout(makeViewBar());
    layout->addWidget(m_stepBar);
    layout->addWidget(m_difference);
    layout->addWidget(split, 1);
}

void ShardPage::connectParts()
{
    connect(m_fields, &LayoutFields::edited, this, [this] {
        m_name->setText({}); // it is another tensor now
        readFields();
    });
    connect(m_view, &ViewFields::viewChanged, this, [this] { m_picture->show(m_walk, m_view->view()); });
    connect(m_planner, &QComboBox::activated, this, [this] {
        m_walk.setPlanner(static_cast<Planner>(m_planner->currentData().toInt()));
        showProblems();
        showWalk();
    });
    connect(m_first, &QToolButton::clicked, this, [this] { goTo(0); });
    connect(m_previous, &QToolButton::clicked, this, [this] { goTo(m_walk.place() - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { goTo(m_walk.place() + 1); });
    connect(m_last, &QToolButton::clicked, this, [this] { goTo(m_walk.places() - 1); });
    connect(m_tables, &ShardTables::stepChosen, this, [this](int index) {
        m_walk.goToStep(index);
        showWalk();
    });
    connect(m_tables, &ShardTables::rankChosen, this, [this](RankId rank) {
        m_picture->setCurrent(rank);
        m_tables->setCurrent(rank);
    });
    connect(m_picture, &StepPicture::currentChanged, m_tables, &ShardTables::setCurrent);
}

void ShardPage::showTensor(const session::TensorToShow &tensor)
{
    LayoutWords words = m_fields->words();
    wordOf(words, LayoutField::Shape) = shapeWord(tensor.sizes);
    wordOf(words, LayoutField::Dtype) = QString::fromStdString(tensor.dtype);
    const ReadLayouts read = readLayouts(words);
    if (!wordOf(read.problems, LayoutField::Placements).isEmpty())
        wordOf(words, LayoutField::Placements) = replicated(wordOf(words, LayoutField::Placements));
    if (!wordOf(read.problems, LayoutField::Target).isEmpty())
        wordOf(words, LayoutField::Target).clear();
    m_fields->setWords(words);
    m_name->setText(QString::fromStdString(tensor.name));
    readFields();
}

/// Not before somebody looks: a mesh of very many ranks takes its time.
void ShardPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_hasRead)
        readFields();
}

void ShardPage::readFields()
{
    m_hasRead = true;
    ReadLayouts read = readLayouts(m_fields->words());
    if (read.from)
        m_view->setShape(read.from->shape());
    m_walk.set(std::move(read.from), std::move(read.to));
    showProblems();
    showWalk();
    keepFields();
}

/// Of the fields, and why there is no way to the target.
void ShardPage::showProblems()
{
    LayoutWords problems = readLayouts(m_fields->words()).problems;
    if (QString &target = wordOf(problems, LayoutField::Target); target.isEmpty())
        target = m_walk.refusal();
    m_fields->showProblems(problems);
}

void ShardPage::keepFields()
{
    if (m_walk.before() == nullptr)
        return;
    const LayoutWords words = m_fields->words();
    for (std::size_t i = 0; i < LayoutFieldCount; ++i)
        m_settings.setValue(QLatin1String(Keys[i]), words[i]);
}

void ShardPage::goTo(int place)
{
    m_walk.goTo(place);
    showWalk();
}

void ShardPage::showWalk()
{
    m_picture->show(m_walk, m_view->view());
    m_tables->show(m_walk);
    const int last = m_walk.places() - 1;
    m_stepBar->setVisible(m_walk.after() != nullptr);
    for (QToolButton *button : {m_first, m_previous})
        button->setEnabled(m_walk.place() > 0);
    for (QToolButton *button : {m_next, m_last})
        button->setEnabled(m_walk.place() < last);
    const shard::Step *step = m_walk.step();
    m_now->setText(
        step != nullptr
            ? tr("step %1 of %2: %3").arg(m_walk.stepIndex() + 1).arg(m_walk.plan()->steps.size()).arg(stepText(*step))
        : m_walk.plan() != nullptr ? totalText(*m_walk.plan())
                                   : QString());
    QStringList said{m_walk.difference(), m_walk.remarks()};
    said.removeAll(QString());
    m_difference->setText(said.join('\n'));
    m_difference->setVisible(!said.isEmpty());
}

void ShardPage::setTheme(const style::Theme &theme)
{
    m_fields->setTheme(theme);
    m_picture->setTheme(theme);
}

void ShardPage::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Home:
        return goTo(0);
    case Qt::Key_End:
        return goTo(m_walk.places() - 1);
    case Qt::Key_PageUp:
        return goTo(m_walk.place() - 1);
    case Qt::Key_PageDown:
        return goTo(m_walk.place() + 1);
    default:
        return QWidget::keyPressEvent(event);
    }
}

} // namespace pipescope::shardview
