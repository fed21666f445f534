#include "mainwindow/graph_page.h"

#include "session/staging.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

namespace pipescope::mainwindow {

namespace {

using graphview::Overlay;

} // namespace

GraphPage::GraphPage(session::Document &document, session::Selection &selection, const style::Theme &theme,
                     QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_canvas(new graphview::GraphCanvas(selection, this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this))
    , m_overlay(new QComboBox(this))
{
    m_canvas->setTheme(theme);
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
    layout->addWidget(m_canvas, 1);

    connect(m_search, &QLineEdit::textChanged, this, &GraphPage::search);
    connect(m_search, &QLineEdit::returnPressed, m_canvas, &graphview::GraphCanvas::showNextMatch);
    connect(m_overlay, &QComboBox::currentIndexChanged, this,
            [this] { m_canvas->setOverlay(static_cast<Overlay>(m_overlay->currentData().toInt())); });
    connect(&m_document, &session::Document::modelChanged, this, &GraphPage::showModel);
    connect(&m_document, &session::Document::planChanged, this, &GraphPage::showStages);
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
    m_canvas->setGraph(model ? std::shared_ptr<const graph::ModelGraph>(model, &model->graph) : nullptr);
    showStages();
}

void GraphPage::showStages()
{
    const auto model = m_document.model();
    m_canvas->setStages(model ? session::stagingOf(m_document.plan(), model->graph).partition.stageOf
                              : std::vector<StageId>{});
}

void GraphPage::search(const QString &pattern)
{
    const int found = m_canvas->search(pattern);
    m_found->setText(pattern.isEmpty() ? QString()
                     : found < 0       ? tr("no regular expression")
                                       : tr("%n found", "", found));
}

} // namespace pipescope::mainwindow
