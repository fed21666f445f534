#include "inspector/numbers_view.h"

#include "inspector/bin_table_model.h"
#include "inspector/fact_browser.h"
#include "inspector/histogram.h"
#include "inspector/leaf_facts.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

namespace pipescope::inspector {

namespace {

constexpr int TableHeight = 240; ///< in pixels, some rows: the panel is scrolled too

} // namespace

NumbersView::NumbersView(const session::Document &document, const session::RunController &controller,
                         session::TensorProbe &probe, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_probe(probe)
    , m_title(new QLabel(tr("Numbers"), this))
    , m_microbatch(new QSpinBox(this))
    , m_look(new QPushButton(tr("&Look inside"), this))
    , m_leaf(new QComboBox(this))
    , m_said(new QLabel(this))
    , m_facts(new FactBrowser(this))
    , m_histogram(new Histogram(this))
    , m_asTable(new QToolButton(this))
    , m_bins(new BinTableModel(this))
    , m_table(new QTableView(this))
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_microbatch->setObjectName("microbatch");
    m_microbatch->setAccessibleName(tr("Microbatch to look into"));
    m_microbatch->setSpecialValueText(tr("whole batch"));
    m_microbatch->setPrefix(tr("microbatch "));
    m_microbatch->setMinimum(-1);
    m_microbatch->setValue(-1);
    m_look->setObjectName("look");
    m_look->setToolTip(tr("Have the engine compute this tensor with the unsplit model and tell of its numbers"));
    m_leaf->setObjectName("leaf");
    m_leaf->setAccessibleName(tr("Tensor inside the value"));
    m_leaf->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_said->setObjectName("said");
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_facts->setObjectName("numbers");
    m_facts->setAccessibleName(tr("Numbers"));
    dressBins();

    auto *row = new QHBoxLayout;
    row->addWidget(m_microbatch, 1);
    row->addWidget(m_look);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_title);
    layout->addLayout(row);
    for (QWidget *widget :
         {static_cast<QWidget *>(m_said), static_cast<QWidget *>(m_leaf), static_cast<QWidget *>(m_facts),
          static_cast<QWidget *>(m_histogram), static_cast<QWidget *>(m_table)})
        layout->addWidget(widget);
    layout->addWidget(m_asTable, 0, Qt::AlignRight);

    connect(m_look, &QPushButton::clicked, this, &NumbersView::ask);
    connect(m_microbatch, &QSpinBox::valueChanged, this, &NumbersView::refresh);
    connect(m_leaf, &QComboBox::currentIndexChanged, this, &NumbersView::showLeaf);
    connect(&m_probe, &session::TensorProbe::asked, this, &NumbersView::refresh);
    connect(&m_probe, &session::TensorProbe::answered, this, &NumbersView::refresh);
    connect(&m_controller, &session::RunController::stateChanged, this, &NumbersView::refresh);
    connect(&m_document, &session::Document::planChanged, this, &NumbersView::refresh);
    show(std::nullopt);
}

void NumbersView::dressBins()
{
    const QString help = tr("The histogram's bins as a table: from where to where, and how many elements");
    m_asTable->setObjectName("binsAsTable");
    m_asTable->setText(tr("Table"));
    m_asTable->setToolTip(help);
    m_asTable->setAccessibleDescription(help);
    m_asTable->setCheckable(true);
    widgets::dressTable(*m_table, "bins", tr("Bins of the histogram"));
    m_table->setModel(m_bins);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setFixedHeight(TableHeight);
    connect(m_asTable, &QToolButton::toggled, this, &NumbersView::showBins);
}

void NumbersView::show(const std::optional<Tensor> &tensor)
{
    if (tensor != m_tensor || !tensor)
        m_tensor = tensor;
    setVisible(m_tensor.has_value());
    if (!m_tensor)
        return;
    const bool isSmall = m_tensor->bytes && *m_tensor->bytes <= LookedIntoAtOnce;
    if (!m_tensor->parameter.empty() && isSmall && canAsk() && !isOurs() && !m_probe.isAsking())
        ask();
    refresh();
}

bool NumbersView::canAsk() const
{
    const auto model = m_document.model();
    return m_tensor && model && !model->structureOnly && !m_controller.isLooking() && !m_controller.isRunning();
}

/// What was looked at, and no other that has taken its place; "" where that is not known.
std::string NumbersView::modelSha256() const
{
    const auto model = m_document.model();
    return model && model->path == m_document.plan().model ? model->sha256 : std::string();
}

bool NumbersView::isOurs() const
{
    const auto &question = m_probe.question();
    return question && m_tensor && question->expectedSha256 == modelSha256() && question->value == m_tensor->value &&
           question->parameter == m_tensor->parameter && question->plan == m_document.plan() &&
           question->microbatch == MicrobatchId{m_microbatch->value()};
}

void NumbersView::ask()
{
    if (!canAsk())
        return;
    report::StatisticsRequest request;
    request.plan = m_document.plan();
    request.value = m_tensor->value;
    request.parameter = m_tensor->parameter;
    request.microbatch = MicrobatchId{m_microbatch->value()};
    request.expectedSha256 = modelSha256();
    m_probe.ask(request);
}

void NumbersView::refresh()
{
    if (!m_tensor)
        return;
    const QSignalBlocker quiet(m_leaf);
    const QSignalBlocker still(m_microbatch);
    m_microbatch->setMaximum(m_document.plan().microbatches - 1);
    m_microbatch->setVisible(m_tensor->parameter.empty());
    const bool ours = isOurs();
    m_look->setEnabled(canAsk() && !(ours && m_probe.isAsking()));
    m_leaf->clear();
    tell(ours && m_probe.isAsking() ? tr("Asking the engine...") : QString());
    if (ours && m_probe.answer()) {
        const Result<report::StatisticsReport> &answer = *m_probe.answer();
        if (!answer) {
            tell(QString::fromStdString(answer.error().message));
        } else {
            for (const report::LeafStatistics &leaf : answer->leaves)
                m_leaf->addItem(QString::fromStdString(leaf.path.empty() ? answer->name : leaf.path));
            if (answer->leaves.empty())
                tell(answer->text.empty() ? tr("There is no tensor in it.") : QString::fromStdString(answer->text));
            else if (answer->moreLeaves > 0)
                tell(tr("%1 more tensors are left out.").arg(answer->moreLeaves));
        }
    }
    m_leaf->setVisible(m_leaf->count() > 1);
    showLeaf();
}

void NumbersView::showLeaf()
{
    const bool has = m_leaf->currentIndex() >= 0 && isOurs() && m_probe.answer() && *m_probe.answer();
    m_facts->setVisible(has);
    if (!has) {
        m_bins->show({});
        return showBins();
    }
    const report::LeafStatistics &leaf = (**m_probe.answer()).leaves[static_cast<std::size_t>(m_leaf->currentIndex())];
    FactSheet sheet;
    sheet.facts = leafFacts(leaf);
    m_facts->show(sheet);
    const Bins bins = binsOf(leaf);
    m_histogram->show(bins);
    m_bins->show(bins);
    showBins();
}

void NumbersView::showBins()
{
    const bool has = m_bins->rowCount() > 0;
    m_asTable->setVisible(has);
    m_histogram->setVisible(has && !m_asTable->isChecked());
    m_table->setVisible(has && m_asTable->isChecked());
}

void NumbersView::tell(const QString &text)
{
    m_said->setText(text);
    m_said->setVisible(!text.isEmpty());
}

} // namespace pipescope::inspector
