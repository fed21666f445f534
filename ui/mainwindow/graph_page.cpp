#include "mainwindow/graph_page.h"

#include "graphview/node_table_model.h"
#include "session/not_loaded.h"
#include "session/related.h"
#include "session/specialising.h"
#include "session/staging.h"
#include "widgets/column_menu.h"
#include "widgets/elided_label.h"
#include "widgets/stage_delegate.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <memory>
#include <utility>

namespace pipescope::mainwindow {

namespace {

using graphview::Overlay;

} // namespace

GraphPage::GraphPage(session::Document &document, session::Selection &selection, const style::Theme &theme,
                     QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_gutter(new graphview::SplitGutter(this))
    , m_canvas(new graphview::GraphCanvas(selection, this))
    , m_shown(new QStackedWidget(this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this))
    , m_graphOf(new widgets::ElidedLabel(this))
    , m_overlay(new QComboBox(this))
    , m_previous(button(tr("Previous"), "previousMatch", tr("The match before (Shift+F3 on the graph)")))
    , m_next(button(tr("Next"), "nextMatch", tr("The next match (Return, or F3 on the graph)")))
    , m_nodes(new graphview::NodeTableModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this))
    , m_asTable(button(tr("Table"), "asTable", tr("All nodes as a table, to sort and filter by the search")))
    , m_flat(button(tr("Flat"), "flat", tr("Every operator by itself, without the modules around")))
{
    setTheme(theme);
    m_canvas->setObjectName("graphCanvas");
    m_gutter->setObjectName("gutter");
    for (QWidget *drawn : {static_cast<QWidget *>(m_canvas), static_cast<QWidget *>(m_gutter)})
        drawn->setLayoutDirection(Qt::LeftToRight); // a drawing, whose texts stand where they are drawn
    m_flat->setCheckable(true);
    m_asTable->setCheckable(true);
    makeTable();
    m_shown->addWidget(m_canvas);
    m_shown->addWidget(m_table);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeBar());
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_gutter);
    split->addWidget(m_shown);
    split->setStretchFactor(1, 1);
    split->setSizes({280, 800});
    split->setChildrenCollapsible(false);
    m_gutter->setMinimumWidth(160);
    m_shown->setMinimumWidth(200);
    layout->addWidget(split, 1);

    connect(&m_document, &session::Document::modelChanged, this, &GraphPage::showModel);
    connect(&m_document, &session::Document::planChanged, this, &GraphPage::showStages);
    connectSearch();
    connectSplits();
    showModel();
}

void GraphPage::setTheme(const style::Theme &theme)
{
    m_canvas->setTheme(theme);
    m_gutter->setTheme(theme);
}

QToolButton *GraphPage::button(const QString &text, const char *name, const QString &help)
{
    auto *made = new QToolButton(this);
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(help);
    made->setAccessibleDescription(help);
    return made;
}

QBoxLayout *GraphPage::makeBar()
{
    m_search->setObjectName("graphSearch");
    m_search->setPlaceholderText(tr("Search names, operators and shapes (regular expression)"));
    m_search->setAccessibleName(tr("Search in the graph"));
    m_search->setClearButtonEnabled(true);
    m_found->setObjectName("found");
    m_graphOf->setObjectName("graphOf");
    m_overlay->setObjectName("overlay");
    m_overlay->setAccessibleName(tr("What is shown on the boxes"));
    m_overlay->addItem(tr("Stages"), static_cast<int>(Overlay::Stage));
    m_overlay->addItem(tr("Time"), static_cast<int>(Overlay::Time));
    m_overlay->addItem(tr("Memory"), static_cast<int>(Overlay::Memory));
    m_overlay->addItem(tr("Parameters"), static_cast<int>(Overlay::Parameters));
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->setSpacing(6); // else it has the page's, which is none
    bar->addWidget(m_search, 1);
    bar->addWidget(m_found);
    bar->addWidget(m_previous);
    bar->addWidget(m_next);
    bar->addWidget(m_graphOf);
    bar->addWidget(m_flat);
    bar->addWidget(m_asTable);
    bar->addWidget(m_overlay);
    return bar;
}

void GraphPage::makeTable()
{
    using graphview::NodeTableModel;
    m_filtered->setSourceModel(m_nodes);
    m_filtered->setSortRole(NodeTableModel::SortRole);
    m_filtered->setFilterKeyColumn(-1); // all
    widgets::dressTable(*m_table, "nodes", tr("Nodes of the model"));
    m_table->setModel(m_filtered);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(NodeTableModel::Order, Qt::AscendingOrder);
    QHeaderView *header = m_table->horizontalHeader();
    const std::pair<int, int> widths[] = {{NodeTableModel::Order, 56}, {NodeTableModel::Name, 260},
                                          {NodeTableModel::Op, 150},   {NodeTableModel::Shape, 120},
                                          {NodeTableModel::Time, 80},  {NodeTableModel::Stage, 56},
                                          {NodeTableModel::Flops, 72}, {NodeTableModel::Parameters, 88},
                                          {NodeTableModel::Bytes, 80}, {NodeTableModel::Module, 160}};
    for (const auto &[column, width] : widths)
        header->resizeSection(column, width);
    header->setStretchLastSection(true);
    m_table->setItemDelegateForColumn(NodeTableModel::Stage, new widgets::StageDelegate(m_table));
    widgets::addSortMenu(*m_table);
    widgets::addColumnMenu(*m_table, {NodeTableModel::Parameters, NodeTableModel::Module});
    connect(m_asTable, &QToolButton::toggled, this,
            [this](bool table) { m_shown->setCurrentWidget(table ? static_cast<QWidget *>(m_table) : m_canvas); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            m_selection.select(m_nodes->nodeAt(m_filtered->mapToSource(rows.first()).row()));
    });
    connect(&m_selection, &session::Selection::changed, this, &GraphPage::followSelection);
}

void GraphPage::followSelection()
{
    const session::Selected &selected = m_selection.current();
    const auto model = m_document.model();
    const session::OrderRange range =
        model ? session::orderOf(selected, model->graph, m_stageOf) : session::OrderRange();
    m_gutter->setSelected(range.begin, range.end);
    const auto node = session::idIn<NodeId>(selected);
    // Of a module or a stage the table shows where it begins.
    const NodeId first = range.isEmpty() ? NodeId{} : model->graph.at(range.begin).id;
    const int row = m_nodes->rowOf(node.valid() ? node : first);
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_filtered->mapFromSource(m_nodes->index(row, graphview::NodeTableModel::Name));
    widgets::followRow(*m_table, index);
}

void GraphPage::connectSearch()
{
    using graphview::GraphCanvas;
    connect(m_search, &QLineEdit::textChanged, this, &GraphPage::search);
    connect(m_search, &QLineEdit::returnPressed, m_canvas, &GraphCanvas::showNextMatch);
    connect(m_next, &QToolButton::clicked, m_canvas, &GraphCanvas::showNextMatch);
    connect(m_previous, &QToolButton::clicked, m_canvas, &GraphCanvas::showPreviousMatch);
    connect(m_canvas, &GraphCanvas::matchChanged, this, &GraphPage::showFound);
    connect(m_flat, &QToolButton::toggled, m_canvas, &GraphCanvas::setFlat);
    connect(m_overlay, &QComboBox::currentIndexChanged, this,
            [this] { m_canvas->setOverlay(static_cast<Overlay>(m_overlay->currentData().toInt())); });
    connect(m_canvas, &GraphCanvas::overlayChanged, this,
            [this] { m_overlay->setCurrentIndex(m_overlay->findData(static_cast<int>(m_canvas->overlay()))); });
    showFound();
}

void GraphPage::startSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void GraphPage::showModel()
{
    const auto model = m_document.model();
    m_splits.reset();
    const QString values = model ? session::inputsText(model->specialised) : QString();
    m_graphOf->setText(tr("graph of %1").arg(values));
    m_graphOf->setToolTip(tr("The graph is the one of %1 alone: branches on it are decided.").arg(values));
    m_graphOf->setVisible(!values.isEmpty());
    std::shared_ptr<const graph::ModelGraph> graph;
    if (model) { // graph and points live as long as the inspection that they are parts of
        graph = {model, &model->graph};
        m_splits = std::make_shared<const session::SplitTable>(graph, session::splitPointsOf(model));
    }
    m_canvas->setGraph(graph);
    m_gutter->setTable(m_splits);
    m_nodes->setGraph(graph);
    showStages();
}

void GraphPage::showStages()
{
    const auto model = m_document.model();
    const auto staging = m_document.staging();
    const partition::Partition &partition = staging->partition;
    m_canvas->setStages(partition.stageOf);
    m_canvas->setSplits(m_splits, partition.cuts);
    m_gutter->setCuts(partition.cuts);
    m_gutter->setStaged(!model || !model->structureOnly);
    m_nodes->setStages(partition.stageOf);
    m_stageOf = partition.stageOf;
    followSelection();
}

void GraphPage::connectSplits()
{
    using graphview::GraphCanvas;
    using graphview::SplitGutter;
    connect(m_canvas, &GraphCanvas::pictureChanged, this, [this] {
        if (const graphview::Picture *picture = m_canvas->picture())
            m_gutter->setRows(graphview::splitRows(*picture->graph, picture->scene.tree));
    });
    const auto place = [this](const QString &id) { tell(session::placeSplit(m_document, id.toStdString())); };
    const auto remove = [this](const QString &id) { tell(session::removeSplit(m_document, id.toStdString())); };
    const auto move = [this](const QString &from, const QString &to) {
        tell(session::moveSplit(m_document, from.toStdString(), to.toStdString()));
    };
    connect(m_gutter, &SplitGutter::splitPlaced, this, place);
    connect(m_canvas, &GraphCanvas::splitPlaced, this, place);
    connect(m_gutter, &SplitGutter::splitRemoved, this, remove);
    connect(m_canvas, &GraphCanvas::splitRemoved, this, remove);
    connect(m_gutter, &SplitGutter::splitMoved, this, move);
    connect(m_canvas, &GraphCanvas::splitMoved, this, move);
    connect(m_gutter, &SplitGutter::previewed, m_canvas, &GraphCanvas::previewSplit);
    connect(m_canvas, &GraphCanvas::splitPreviewed, m_gutter, &SplitGutter::highlight);
    connect(m_gutter, &SplitGutter::rowActivated, this, &GraphPage::selectRow);
}

void GraphPage::selectRow(const graphview::BoxKey &key)
{
    if (key.kind != graphview::BoxKind::Module)
        return m_selection.select(NodeId{key.index});
    if (const auto model = m_document.model()) {
        const graph::ModuleCall &call = model->graph.calls[static_cast<std::size_t>(key.index)];
        m_selection.select(session::SelectedModule{call.fqn, call.call});
    }
}

void GraphPage::tell(const Status &edited)
{
    if (!edited)
        Q_EMIT refused(QString::fromStdString(edited.error().message));
}

void GraphPage::search(const QString &pattern)
{
    m_badPattern = m_canvas->search(pattern) < 0;
    m_filtered->setFilterRegularExpression(
        m_badPattern ? QRegularExpression() : QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    showFound();
}

void GraphPage::showFound()
{
    const int found = m_canvas->matchCount();
    const int at = m_canvas->currentMatch();
    const bool asked = !m_search->text().isEmpty();
    m_found->setText(!asked         ? QString()
                     : m_badPattern ? tr("no regular expression")
                     : found == 0   ? tr("none found")
                     : at < 0       ? tr("%1 found").arg(found)
                                    : tr("%1 of %2").arg(at + 1).arg(found));
    for (QToolButton *walk : {m_previous, m_next}) {
        walk->setVisible(asked);
        walk->setEnabled(found > 0);
    }
}

} // namespace pipescope::mainwindow
