#include "mainwindow/tool_bar.h"

#include "mainwindow/engine_pill.h"
#include "mainwindow/perspectives.h"
#include "plan/devices.h"
#include "plan/limits.h"
#include "runview/schedule_choice.h"
#include "session/schedule_fit.h"
#include "style/icon.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

namespace {

constexpr int LeastField = 130;
constexpr int MostField = 280;
constexpr int IconField = 36;
constexpr int LeastLetters = 5; ///< of a choice, where there is no room for the longest

QStringList listOf(const std::vector<std::string> &devices)
{
    QStringList names;
    for (const std::string &device : devices)
        names << QString::fromStdString(device);
    return names;
}

} // namespace

ToolBar::ToolBar(const actions::ActionTable &table, session::Document &document, const session::EngineClient &engine,
                 QWidget *parent)
    : QToolBar(tr("Tools"), parent)
    , m_table(table)
    , m_document(document)
    , m_engine(engine)
    , m_microbatches(new QSpinBox(this))
    , m_schedule(new QComboBox(this))
    , m_devices(new QComboBox(this))
    , m_palette(new QPushButton(this))
    , m_pill(new EnginePill(engine, this))
{
    setObjectName("toolBar");
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({16, 16});
    setContextMenuPolicy(Qt::PreventContextMenu);
    dressFields();
    m_palette->setObjectName("paletteField");
    m_palette->setText(tr("Search   Ctrl+K"));
    m_palette->setAccessibleName(tr("Command palette"));
    m_palette->setToolTip(m_table.action("palette").toolTip());
    connect(m_palette, &QPushButton::clicked, &m_table.action("palette"), &QAction::trigger);

    for (const PerspectiveRow &row : perspectives())
        addButton(row.action);
    addSeparator();
    addButton("undo");
    addButton("redo");
    addSeparator();
    addField(tr("&Microbatches"), *m_microbatches);
    addField(tr("S&chedule"), *m_schedule);
    addField(tr("Dev&ices"), *m_devices);
    addButton("run", "runButton");
    addButton("profile");
    addSpace(); // takes what the field leaves
    addWidget(m_palette);
    auto *menu = new QMenu(m_pill);
    for (const char *id : {"restartEngine", "stopEngine", "settings"})
        menu->addAction(&m_table.action(id));
    m_pill->setMenu(menu);
    addWidget(m_pill);

    connectFields();
    connect(&m_document, &session::Document::planChanged, this, &ToolBar::showPlan);
    connect(&m_document, &session::Document::modelChanged, this, &ToolBar::tellWhatFits);
    connect(&m_engine, &session::EngineClient::stateChanged, this, &ToolBar::listDevices);
    showPlan();
}

void ToolBar::dressFields()
{
    m_microbatches->setObjectName("toolMicrobatches");
    m_microbatches->setRange(1, plan::MostMicrobatches);
    m_microbatches->setKeyboardTracking(false);
    m_microbatches->setToolTip(tr("How many parts the batch is cut into"));
    m_schedule->setObjectName("toolSchedule");
    m_devices->setObjectName("toolDevices");
    for (QComboBox *box : {m_schedule, m_devices})
        box->setMinimumContentsLength(LeastLetters);
}

void ToolBar::connectFields()
{
    connect(m_microbatches, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Microbatches"), [count](plan::Plan &plan) { plan.microbatches = count; }, "microbatches");
    });
    auto *choice = new runview::ScheduleChoice(*m_schedule, m_document, this);
    connect(choice, &runview::ScheduleChoice::refused, this, &ToolBar::refused);
    connect(m_devices, &QComboBox::activated, this, &ToolBar::setDevices);
}

void ToolBar::setTheme(const style::Theme &theme)
{
    for (const actions::ActionRow &row : m_table.rows())
        if (!row.icon.isEmpty())
            m_table.action(row.id).setIcon(
                style::icon(row.icon, theme, row.id == "run" ? style::Token::Canvas : style::Token::Text));
    m_palette->setIcon(style::icon("search", theme, style::Token::Dim));
    m_pill->setTheme(theme);
}

void ToolBar::resizeEvent(QResizeEvent *event)
{
    QToolBar::resizeEvent(event);
    dressToFit();
}

bool ToolBar::event(QEvent *event)
{
    const bool done = QToolBar::event(event);
    // A field or the engine's state may need more room than before, or less.
    if (event->type() == QEvent::LayoutRequest && sizeHint().width() != m_dressedWidth)
        dressToFit();
    return done;
}

/// What does not fit would go behind an arrow, the engine's state first of all.
void ToolBar::dressToFit()
{
    dressFor(Room::AllWords);
    while (m_room < Room::NoWords && sizeHint().width() > width())
        dressFor(static_cast<Room>(static_cast<int>(m_room) + 1));
    m_dressedWidth = sizeHint().width();
}

void ToolBar::dressFor(Room room)
{
    m_room = room;
    const auto buttonStyle = [](bool hasWords) {
        return hasWords ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
    };
    for (const char *id : {"undo", "redo"})
        if (auto *button = qobject_cast<QToolButton *>(widgetForAction(&m_table.action(id))))
            button->setToolButtonStyle(buttonStyle(room == Room::AllWords));
    if (auto *button = qobject_cast<QToolButton *>(widgetForAction(&m_table.action("profile"))))
        button->setToolButtonStyle(buttonStyle(room < Room::FewWords));
    for (QAction *label : m_labels)
        label->setVisible(room < Room::NoWords);
    for (QComboBox *box : {m_schedule, m_devices}) // whose longest item is longer than what is chosen mostly
        box->setSizeAdjustPolicy(room == Room::NoWords ? QComboBox::AdjustToMinimumContentsLengthWithIcon
                                                       : QComboBox::AdjustToContents);
    for (QShortcut *shortcut : m_shortcuts)
        shortcut->setEnabled(room == Room::NoWords);
    m_palette->setFixedWidth(room == Room::AllWords ? MostField : room == Room::Words ? LeastField : IconField);
    m_palette->setText(room == Room::AllWords ? tr("Search or type a command   Ctrl+K")
                       : room == Room::Words  ? tr("Search   Ctrl+K")
                                              : QString());
}

void ToolBar::addButton(const QString &id, const char *name)
{
    QAction &action = m_table.action(id);
    addAction(&action);
    widgetForAction(&action)->setFocusPolicy(Qt::TabFocus);
    if (name != nullptr)
        widgetForAction(&action)->setObjectName(name);
}

void ToolBar::addField(const QString &title, QWidget &field)
{
    auto *label = new QLabel(title, this);
    label->setBuddy(&field);
    field.setAccessibleName(QString(title).remove('&'));
    m_labels.push_back(addWidget(label));
    addWidget(&field);
    auto *shortcut = new QShortcut(QKeySequence::mnemonic(title), &field);
    shortcut->setEnabled(false); // two of one key would be ambiguous
    connect(shortcut, &QShortcut::activated, &field, [&field] { field.setFocus(Qt::ShortcutFocusReason); });
    m_shortcuts.push_back(shortcut);
}

void ToolBar::addSpace()
{
    auto *space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    space->setMinimumWidth(0);
    addWidget(space);
}

void ToolBar::showPlan()
{
    const plan::Plan &plan = m_document.plan();
    const QSignalBlocker quiet(m_microbatches);
    m_microbatches->setValue(plan.microbatches);
    for (QWidget *field : {static_cast<QWidget *>(m_microbatches), static_cast<QWidget *>(m_schedule),
                           static_cast<QWidget *>(m_devices)})
        field->setEnabled(!plan.model.empty());
    listDevices();
}

void ToolBar::listDevices()
{
    constexpr int mostOffered = 16;
    const std::vector<std::string> &devices = m_document.plan().devices;
    const bool isReady = m_engine.state() == session::EngineClient::State::Ready;
    const int offered = std::clamp(isReady ? m_engine.welcome().cores : 0, 4, mostOffered);
    m_devices->clear();
    m_devices->addItem(tr("one per stage"), QStringList());
    for (int count = 1; count <= offered; ++count)
        addDevices(plan::cpuDevices(count));
    if (m_devices->findData(listOf(devices)) < 0)
        addDevices(devices);
    m_devices->setCurrentIndex(m_devices->findData(listOf(devices)));
    tellWhatFits();
}

void ToolBar::addDevices(const std::vector<std::string> &devices)
{
    m_devices->addItem(QString::fromStdString(plan::devicesText(devices)), listOf(devices));
}

/// What cannot run together says so before a run.
void ToolBar::tellWhatFits()
{
    const plan::Plan &plan = m_document.plan();
    const std::optional<int> stages = m_document.stages();
    const auto whyNot = [&](const std::string &schedule, int devices) {
        return stages ? session::whyNotScheduled(schedule, *stages, devices, plan.microbatches) : QString();
    };
    // These stay free to choose: one who is to place splits yet may begin with them.
    for (int item = 0; item < m_devices->count(); ++item)
        m_devices->setItemData(item,
                               whyNot(plan.schedule, static_cast<int>(m_devices->itemData(item).toStringList().size())),
                               Qt::ToolTipRole);
    const QString now = whyNot(plan.schedule, static_cast<int>(plan.devices.size()));
    m_schedule->setToolTip(now.isEmpty() ? tr("In which order ranks do their work") : now);
    m_devices->setToolTip(now.isEmpty() ? tr("Where ranks run") : now);
}

void ToolBar::setDevices(int index)
{
    std::vector<std::string> devices;
    for (const QString &name : m_devices->itemData(index).toStringList())
        devices.push_back(name.toStdString());
    m_document.edit(tr("Devices"), [&devices](plan::Plan &plan) { plan.devices = devices; });
}

} // namespace pipescope::mainwindow
