// SPDX-License-Identifier: BSL-1.0
//
// CVODES with exact Jacobians: a stiff reaction with forward and adjoint sensitivities, a system that depends on the
// time, banded matrices, and refusals.
#include "../catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/interop/cvodes.hpp>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

namespace cr = chainrule;

namespace {

struct freed {
    void operator()(N_Vector v) const { N_VDestroy(v); }
    void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
    void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
    void operator()(void* memory) const { CVodeFree(&memory); }
};
using vector = std::unique_ptr<_generic_N_Vector, freed>;
using matrix = std::unique_ptr<_generic_SUNMatrix, freed>;
using solver = std::unique_ptr<_generic_SUNLinearSolver, freed>;
using integrator = std::unique_ptr<void, freed>;

template <std::size_t Size>
vector vector_of(const std::array<double, Size>& numbers, SUNContext context) {
    vector v(N_VNew_Serial(static_cast<sunindextype>(Size), context));
    for (std::size_t i = 0; i < Size; ++i) N_VGetArrayPointer(v.get())[i] = numbers[i];
    return v;
}
double at(const vector& v, int i) { return N_VGetArrayPointer(v.get())[i]; }

// The reaction of Robertson, from the examples of SUNDIALS.
constexpr auto reaction = cr::function([](auto a, auto b, auto c, auto k1, auto k2, auto k3) {
    const auto first = -k1 * a + k2 * b * c, third = k3 * b * b;
    return std::array{first, -first - third, third};
});
constexpr std::array rates{0.04, 1e4, 3e7};

/// A measured curve that has no values below 0.
struct curve : cr::custom_function<curve, 1> {
    static constexpr char name[] = "curve";
    static double value(double u) {
        if (u < 0.0) throw std::domain_error("curve: u is below 0");
        return u * u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        return 2 * u;
    }
};

} // namespace

TEST_CASE("forward sensitivities of a stiff reaction are those that CVODES documents") {
    const sundials::Context context;
    auto system = cr::cvodes_system(reaction);
    system.parameters = rates;
    const integrator memory(CVodeCreate(CV_BDF, context));
    const vector y = vector_of(std::array{1.0, 0.0, 0.0}, context);
    const vector tolerances = vector_of(std::array{1e-12, 1e-15, 1e-12}, context);
    const matrix j(SUNDenseMatrix(3, 3, context));
    const solver s(SUNLinSol_Dense(y.get(), j.get(), context));
    REQUIRE(CVodeInit(memory.get(), system.slope, 0.0, y.get()) == 0);
    REQUIRE(CVodeSVtolerances(memory.get(), 1e-9, tolerances.get()) == 0);
    REQUIRE(CVodeSetUserData(memory.get(), &system) == 0);
    REQUIRE(CVodeSetLinearSolver(memory.get(), s.get(), j.get()) == 0);
    REQUIRE(CVodeSetJacFn(memory.get(), system.jacobian) == 0);

    // By the three rates, then by the start of the first substance.
    std::array<vector, 4> sensitivities;
    std::array<N_Vector, 4> pointers{};
    for (std::size_t k = 0; k < 4; ++k) {
        sensitivities[k] = vector_of(std::array{k == 3 ? 1.0 : 0.0, 0.0, 0.0}, context);
        pointers[k] = sensitivities[k].get();
    }
    std::array scales{0.04, 1e4, 3e7, 1.0};
    REQUIRE(CVodeSensInit1(memory.get(), 4, CV_SIMULTANEOUS, system.sensitivity_slope, pointers.data()) == 0);
    REQUIRE(CVodeSetSensParams(memory.get(), nullptr, scales.data(), nullptr) == 0);
    REQUIRE(CVodeSensEEtolerances(memory.get()) == 0);
    double t = 0.0;
    REQUIRE(CVode(memory.get(), 0.4, y.get(), &t, CV_NORMAL) == CV_SUCCESS);
    REQUIRE(CVodeGetSens(memory.get(), &t, pointers.data()) == 0);

    CHECK(at(y, 0) == Approx(9.8517e-01).epsilon(1e-4));
    CHECK(at(y, 1) == Approx(3.3864e-05).epsilon(1e-4));
    // The example cvsRoberts_FSA_dns prints these at t = 0.4, with tolerances of 1e-4.
    CHECK(at(sensitivities[0], 0) == Approx(-3.5595e-01).epsilon(2e-3));
    CHECK(at(sensitivities[0], 1) == Approx(3.9025e-04).epsilon(2e-3));
    CHECK(at(sensitivities[1], 0) == Approx(9.5431e-08).epsilon(2e-3));
    CHECK(at(sensitivities[2], 2) == Approx(1.6362e-11).epsilon(2e-2));

    // The adjoint gives the same: here of the third substance.
    const integrator adjoint(CVodeCreate(CV_BDF, context));
    const vector again = vector_of(std::array{1.0, 0.0, 0.0}, context);
    const matrix j2(SUNDenseMatrix(3, 3, context)), jb(SUNDenseMatrix(3, 3, context));
    const vector a = vector_of(std::array{0.0, 0.0, 1.0}, context), q = vector_of(std::array{0.0, 0.0, 0.0}, context);
    const solver s2(SUNLinSol_Dense(again.get(), j2.get(), context)), sb(SUNLinSol_Dense(a.get(), jb.get(), context));
    REQUIRE(CVodeInit(adjoint.get(), system.slope, 0.0, again.get()) == 0);
    REQUIRE(CVodeSVtolerances(adjoint.get(), 1e-9, tolerances.get()) == 0);
    REQUIRE(CVodeSetUserData(adjoint.get(), &system) == 0);
    REQUIRE(CVodeSetLinearSolver(adjoint.get(), s2.get(), j2.get()) == 0);
    REQUIRE(CVodeSetJacFn(adjoint.get(), system.jacobian) == 0);
    REQUIRE(CVodeAdjInit(adjoint.get(), 100, CV_HERMITE) == 0);
    int checkpoints = 0, backward = 0;
    REQUIRE(CVodeF(adjoint.get(), 0.4, again.get(), &t, CV_NORMAL, &checkpoints) >= 0);
    REQUIRE(CVodeCreateB(adjoint.get(), CV_BDF, &backward) == 0);
    REQUIRE(CVodeInitB(adjoint.get(), backward, system.adjoint_slope, 0.4, a.get()) == 0);
    REQUIRE(CVodeSStolerancesB(adjoint.get(), backward, 1e-9, 1e-12) == 0);
    REQUIRE(CVodeSetUserDataB(adjoint.get(), backward, &system) == 0);
    REQUIRE(CVodeSetLinearSolverB(adjoint.get(), backward, sb.get(), jb.get()) == 0);
    REQUIRE(CVodeSetJacFnB(adjoint.get(), backward, system.adjoint_jacobian) == 0);
    REQUIRE(CVodeQuadInitB(adjoint.get(), backward, system.adjoint_integrand, q.get()) == 0);
    REQUIRE(CVodeB(adjoint.get(), 0.0, CV_NORMAL) == 0);
    REQUIRE(CVodeGetB(adjoint.get(), backward, &t, a.get()) == 0);
    REQUIRE(CVodeGetQuadB(adjoint.get(), backward, &t, q.get()) == 0);
    for (int k = 0; k < 3; ++k)
        CHECK(at(q, k) == Approx(at(sensitivities[static_cast<std::size_t>(k)], 2)).epsilon(1e-4));
    CHECK(at(a, 0) == Approx(at(sensitivities[3], 2)).epsilon(1e-5));
}

TEST_CASE("a system of one variable that depends on a parameter and on the time") {
    const sundials::Context context;
    auto system =
        cr::cvodes_system(cr::function([](auto y, auto k, auto t) { return -k * y + cos(t); }), cr::time_is_last);
    system.parameters = {2.0};
    const vector y = vector_of(std::array{0.5}, context), to = vector_of(std::array{0.0}, context);
    const vector s = vector_of(std::array{3.0}, context);
    CHECK(system.slope(0.25, y.get(), to.get(), &system) == 0);
    CHECK(at(to, 0) == Approx(-1.0 + std::cos(0.25)));
    CHECK(system.sensitivity_slope(1, 0.25, y.get(), nullptr, 0, s.get(), to.get(), &system, nullptr, nullptr) == 0);
    CHECK(at(to, 0) == Approx(-2.0 * 3.0 - 0.5));
    CHECK(system.sensitivity_slope(2, 0.25, y.get(), nullptr, 1, s.get(), to.get(), &system, nullptr, nullptr) == 0);
    CHECK(at(to, 0) == Approx(-6.0));
    CHECK(system.adjoint_slope(0.25, y.get(), s.get(), to.get(), &system) == 0);
    CHECK(at(to, 0) == Approx(6.0));
    CHECK(system.adjoint_integrand(0.25, y.get(), s.get(), to.get(), &system) == 0);
    CHECK(at(to, 0) == Approx(1.5));
}

TEST_CASE("banded and dense matrices have the same entries, also transposed") {
    const sundials::Context context;
    auto system = cr::cvodes_system(cr::function<4>([](const auto& y) {
        return std::array{y[0] * y[1], y[0] + y[1] * y[2], y[2] * y[2] * y[3], sin(y[2] * y[3])};
    }));
    const vector y = vector_of(std::array{0.5, 1.5, -2.0, 0.25}, context);
    const matrix dense(SUNDenseMatrix(4, 4, context)), band(SUNBandMatrix(4, 1, 1, context));
    const auto check = [&](const auto& write) {
        CHECK(write(dense.get()) == 0);
        CHECK(write(band.get()) == 0);
        for (sunindextype i = 0; i < 4; ++i)
            for (sunindextype j = 0; j < 4; ++j)
                if (i - j <= 1 && j - i <= 1) CHECK(SM_ELEMENT_D(dense.get(), i, j) == SM_ELEMENT_B(band.get(), i, j));
    };
    check([&](SUNMatrix to) { return system.jacobian(0, y.get(), nullptr, to, &system, nullptr, nullptr, nullptr); });
    CHECK(SM_ELEMENT_D(dense.get(), 1, 2) == 1.5);
    CHECK(SM_ELEMENT_D(dense.get(), 2, 1) == 0.0);
    check([&](SUNMatrix to) {
        return system.adjoint_jacobian(0, y.get(), nullptr, nullptr, to, &system, nullptr, nullptr, nullptr);
    });
    CHECK(SM_ELEMENT_D(dense.get(), 2, 1) == -1.5);

    // A band that leaves out an entry stops CVODES; one that leaves out a zero does not.
    const matrix narrow(SUNBandMatrix(4, 1, 0, context));
    const auto in_narrow = [&](const vector& at) {
        return system.jacobian(0, at.get(), nullptr, narrow.get(), &system, nullptr, nullptr, nullptr);
    };
    CHECK(in_narrow(y) == -1);
    auto upper = cr::cvodes_system(cr::function<4>(
        [](const auto& x) { return std::array{x[0] * x[1], x[1] * x[2], x[2] * x[3] + 0.0 * x[0], x[3]}; }));
    CHECK(upper.jacobian(0, y.get(), nullptr, narrow.get(), &upper, nullptr, nullptr, nullptr) == 0);
}

TEST_CASE("other sizes stop the integration, and numbers that are not finite ask for a smaller step") {
    const sundials::Context context;
    auto system = cr::cvodes_system(cr::function([](auto a, auto b) { return std::array{log(a), b / a}; }));
    const vector three = vector_of(std::array{1.0, 2.0, 3.0}, context), two = vector_of(std::array{0.0, 2.0}, context);
    const vector to = vector_of(std::array{0.0, 0.0}, context);
    const matrix large(SUNDenseMatrix(3, 3, context)), right(SUNDenseMatrix(2, 2, context));
    CHECK(system.slope(0.0, three.get(), to.get(), &system) == -1);
    CHECK(system.slope(0.0, two.get(), to.get(), &system) == 1);
    const auto jacobian_in = [&](const vector& y, const matrix& m) {
        return system.jacobian(0.0, y.get(), nullptr, m.get(), &system, nullptr, nullptr, nullptr);
    };
    CHECK(jacobian_in(two, large) == -1);
    CHECK(jacobian_in(two, right) == 1);
    CHECK(system.adjoint_integrand(0.0, two.get(), to.get(), to.get(), &system) == -1);
    auto with_rate = cr::cvodes_system(cr::function([](auto y, auto rate) { return log(rate) * y; }));
    const vector state = vector_of(std::array{1.0}, context), slope = vector_of(std::array{0.0}, context);
    CHECK(with_rate.adjoint_integrand(0.0, state.get(), state.get(), slope.get(), &with_rate) == 1); // at rate 0
}

TEST_CASE("an exception of the function and a vector without an array of numbers stop the integration") {
    const sundials::Context context;
    auto system = cr::cvodes_system(cr::function([](auto y, auto p) { return curve{}(y)*y * p; }));
    system.parameters = {-1.0};
    const vector y = vector_of(std::array{-0.5}, context), to = vector_of(std::array{0.0}, context);
    const matrix j(SUNDenseMatrix(1, 1, context));
    const vector empty(N_VNewEmpty_Serial(1, context));
    for (const N_Vector at : {y.get(), empty.get()}) {
        CHECK(system.slope(0.0, at, to.get(), &system) == -1);
        CHECK(system.jacobian(0.0, at, nullptr, j.get(), &system, nullptr, nullptr, nullptr) == -1);
        CHECK(system.sensitivity_slope(1, 0.0, at, nullptr, 0, to.get(), to.get(), &system, nullptr, nullptr) == -1);
        CHECK(system.adjoint_slope(0.0, at, to.get(), to.get(), &system) == -1);
        CHECK(system.adjoint_jacobian(0.0, at, nullptr, nullptr, j.get(), &system, nullptr, nullptr, nullptr) == -1);
        CHECK(system.adjoint_integrand(0.0, at, to.get(), to.get(), &system) == -1);
    }
    N_VGetArrayPointer(y.get())[0] = 0.5;
    CHECK(system.slope(0.0, y.get(), empty.get(), &system) == -1);
    CHECK(system.slope(0.0, y.get(), to.get(), &system) == 0);
    CHECK(at(to, 0) == -0.125);
    N_VGetArrayPointer(y.get())[0] = -0.5;

    const integrator memory(CVodeCreate(CV_BDF, context));
    const solver s(SUNLinSol_Dense(y.get(), j.get(), context));
    REQUIRE(CVodeInit(memory.get(), system.slope, 0.0, y.get()) == 0);
    REQUIRE(CVodeSStolerances(memory.get(), 1e-9, 1e-9) == 0);
    REQUIRE(CVodeSetUserData(memory.get(), &system) == 0);
    REQUIRE(CVodeSetLinearSolver(memory.get(), s.get(), j.get()) == 0);
    REQUIRE(CVodeSetJacFn(memory.get(), system.jacobian) == 0);
    double t = 0.0;
    CHECK(CVode(memory.get(), 1.0, y.get(), &t, CV_NORMAL) == CV_RHSFUNC_FAIL);
}
