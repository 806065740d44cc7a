// SPDX-License-Identifier: BSL-1.0
//
// Misuse of tapes that would look at freed memory or give old numbers: numbers that outlive their tape or its
// recording, and changes of a tape while it is swept. Each is answered by an exception, and the tape stays usable.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/trace.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace tape = chainrule::tape;
using number = tape::active<double>;

} // namespace

TEST_CASE("a number that outlives its tape is found out", "[tape]") {
    auto first = std::make_unique<tape::tape>();
    const auto x = first->variable(2.0);
    const number s = x * x;
    const auto lanes = first->backward<2>(std::vector{s});
    const auto mark = first->mark();
    first.reset();
    CHECK(s.value() == 4);
    CHECK(s.recorder() == nullptr);
    const auto check_all = [&](tape::tape& other) {
        const auto gone = [](const auto& action) {
            return contains(sentence_of(action), "a number is used whose tape is destroyed");
        };
        CHECK(gone([&] {
            const number r = s * 2.0;
            (void)r;
        }));
        CHECK(gone([&] {
            const number r = s * x + sin(s) * 0.5;
            (void)r;
        }));
        CHECK(gone([&] {
            number r = 0.0;
            r += s;
        }));
        CHECK(gone([&] { (void)s.gradient(); }));
        CHECK(gone([&] { other.backward(s); }));
        CHECK(gone([&] { (void)other.number_of(s); }));
        CHECK(gone([&] { (void)other.statement(1.0, {s}, {1.0}); }));
        CHECK(gone([&] { (void)lanes[s]; }));
        CHECK(sentence_of([&] { other.rewind(mark); }) != "");
        const auto y = other.variable(3.0);
        CHECK(sentence_of([&] { (void)lanes[y]; }) != "");
        CHECK(sentence_of([&] {
                  const number r = y * s;
                  (void)r;
              }) != "");
        const number fine = y * y;
        other.backward(fine);
        CHECK(y.gradient() == 6);
    };
    // Another tape takes the place of the one that is gone, and then one more.
    for (int i = 0; i < 3; ++i) {
        tape::tape other, third;
        check_all(other);
        check_all(third);
    }
}

TEST_CASE("a traced number that outlives its trace is found out", "[tape]") {
    tape::traced<double> kept;
    {
        tape::trace t;
        const auto x = t.variable(2.0);
        kept = x * x;
    }
    CHECK(contains(sentence_of([&] {
                       const tape::traced<double> r = kept * 2.0;
                       (void)r;
                   }),
                   "whose trace is destroyed"));
    CHECK(contains(sentence_of([&] { (void)kept.gradient(); }), "whose tape is destroyed"));
}

TEST_CASE("a statement of more numbers than go into registers is checked as well", "[tape]") {
    auto first = std::make_unique<tape::tape>();
    std::vector<number> x = first->variables(std::vector<double>(20, 1.5));
    const auto sum = [&] {
        const number s = x[0] * x[1] + x[2] * x[3] + x[4] * x[5] + x[6] * x[7] + x[8] * x[9] + x[10] * x[11] +
                         x[12] * x[13] + x[14] * x[15] + x[16] * x[17] + x[18] * x[19];
        return s;
    };
    first->backward(sum());
    CHECK(x[7].gradient() == 1.5);
    x[3] = 2.0; // plain among recorded ones
    first->backward(sum());
    CHECK(x[2].gradient() == 2);
    CHECK(x[0].gradient() == 1.5);
    first->clear();
    CHECK(contains(sentence_of(sum), "before the tape was rewound"));
    first.reset();
    CHECK(contains(sentence_of(sum), "whose tape is destroyed"));
}

TEST_CASE("derivatives in lanes do not answer for what was recorded afterwards", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto mark = t.mark();
    const number y = x * x;
    const auto lanes = t.backward<2>(std::vector{y, number(3.0 * x)});
    t.rewind(mark);
    const number other = x + 1.0; // has the place of y
    CHECK(lanes[x][0] == 4);
    CHECK(contains(sentence_of([&] { (void)lanes[other]; }), "the number was recorded after the sweep"));
    CHECK(contains(sentence_of([&] { (void)lanes[y]; }), "before the tape was rewound"));
    t.clear();
    const auto z = t.variable(5.0);
    CHECK(contains(sentence_of([&] { (void)lanes[z]; }), "the number was recorded after the sweep"));
    CHECK(contains(sentence_of([&] { (void)lanes[x]; }), "before the tape was rewound"));
}

TEST_CASE("an operation's function that changes its tape is answered, and the tape stays usable", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0);
    const auto mark = t.mark();
    const std::vector<std::function<void()>> changes{
        [&] { (void)t.operation(std::array{1.0}, [](auto&&...) {}); },
        [&] { t.clear(); },
        [&] { t.rewind(mark); },
        [&] { t.backward(x); },
        [&] { t.backward({{x, 1.0}}); },
        [&] { (void)t.backward<2>(std::vector{x}); },
        [&] { (void)t.variable(1.0); },
        [&] { (void)t.variables({1.0}); },
        [&] { (void)t.statement(1.0, {x}, {1.0}); },
        [&] {
            const number r = x * x;
            (void)r;
        },
        [&] {
            number r = 0.0;
            r += x;
        },
        [&] { (void)tape::jacobian(t, std::vector{x}, std::vector{x}); },
    };
    for (const auto& change : changes) {
        const auto r = t.operation(std::array{4.0}, [&, x](auto results, const auto& adjoint) {
            change();
            adjoint[x] += adjoint[results[0]];
        });
        const number y = r[0] * 3.0;
        const auto before = t.memory().statements;
        CHECK(contains(sentence_of([&] { t.backward(y); }), "the tape is being swept"));
        CHECK(contains(sentence_of([&] { (void)t.backward<2>(std::vector{y}); }), "the tape is being swept"));
        CHECK(t.memory().statements == before);
        CHECK(contains(sentence_of([&] { (void)x.gradient(); }), "backward() was not called"));
        t.rewind(mark);
        const number again = x * x;
        t.backward(again);
        CHECK(x.gradient() == 4);
        t.rewind(mark);
    }
    // It may use other tapes, and pause its own.
    const auto r = t.operation(std::array{4.0}, [&, x](auto results, const auto& adjoint) {
        t.pause();
        const number plain = x * x;
        t.resume();
        tape::tape other;
        const auto u = other.variable(x.value());
        other.backward(u * u);
        adjoint[x] += u.gradient() * adjoint[results[0]] + (plain.is_recorded() ? 100 : 0);
    });
    t.backward(r[0]);
    CHECK(x.gradient() == 4);
    const number later = x * r[0];
    t.backward(later);
    CHECK(x.gradient() == 4 + 2 * 4);
}

TEST_CASE("discarded results are found out after any rewinds", "[tape]") {
    std::mt19937 random(11);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    tape::tape t;
    const number plain = 3.0;
    std::vector<number> recorded{t.variable(1.0)}, discarded;
    std::vector<std::pair<tape::position, std::size_t>> marks{{t.mark(), recorded.size()}};
    for (int step = 0; step < 20'000; ++step) {
        const auto what = below(10);
        if (what < 7) {
            const number &a = recorded[below(recorded.size())], &b = recorded[below(recorded.size())];
            // With operands from before and after the last rewind, and plain ones.
            recorded.push_back(what < 3 ? number(a * plain + b) : number(a + b));
        } else if (what == 7) {
            marks.emplace_back(t.mark(), recorded.size());
        } else if (below(20) == 0) {
            const auto [mark, size] = marks[below(marks.size())];
            t.rewind(mark);
            discarded.insert(discarded.end(), recorded.begin() + static_cast<std::ptrdiff_t>(size), recorded.end());
            recorded.resize(size);
            const std::size_t kept = size;
            std::erase_if(marks, [&](const auto& m) { return m.second > kept; });
        }
        const std::size_t k = below(recorded.size());
        REQUIRE(t.number_of(recorded[k]) == k + 1);
        if (discarded.empty()) continue;
        const number& gone = discarded[discarded.size() - 1 - below(std::min<std::size_t>(discarded.size(), 50))];
        REQUIRE_THROWS_AS(t.number_of(gone), std::logic_error);
        if (step % 16 == 0) REQUIRE_THROWS_AS(number(recorded[k] * gone), std::logic_error);
        if (step % 16 == 8) REQUIRE_THROWS_AS(number(plain * gone), std::logic_error);
    }
    CHECK(discarded.size() > 1000);
}

TEST_CASE("places do not begin again", "[tape]") {
    using heads = tape::heads<double>;
    auto t = std::make_unique<tape::tape>();
    tape::head<double>& head = *t->entries().head_now();
    // As after seventy million million results.
    head.now.base |= (tape::place{1} << heads::bits_of_count) - 1;
    head.now.base -= 3;
    const auto x = t->variable(2.0);
    const auto mark = t->mark();
    const number y = x * x;
    const auto name_of = [](const number& n) { return tape::tape::place_of(n) >> heads::bits_of_count; };
    const auto before = name_of(y);
    t->rewind(mark);
    const number z = x * 5.0;
    CHECK(name_of(x) == before);
    CHECK(name_of(z) > before);
    CHECK(t->entries().head_now() == &head);
    CHECK(contains(sentence_of([&] {
                       const number bad = x + y;
                       (void)bad;
                   }),
                   "before the tape was rewound"));
    CHECK(contains(sentence_of([&] { t->backward(y); }), "before the tape was rewound"));
    const number sum = z * x + z;
    t->backward(sum);
    CHECK(x.gradient() == 2 * 5 * 2 + 5);
    t->clear();
    CHECK(contains(sentence_of([&] {
                       const number bad = x + 1.0;
                       (void)bad;
                   }),
                   "before the tape was rewound"));
    // A head that comes back keeps both names.
    t.reset();
    std::vector<std::unique_ptr<tape::tape>> many;
    for (int i = 0; i < 10; ++i) {
        many.push_back(std::make_unique<tape::tape>());
        const auto u = many.back()->variable(3.0);
        CHECK(contains(sentence_of([&] {
                           const number bad = u + x;
                           (void)bad;
                       }),
                       "whose tape is destroyed"));
        CHECK(contains(sentence_of([&] {
                           const number bad = u + z;
                           (void)bad;
                       }),
                       "whose tape is destroyed"));
        const number fine = u * u;
        many.back()->backward(fine);
        CHECK(u.gradient() == 6);
    }
}

TEST_CASE("there is a limit to how many tapes exist at once", "[tape]") {
    // Of float, so that no other test notices.
    std::vector<std::unique_ptr<tape::basic_tape<float>>> many;
    std::string sentence;
    while (sentence.empty())
        sentence = sentence_of([&] { many.push_back(std::make_unique<tape::basic_tape<float>>()); });
    CHECK(sentence == "tape: 262143 tapes of one number type exist; destroy some first");
    CHECK(many.size() <= 262143);
    many.pop_back();
    tape::basic_tape<float> t;
    const auto x = t.variable(3.0F);
    t.backward(x * x);
    CHECK(x.gradient() == 6);
}

TEST_CASE("a thread that recorded on one tape goes on with another", "[tape]") {
    tape::tape first, second;
    const auto x = first.variable(2.0), y = second.variable(3.0);
    number a = x, b = y;
    for (int i = 0; i < 10; ++i) { // a statement on the one and a statement on the other
        a = a * x;
        b = b + y;
    }
    first.backward(a);
    second.backward(b);
    CHECK(x.gradient() == 11 * 1024);
    CHECK(y.gradient() == 11);
    std::thread([&] { // which has recorded nothing before
        const number c = x * x * x;
        first.backward(c);
        CHECK(x.gradient() == 12);
    })
        .join();
    CHECK(contains(sentence_of([&] {
                       const number bad = x * y;
                       (void)bad;
                   }),
                   "numbers of two tapes"));
    CHECK(contains(sentence_of([&] {
                       const number bad = y * x;
                       (void)bad;
                   }),
                   "numbers of two tapes"));
}

TEST_CASE("no thread records where another one still looks", "[tape]") {
    // The other thread does one step at a time.
    std::atomic<int> step = 0;
    const auto go_to = [&](int next) {
        step = next;
        step.notify_all();
    };
    const auto wait_for = [&](int wanted) {
        for (int now = step; now != wanted; now = step) step.wait(now);
    };
    auto handed_over = std::make_unique<tape::tape>();
    const void* const place = handed_over->mark().owner;
    const auto x = handed_over->variable(2.0);
    { // so that this thread looks elsewhere
        tape::tape other;
        (void)other.variable(1.0);
    }
    double gradient = 0;
    std::thread another([&] {
        wait_for(1);
        handed_over->backward(x * x);
        gradient = x.gradient();
        go_to(2);
        wait_for(3);
        tape::tape own;
        const auto y = own.variable(3.0);
        own.backward(y * y);
        gradient = y.gradient();
        go_to(4);
        wait_for(5);
    });
    go_to(1);
    wait_for(2);
    CHECK(gradient == 4);
    handed_over.reset();
    CHECK(tape::tape().mark().owner != place);
    go_to(3);
    wait_for(4);
    CHECK(gradient == 6);
    {
        const tape::tape free_again, more, and_more;
        const std::vector owners{free_again.mark().owner, more.mark().owner, and_more.mark().owner};
        CHECK(std::find(owners.begin(), owners.end(), place) != owners.end());
    }
    go_to(5);
    another.join();
}

TEST_CASE("what a thread recorded on last is free when the thread has ended", "[tape]") {
    auto first = std::make_unique<tape::tape>();
    const void* const place = first->mark().owner;
    std::thread([&] { first->backward(first->variable(2.0)); }).join();
    first.reset();
    CHECK(tape::tape().mark().owner == place);
    // A tape that is used while its thread ends.
    struct last {
        std::unique_ptr<tape::tape> t;
        double* gradient = nullptr;
        ~last() {
            const auto x = t->variable(3.0);
            t->backward(x * x);
            *gradient = x.gradient();
        }
    };
    double gradient = 0;
    std::thread([&] {
        static thread_local last at_end; // destroyed after all that is made later
        at_end.gradient = &gradient;
        at_end.t = std::make_unique<tape::tape>();
        (void)at_end.t->variable(1.0);
    }).join();
    CHECK(gradient == 6);
}

TEST_CASE("marks within marks", "[tape]") {
    tape::tape t;
    const auto a = t.variable(2.0);
    const auto first = t.mark();
    const number b = a * 3.0;
    const auto second = t.mark();
    CHECK(t.mark() == second);
    const number c = b * a;
    const auto third = t.mark();
    const number lost = c * c;
    t.rewind(third);
    const number d = c + b + a; // of three runs, in one statement
    t.backward(d);
    CHECK(a.gradient() == 12 + 3 + 1);
    CHECK(contains(sentence_of([&] {
                       const number bad = d + lost;
                       (void)bad;
                   }),
                   "before the tape was rewound"));
    t.rewind(second);
    CHECK(contains(sentence_of([&] { t.rewind(third); }), "past the end of the recording"));
    const number e = b * b;
    CHECK(
        contains(sentence_of([&] { t.rewind(third); }), "past the end of the recording")); // though as much is recorded
    CHECK(contains(sentence_of([&] { (void)t.number_of(c); }), "before the tape was rewound"));
    t.backward(e);
    CHECK(a.gradient() == 2 * 6 * 3);
    t.rewind(first);
    t.rewind(first);
    CHECK(contains(sentence_of([&] { t.rewind(second); }), "past the end of the recording"));
    for (const number* gone : {&b, &c, &d, &e})
        CHECK(contains(sentence_of([&] {
                           const number bad = *gone + a;
                           (void)bad;
                       }),
                       "before the tape was rewound"));
    t.backward(a * a);
    CHECK(a.gradient() == 4);
}

TEST_CASE("older numbers, recorded before a mark, are used again and again", "[tape]") {
    tape::tape t;
    const auto a = t.variable(2.0), b = t.variable(3.0);
    const number product = a * b;
    const auto first = t.mark();
    std::vector<number> lost;
    for (int round = 0; round < 5; ++round) {
        const number s = product * a;
        const auto inner = t.mark();
        for (int i = 0; i < 3; ++i) {
            const number u = s * b + product;
            t.backward(u);
            CHECK(a.gradient() == 2 * 2 * 9 + 3);
            lost.push_back(u);
            t.rewind(inner);
        }
        lost.push_back(s);
        t.rewind(first);
        for (const number& each : lost)
            CHECK(contains(sentence_of([&] {
                               const number bad = each + a;
                               (void)bad;
                           }),
                           "before the tape was rewound"));
    }
}

TEST_CASE("plain numbers of active type among the operands", "[tape]") {
    tape::tape t;
    const auto x = t.variable(2.0), y = t.variable(3.0);
    const number zero, two = 2.0, three = 3;
    for (int i = 0; i < 100; ++i) { // over the ends of blocks
        const auto before = t.memory().operands;
        const number a = two * x, b = x * three, c = three * x + zero * two + y * two;
        CHECK(t.memory().operands == before + 4);
        CHECK(c.value() == 12);
        t.backward({{a, 1.0}, {b, 10.0}, {c, 100.0}});
        CHECK(x.gradient() == 2 + 30 + 300);
        CHECK(y.gradient() == 200);
        CHECK_FALSE(number(two * three).is_recorded());
    }
}

TEST_CASE("a short recording reserves little memory", "[tape]") {
    tape::basic_tape<chainrule::dual<double, 4>> t;
    const auto x = t.variable(1.0);
    const tape::active<chainrule::dual<double, 4>> y = x * x;
    t.backward(y);
    CHECK(t.memory().bytes_reserved < 5000);
}

TEST_CASE("a matrix of derivatives knows its bounds", "[tape]") {
    tape::matrix<double> m(2, 3);
    m(1, 0) = 7;
    m(1, 2) = 9;
    const auto& same = m;
    CHECK(sentence_of([&] { m(0, 3) = 1; }) ==
          "matrix: there is no element (0, 3) in a matrix of 2 x 3; rows and columns are numbered from 0");
    const int before_first = -1;
    CHECK(sentence_of([&] { m(static_cast<std::size_t>(before_first), 0) = 1; }) ==
          "matrix: there is no element (-1, 0) in a matrix of 2 x 3; rows and columns are numbered from 0");
    CHECK_THROWS_AS(same(0, 3), std::out_of_range);
    CHECK_THROWS_AS(same(2, 0), std::out_of_range);
    CHECK_THROWS_AS(same(static_cast<std::size_t>(-1), 0), std::out_of_range);
    CHECK_THROWS_AS(same(0, static_cast<std::size_t>(-1)), std::out_of_range);
    CHECK(same.row(1)[2] == 9);
    CHECK(sentence_of([&] { (void)same.row(2); }) ==
          "row: there is no row 2 in a matrix of 2 rows; they are numbered from 0");
    CHECK_THROWS_AS((tape::matrix<double>(0, 0)(0, 0)), std::out_of_range);
    // Their product is 0 where it wraps round.
    constexpr std::size_t large = std::size_t{1} << 63;
    CHECK(sentence_of([] { (void)tape::matrix<double>(large, 2); }) ==
          "matrix: 9223372036854775808 x 2 elements are more than there can be; give smaller sizes");
    CHECK_THROWS_AS(tape::matrix<float>(2, large), std::length_error);
    CHECK_THROWS_AS(tape::matrix<double>(large, large), std::length_error);
    CHECK(tape::matrix<double>(2, 0).row(1).empty());
    const tape::matrix<double> moved = std::move(m);
    CHECK(moved(1, 2) == 9);
    CHECK(m.rows() == 0); // NOLINT: what is moved from has no elements
    CHECK_THROWS_AS(m(1, 2), std::out_of_range);
    m = moved;
    tape::matrix<double> other(1, 1);
    other = std::move(m);
    CHECK(other(1, 0) == 7);
    CHECK_THROWS_AS(m(0, 0), std::out_of_range);
}
