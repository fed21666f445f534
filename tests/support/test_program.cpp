// The main() of every test program: `tests-schedule tst_gpipe [options of Qt Test]` runs one of its tests.
#include "support/test_program.h"

#include <QTest>
#ifdef PIPESCOPE_WIDGET_TESTS
#include <QApplication>
#endif

#include <cstdio>

namespace pipescope::tests {
namespace {

const RegisteredTest *&newest()
{
    static const RegisteredTest *test = nullptr;
    return test;
}

std::string_view stemOf(std::string_view file)
{
    file.remove_prefix(file.rfind('/') + 1);
    return file.substr(0, file.rfind('.'));
}

const RegisteredTest *find(std::string_view name)
{
    const RegisteredTest *test = newest();
    while (test && test->name != name)
        test = test->next;
    return test;
}

int listTests(const char *program)
{
    std::fprintf(stderr, "usage: %s TEST [OPTIONS OF QT TEST]\nIts tests:\n", program);
    for (const RegisteredTest *test = newest(); test; test = test->next)
        std::fprintf(stderr, "  %.*s\n", static_cast<int>(test->name.size()), test->name.data());
    return 2;
}

template <class Application>
int run(const RegisteredTest &test, int argc, char **argv)
{
    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    const std::unique_ptr<QObject> object = test.make();
    return QTest::qExec(object.get(), argc, argv);
}

} // namespace

RegisteredTest::RegisteredTest(std::string_view file, TestNeeds application, Make maker)
    : name(stemOf(file))
    , needs(application)
    , make(maker)
    , next(std::exchange(newest(), this))
{
}

} // namespace pipescope::tests

int main(int argc, char **argv)
{
    using namespace pipescope::tests;
    const RegisteredTest *test = argc > 1 ? find(argv[1]) : nullptr;
    if (!test)
        return listTests(argv[0]);
    // What is left for Qt are the program's name and the options.
    argv[1] = argv[0];
#ifdef PIPESCOPE_WIDGET_TESTS
    if (test->needs == TestNeeds::Widgets)
        return run<QApplication>(*test, argc - 1, argv + 1);
#endif
    return run<QCoreApplication>(*test, argc - 1, argv + 1);
}
