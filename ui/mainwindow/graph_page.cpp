#include "mainwindow/graph_page.h"

#include "session/staging.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>

namespace pipescope::mainwindow {

namespace {

using graphview::Overlay;

} // namespace

GraphPage::GraphPage(session::Document &document, session::Selection &selection, const style::Theme &theme,
                     QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_gutter(new graphview::SplitGutter(this))
    , m_canvas(new graphview::GraphCanvas(selection, this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this))
    , m_overlay(new QComboBox(this))
{
    m_canvas->setTheme(theme);
    m_gutter->setTheme(theme);
    m_gutter->setObjectName("gutter");
    m_search->setObjectName("graphSearch");
    m_search->setPlaceholderText(tr("Search names, operators and shapes (regular expression)"));
    m_search->setClearButtonEnabled(true);
    m_overlay->setObjectName("overlay");
    m_overlay->setAccessibleName(tr("What colours mean"));
    m_overlay->addItem(tr("Stages"), static_cast<int>(Overlay::Stage));
    m_overlay->addItem(tr("Time"), static_cast<int>(Overlay::Time));
    m_overlay->addItem(tr("Memory"), static_cast<int>(Overlay::Memory));
    m_overlay->addItem(tr("Parameters"), static_cast<int>(Overlay::Parameters));

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_found);
    bar->addWidget(m_overlay);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_gutter);
    split->addWidget(m_canvas);
    split->setStretchFactor(1, 1);
    split->setSizes({200, 800});
    layout->addWidget(split, 1);

    connect(m_search, &QLineEdit::textChanged, this, &GraphPage::search);
    connect(m_search, &QLineEdit::returnPressed, m_canvas, &graphview::GraphCanvas::showNextMatch);
    connect(m_overlay, &QComboBox::currentIndexChanged, this,
            [this] { m_canvas->setOverlay(static_cast<Overlay>(m_overlay->currentData().toInt())); });
    connect(&m_document, &session::Document::modelChanged, this, &GraphPage::showModel);
    connect(&m_document, &session::Document::planChanged, this, &GraphPage::showStages);
    connectGutter(selection);
    showModel();
}

void GraphPage::startSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void GraphPage::showModel()
{
    const auto model = m_document.model();
    // The graph lives as long as the inspection that it is a part of.
    const auto graph = model ? std::shared_ptr<const graph::ModelGraph>(model, &model->graph) : nullptr;
    m_canvas->setGraph(graph);
    m_gutter->setGraph(graph, model ? model->splitPoints : std::vector<partition::SplitPoint>{});
    showStages();
}

void GraphPage::showStages()
{
    const auto model = m_document.model();
    const session::Staging staging = model ? session::stagingOf(m_document.plan(), model->graph) : session::Staging{};
    m_canvas->setStages(staging.partition.stageOf);
    m_gutter->setCuts(staging.partition.cuts);
}

void GraphPage::connectGutter(session::Selection &selection)
{
    using graphview::SplitGutter;
    connect(m_canvas, &graphview::GraphCanvas::pictureChanged, this, [this] {
        if (const graphview::Picture *picture = m_canvas->picture())
            m_gutter->setRows(graphview::splitRows(picture->scene.tree));
    });
    connect(m_gutter, &SplitGutter::splitPlaced, this,
            [this](const QString &id) { tell(session::placeSplit(m_document, id.toStdString())); });
    connect(m_gutter, &SplitGutter::splitRemoved, this,
            [this](const QString &id) { tell(session::removeSplit(m_document, id.toStdString())); });
    connect(m_gutter, &SplitGutter::splitMoved, this, [this](const QString &from, const QString &to) {
        tell(session::moveSplit(m_document, from.toStdString(), to.toStdString()));
    });
    connect(m_gutter, &SplitGutter::rowActivated, this, [this, &selection](int position) {
        if (const auto model = m_document.model(); model && position >= 0 && position < model->graph.size())
            selection.selectNode(model->graph.order[static_cast<std::size_t>(position)]);
    });
}

void GraphPage::tell(const Status &edited)
{
    if (!edited)
        Q_EMIT refused(QString::fromStdString(edited.error().message));
}

void GraphPage::search(const QString &pattern)
{
    const int found = m_canvas->search(pattern);
    m_found->setText(pattern.isEmpty() ? QString()
                     : found < 0       ? tr("no regular expression")
                                       : tr("%n found", "", found));
}

} // namespace pipescope::mainwindow
