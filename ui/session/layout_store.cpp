#include "session/layout_store.h"

#include <algorithm>

namespace pipescope::session {

namespace {

QString root()
{
    return QStringLiteral("layout/v%1/").arg(LayoutStore::Version);
}

QString perspectiveKey(const QString &name)
{
    return root() + "perspective/" + name;
}

/// Names are the user's own: a slash in one would be a group of the settings.
QString namedKey(const QString &name)
{
    return root() + "named/" + QString::fromLatin1(name.toUtf8().toHex());
}

} // namespace

QByteArray LayoutStore::perspective(const QString &name) const
{
    return m_settings.value(perspectiveKey(name)).toByteArray();
}

void LayoutStore::keepPerspective(const QString &name, const QByteArray &state)
{
    m_settings.setValue(perspectiveKey(name), state);
}

void LayoutStore::forgetPerspective(const QString &name)
{
    m_settings.remove(perspectiveKey(name));
}

QStringList LayoutStore::names() const
{
    m_settings.beginGroup(root() + "named");
    QStringList names;
    for (const QString &key : m_settings.childGroups())
        names << QString::fromUtf8(QByteArray::fromHex(key.toLatin1()));
    m_settings.endGroup();
    std::sort(names.begin(), names.end(),
              [](const QString &a, const QString &b) { return QString::localeAwareCompare(a, b) < 0; });
    return names;
}

NamedLayout LayoutStore::named(const QString &name) const
{
    const QString key = namedKey(name);
    return {m_settings.value(key + "/perspective").toString(), m_settings.value(key + "/state").toByteArray()};
}

void LayoutStore::keepNamed(const QString &name, const NamedLayout &layout)
{
    if (name.trimmed().isEmpty())
        return;
    m_settings.setValue(namedKey(name) + "/perspective", layout.perspective);
    m_settings.setValue(namedKey(name) + "/state", layout.state);
}

void LayoutStore::forgetNamed(const QString &name)
{
    m_settings.remove(namedKey(name));
}

} // namespace pipescope::session
