#include "outline/objects.h"

#include "pickled.h"

#include "support/test_program.h"

#include <QTest>
#include <fmt/format.h>

using namespace pipescope;

class TestObjects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A dict that a thousand objects have is a thousand times as long if each has its own list of it.
    void attributesThatManyObjectsShareAreListedOnce()
    {
        constexpr int Many = 1000;
        tests::Pickled model{std::string()};
        tests::Pickled::Attributes shared;
        for (int i = 0; i < Many; ++i)
            shared.emplace_back(fmt::format("attribute{}", i), model.tensor());
        const archive::PickleRef first = model.object("Linear", shared);
        tests::Pickled::Attributes names;
        for (int i = 0; i < Many; ++i)
            names.emplace_back(fmt::format("m{}", i), model.twin(first));
        model.object("Net", names);
        const graph::ModelGraph graph;
        const std::map<std::string, archive::CodeClass> classes;
        outline::Objects objects(model.tree, classes, graph);
        for (int i = 0; i < Many; ++i) {
            const outline::Attribute one = objects.attribute(0, fmt::format("m{}", i));
            QVERIFY(one.kind == outline::Attribute::Kind::Object);
            QVERIFY(objects.attribute(one.index, "attribute0").kind == outline::Attribute::Kind::Other);
        }
        QCOMPARE(objects.listed(), std::size_t(2 * Many)); // the model's own, and those that are shared
    }
};

PIPESCOPE_TEST(TestObjects)
#include "tst_objects.moc"
