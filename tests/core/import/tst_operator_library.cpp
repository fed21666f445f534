#include "import/operator_library.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/ones.h>
#include <QTest>
#include <dlfcn.h>

using namespace pipescope;

namespace {

template <class T>
T call(const char *name, std::vector<c10::IValue> stack)
{
    c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(stack);
    return stack.at(0).to<T>();
}

bool isLoaded(const char *library)
{
    return ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD) != nullptr;
}

} // namespace

class TestOperatorLibrary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLibraryThatLacksNothingOfCudaLoadsNothingOfIt()
    {
        QVERIFY(import::loadOperatorLibrary(PIPESCOPE_OPERATOR_LIBRARY));
        QVERIFY(!isLoaded("libtorch_cuda.so"));
    }

    void aLibraryThatNeedsALibraryThatIsNowhereIsRefusedByItsName()
    {
        const Status loaded = import::loadOperatorLibrary(PIPESCOPE_LOST_OPERATORS);
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().message.find("libpipescope_test_absent.so") != std::string::npos,
                 loaded.error().message.c_str());
        QVERIFY(!isLoaded("libtorch_cuda.so"));
    }

    void aNameThatNoFileAndNoLibraryOfTheSystemHasIsRefused()
    {
        const Status loaded = import::loadOperatorLibrary("pipescope_nowhere.so");
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::NotFound);
        QCOMPARE(loaded.error().where, std::string("pipescope_nowhere.so"));
        QCOMPARE(loaded.error().message,
                 std::string("there is no operator library 'pipescope_nowhere.so' in this folder, and the system knows "
                             "no library of that name; give the path of the .so file that is installed with these "
                             "operators, as torchvision's _C.so is"));
    }

    void aLibraryBuiltForCudaRunsOnTheCpu()
    {
        const Status loaded = import::loadOperatorLibrary(PIPESCOPE_CUDA_OPERATORS);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(call<at::Tensor>("cudalib::twice", {at::ones({3})}).sum().item<double>(), 6.0);
    }

    void whatAsksForCudaIsToldThatThereIsNone()
    {
        QVERIFY(import::loadOperatorLibrary(PIPESCOPE_CUDA_OPERATORS));
        QVERIFY(call<std::int64_t>("cudalib::stream", {}) != 0);
        QCOMPARE(call<std::string>("cudalib::message", {0}), std::string());
        QCOMPARE(call<std::string>("cudalib::message", {100}),
                 std::string("CUDA error 100 at kernel.cu:7; this LibTorch has no CUDA"));
    }
};

PIPESCOPE_TEST(TestOperatorLibrary)
#include "tst_operator_library.moc"
