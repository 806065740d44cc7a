// SPDX-License-Identifier: BSL-1.0
//
// Messages between tapes: a heat equation whose points are dealt out to the ranks, with halos by blocking and by
// non-blocking messages, and collective calls. Each test runs on 1, 2 and 4 ranks.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/mpi_tape.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace cr = chainrule;
namespace tape = cr::tape;
namespace mpi = cr::mpi;

namespace {

using active = tape::active<double>;
using numbers = std::vector<active>;

constexpr std::size_t points = 16, steps = 5;

int rank() { return mpi::rank_in(MPI_COMM_WORLD); }
int ranks() { return mpi::size_of(MPI_COMM_WORLD); }

double start_at(std::size_t i) { return std::sin(0.7 * static_cast<double>(i)) + 2.0; }

/// One step, with the neighbours' values at both ends. It is nonlinear, so that an adjoint in the wrong place shows.
numbers stepped(const numbers& u, const active& left, const active& right) {
    numbers next;
    for (std::size_t i = 0; i < u.size(); ++i) {
        const active& before = i == 0 ? left : u[i - 1];
        const active& behind = i + 1 == u.size() ? right : u[i + 1];
        next.push_back(active(u[i] + 0.2 * u[i] * (before - 2.0 * u[i] + behind)));
    }
    return next;
}
active energy_of(const numbers& u) {
    active sum = 0.0;
    for (const active& each : u) sum = sum + each * each * each;
    return sum;
}

/// The gradient with respect to the start on one rank without messages.
std::vector<double> without_messages() {
    tape::tape t;
    const numbers start = [&] {
        numbers u;
        for (std::size_t i = 0; i < points; ++i) u.push_back(t.variable(start_at(i)));
        return u;
    }();
    numbers u = start;
    for (std::size_t step = 0; step < steps; ++step) u = stepped(u, active(1.0), active(3.0));
    t.backward(energy_of(u));
    std::vector<double> gradient;
    for (const active& each : start) gradient.push_back(each.gradient());
    return gradient;
}

/// Checks the gradient of this rank's part where `exchange(t, u, left, right)` replaces the halos.
template <class Exchange>
void check_halos(const Exchange& exchange) {
    const std::vector<double> expected = without_messages();
    const std::size_t own = points / static_cast<std::size_t>(ranks()), first = own * static_cast<std::size_t>(rank());
    tape::tape t;
    numbers start;
    for (std::size_t i = 0; i < own; ++i) start.push_back(t.variable(start_at(first + i)));
    numbers u = start;
    for (std::size_t step = 0; step < steps; ++step) {
        active left = 1.0, right = 3.0;
        exchange(t, u, left, right);
        u = stepped(u, left, right);
    }
    const numbers sum = mpi::reduce(t, numbers{energy_of(u)});
    REQUIRE(sum.size() == (rank() == 0 ? 1u : 0u));
    for (int sweep = 0; sweep < 2; ++sweep) { // the second begins from nothing
        if (rank() == 0)
            t.backward(sum[0]);
        else
            mpi::backward(t);
        for (std::size_t i = 0; i < own; ++i) CHECK(start[i].gradient() == Approx(expected[first + i]).epsilon(1e-13));
    }
}

} // namespace

TEST_CASE("the adjoints of blocking messages go back to their senders") {
    check_halos([](tape::tape& t, const numbers& u, active& left, active& right) {
        const int to_right = 7, to_left = 8;
        if (rank() + 1 < ranks()) mpi::send(t, numbers{u.back()}, rank() + 1, to_right);
        if (rank() > 0) {
            left = mpi::receive(t, 1, rank() - 1, to_right)[0];
            mpi::send(t, numbers{u.front()}, rank() - 1, to_left);
        }
        if (rank() + 1 < ranks()) right = mpi::receive(t, 1, rank() + 1, to_left)[0];
    });
}

TEST_CASE("the adjoints of non-blocking messages go back to their senders") {
    check_halos([](tape::tape& t, const numbers& u, active& left, active& right) {
        std::vector<mpi::sending<double>> sent;
        std::vector<mpi::receiving<double>> from_left, from_right;
        if (rank() > 0) {
            from_left.push_back(mpi::start_receive(t, 1, rank() - 1));
            sent.push_back(mpi::start_send(t, numbers{u.front()}, rank() - 1));
        }
        if (rank() + 1 < ranks()) {
            from_right.push_back(mpi::start_receive(t, 1, rank() + 1));
            sent.push_back(mpi::start_send(t, numbers{u.back()}, rank() + 1));
        }
        if (!from_right.empty()) right = from_right[0].wait()[0];
        if (!from_left.empty()) left = from_left[0].wait()[0];
        for (auto& each : sent) each.wait();
    });
}

TEST_CASE("a broadcast sums adjoints at its root") {
    const int root = ranks() - 1;
    tape::tape t;
    const numbers own = {t.variable(2.0 + rank()), t.variable(0.5)};
    const numbers shared = mpi::broadcast(t, own, root);
    CHECK(shared[0].value() == 2.0 + root);
    const double weight = rank() + 1.0;
    t.backward(active(weight * shared[0] * shared[0] * shared[1]));
    const double weights = ranks() * (ranks() + 1) / 2.0, x = 2.0 + root;
    CHECK(own[0].gradient() == Approx(rank() == root ? weights * 2.0 * x * 0.5 : 0.0));
    CHECK(own[1].gradient() == Approx(rank() == root ? weights * x * x : 0.0));
}

TEST_CASE("a sum on all ranks gives each summand the adjoints of all copies") {
    tape::tape t;
    const active x = t.variable(1.0 + rank());
    const numbers sums = mpi::all_reduce(t, numbers{active(x * x), x});
    const double n = ranks(), total = n * (n + 1) / 2, squares = n * (n + 1) * (2 * n + 1) / 6;
    CHECK(sums[0].value() == squares);
    CHECK(sums[1].value() == total);
    const active product = sums[0] * sums[1];
    if (rank() == 0)
        t.backward(product);
    else
        mpi::backward(t);
    CHECK(x.gradient() == Approx(2.0 * (1.0 + rank()) * total + squares));
}

TEST_CASE("several outputs go back in one sweep, lane by lane") {
    tape::tape t;
    const active x = t.variable(1.5 + rank());
    const numbers sums = mpi::all_reduce(t, numbers{active(x * x), active(x * x * x)});
    const auto adjoints = t.backward<2>(sums)[x];
    CHECK(adjoints[0] == Approx(ranks() * 2.0 * x.value()));
    CHECK(adjoints[1] == Approx(ranks() * 3.0 * x.value() * x.value()));
}

TEST_CASE("messages of no numbers, and numbers that are not recorded") {
    tape::tape t;
    const active x = t.variable(2.0);
    const int next = (rank() + 1) % ranks(), before = (rank() + ranks() - 1) % ranks();
    auto coming = mpi::start_receive(t, 0, before);
    auto going = mpi::start_send(t, numbers{}, next);
    CHECK(coming.wait().empty());
    going.wait();
    const numbers sums = mpi::all_reduce(t, numbers{active(3.0), x});
    t.backward(active(sums[0] * sums[1]));
    CHECK(x.gradient() == Approx(ranks() * ranks() * 3.0));
}

TEST_CASE("a sweep stops at a message that was not waited for") {
    tape::tape t;
    const active x = t.variable(2.0);
    auto coming = mpi::start_receive(t, 1, rank());
    auto going = mpi::start_send(t, numbers{x}, rank());
    const numbers received = coming.wait();
    std::string text;
    try {
        t.backward(received[0]);
    } catch (const mpi::error& e) {
        text = e.what();
    }
    CHECK(text == "mpi: a message of start_send was not waited for; call wait() on what it returned before backward()");
    going.wait();
}

TEST_CASE("a message that was moved from says so") {
    tape::tape t;
    const active x = t.variable(2.0);
    constexpr int tag = 1; // the test above leaves a message with tag 0
    auto coming = mpi::start_receive(t, 1, rank(), tag);
    auto going = mpi::start_send(t, numbers{x}, rank(), tag);
    auto later = std::move(coming);
    auto gone = std::move(going);
    // NOLINTBEGIN(bugprone-use-after-move)
    CHECK(sentence_of([&] { (void)coming.wait(); }) == "mpi: the result of start_receive was moved from and holds no "
                                                       "message; call wait() on the object that it was moved to");
    CHECK(sentence_of([&] { going.wait(); }) == "mpi: the result of start_send was moved from and holds no message; "
                                                "call wait() on the object that it was moved to");
    // NOLINTEND(bugprone-use-after-move)
    const numbers received = later.wait();
    gone.wait();
    t.backward(received[0]);
    CHECK(x.gradient() == 1);
}

TEST_CASE("a message is waited for once") {
    tape::tape t;
    const active x = t.variable(2.0);
    constexpr int tag = 2;
    auto coming = mpi::start_receive(t, 1, rank(), tag);
    auto going = mpi::start_send(t, numbers{x}, rank(), tag);
    const numbers received = coming.wait();
    going.wait();
    CHECK(sentence_of([&] { (void)coming.wait(); }) ==
          "start_receive: wait() was called a second time; call it once for a message");
    CHECK(sentence_of([&] { going.wait(); }) ==
          "start_send: wait() was called a second time; call it once for a message");
    t.backward(received[0]);
    CHECK(x.gradient() == 1);
}

TEST_CASE("a message of fewer numbers than expected is refused") {
    tape::tape t;
    const active x = t.variable(2.0);
    constexpr int tag = 3;
    auto going = mpi::start_send(t, numbers{x}, rank(), tag);
    CHECK(sentence_of([&] { (void)mpi::receive(t, 2, rank(), tag); }) ==
          "receive: 1 of the 2 expected numbers came; receive as many as are sent");
    going.wait();
    auto coming = mpi::start_receive(t, 3, rank(), tag);
    auto again = mpi::start_send(t, numbers{x, x}, rank(), tag);
    CHECK(sentence_of([&] { (void)coming.wait(); }) ==
          "start_receive: 2 of the 3 expected numbers came; receive as many as are sent");
    again.wait();
    const float single = 1.0f;
    auto other = mpi::start_receive(t, 1, rank(), tag);
    MPI_Send(&single, 1, MPI_FLOAT, rank(), tag, MPI_COMM_WORLD);
    CHECK(sentence_of([&] { (void)other.wait(); }) ==
          "start_receive: numbers of another type came; receive them in the type in which they are sent");
}

TEST_CASE("MPI_PROC_NULL sends zeros and gives no adjoints") {
    tape::tape t;
    const active x = t.variable(2.0);
    mpi::send(t, numbers{x}, MPI_PROC_NULL);
    auto going = mpi::start_send(t, numbers{x}, MPI_PROC_NULL);
    auto coming = mpi::start_receive(t, 1, MPI_PROC_NULL);
    const active sum = mpi::receive(t, 2, MPI_PROC_NULL)[1] + coming.wait()[0] + x * x;
    going.wait();
    CHECK(sum.value() == 4);
    t.backward(sum);
    CHECK(x.gradient() == 4);
}

TEST_CASE("messages that are dropped end before their memory does") {
    constexpr int tag = 4;
    const int next = (rank() + 1) % ranks(), before = (rank() + ranks() - 1) % ranks();
    {
        tape::tape dropped;
        (void)mpi::start_receive(dropped, 2, rank(), tag);
    }
    tape::tape t;
    constexpr std::size_t many = 100'000; // more than MPI stores elsewhere
    auto coming = mpi::start_receive(t, many, before, tag + 1);
    {
        tape::tape dropped;
        (void)mpi::start_send(dropped, numbers(many, active(2.0)), next, tag + 1);
    }
    double sum = 0.0;
    for (const active& each : coming.wait()) sum += each.value();
    CHECK(sum == 2.0 * many);

    // The dropped receive does not take this message.
    auto going = mpi::start_send(t, numbers{active(3.0), active(4.0)}, rank(), tag);
    CHECK(mpi::receive(t, 2, rank(), tag)[1].value() == 4);
    going.wait();
}
