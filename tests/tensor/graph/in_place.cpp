// SPDX-License-Identifier: BSL-1.0
//
// Changes in place give the right gradient or an error, and never a wrong number: += and similar operators inside
// graphs, on views, on what others hold; fill, set, assign and mutable_span.
#include "sentence.hpp"
#include "../gradients.hpp"

namespace {

using namespace gradients;
using doubles = std::vector<double>;

tensor<double> leaf(std::initializer_list<ct::nested_values<double>> numbers) {
    return tensor<double>(numbers).requires_grad(true);
}

} // namespace

TEST_CASE("operators in place compute as those that make a new tensor", "[tensor]") {
    tensor<double> x{{1, 2}, {3, 4}};
    const tensor<double> other = x;
    x += tensor<double>{10, 20};
    CHECK(other == tensor<double>{{11, 22}, {13, 24}});
    x -= 1;
    x *= tensor<double>{{2}, {0.5}};
    x /= 2;
    CHECK(other == tensor<double>{{10, 21}, {3, 5.75}});
    tensor<double> second_row = select(x, 0, 1);
    second_row += second_row;
    CHECK(other == tensor<double>{{10, 21}, {6, 11.5}});
    tensor<ct::index> i{1, 2};
    i *= 3;
    CHECK(i.values() == std::vector<ct::index>{3, 6});
}

TEST_CASE("a tensor that is changed by views of itself is read as it was before", "[tensor]") {
    tensor<double> x{{1, 2}, {3, 4}};
    x += slice(x, 0, 0, 1); // the first row, to both
    CHECK(x == tensor<double>{{2, 4}, {4, 6}});
    x += transpose(x);
    CHECK(x == tensor<double>{{4, 8}, {8, 12}});
    x -= slice(slice(x, 0, -1, ct::to_the_end, -1), 1, -1, ct::to_the_end, -1);
    CHECK(x == tensor<double>{{-8, 0}, {0, 8}});
    x *= x;
    CHECK(x == tensor<double>{{64, 0}, {0, 64}});
    tensor<double> line = ct::arange<double>(5);
    slice(line, 0, 1).assign(slice(line, 0, 0, -1));
    CHECK(line.values() == doubles{0, 0, 1, 2, 3});
}

TEST_CASE("a view without a name is changed in place as one with a name", "[tensor]") {
    tensor<double> x{{1, 2, 3}, {4, 5, 6}};
    select(x, 0, 1) += 1.0;
    slice(x, 1, 0, 2) -= tensor<double>{1, 2};
    transpose(x) *= 2;
    select(x, 0, 0) /= select(x, 0, 1);
    CHECK(x.values() == doubles{0, 0, 6.0 / 14, 8, 8, 14});
    slice(x, 1, 1) += slice(x, 1, 0, 2); // of the same numbers
    CHECK(x.values() == doubles{0, 0, 6.0 / 14, 8, 16, 22});
    CHECK_THROWS_AS(select(x, 0, 1) += ct::zeros<double>({2}), ct::shape_error);
    CHECK((select(x, 0, 1) += 1.0).shares_numbers_with(x));

    tensor<double> w{1, 2, 3};
    w.requires_grad(true);
    CHECK_THROWS_AS(slice(w, 0, 1) += 1.0, ct::gradient_error);
    CHECK_THROWS_AS(select(x, 0, 1) += w, ct::gradient_error);
    CHECK(w.values() == doubles{1, 2, 3});
    CHECK(x(1, 0) == 9);
    const tensor<double> y = w * 2;
    slice(y, 0, 1) *= 10.0;
    CHECK_THROWS_AS(sum(y).backward(), ct::gradient_error); // y does not know
    sum(slice(w * 2, 0, 1) *= 10.0).backward();
    CHECK(w.grad().values() == doubles{0, 20, 20});
    {
        const ct::no_grad unrecorded;
        slice(w, 0, 1) += 1.0;
    }
    CHECK(w.values() == doubles{1, 3, 4});
}

TEST_CASE("+= and -= in a graph pass gradients on", "[tensor]") {
    const tensor<double> x = leaf({1, 2}), b = leaf({3, 4});
    tensor<double> y = x * 2;
    y += b;
    y -= b * b;
    y += 5;
    CHECK(y.values() == doubles{1, -3});
    sum(y).backward();
    CHECK(x.grad().values() == doubles{2, 2});
    CHECK(b.grad().values() == doubles{1 - 6, 1 - 8});
    // A tensor added to itself, and broadcast into another.
    x.node().forget_gradient();
    tensor<double> z = x * 1;
    z += z;
    tensor<double> sums = broadcast_to(x, {3, 2}).clone();
    sums += z;
    sum(sums).backward();
    CHECK(x.grad().values() == doubles{3 + 6, 3 + 6});
}

TEST_CASE("*= and /= in a graph pass gradients on", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    tensor<double> factor{3, 4}, y = x + 1;
    y *= 2;
    y *= factor;
    y /= 4;
    sum(y).backward();
    CHECK(x.grad().values() == doubles{1.5, 2});
    // The factor did not want a gradient when it was used, so it gets none.
    factor.requires_grad(true);
    sum(y).backward();
    CHECK(x.grad().values() == doubles{3, 4});
    CHECK_FALSE(factor.has_grad());
    // The factor is read when the gradient is passed on.
    factor.requires_grad(false);
    factor.fill(0);
    CHECK(contains(sentence_of([&] { sum(y).backward(); }),
                   "backward: operator* needs argument 2 of shape (2,), which was changed in place"));
}

TEST_CASE("*= and /= by a tensor that requires a gradient keep the old value", "[tensor]") {
    const tensor<double> x = leaf({1, 2}), v = leaf({4, 5});
    tensor<double> y = x + 1;
    y *= x;
    CHECK(y.values() == doubles{2, 6});
    y /= v;
    sum(y).backward();
    CHECK(x.grad().values() == doubles{3.0 / 4, 5.0 / 5});
    CHECK(v.grad().values() == doubles{-2.0 / 16, -6.0 / 25});
    // By itself, and by a number that is broadcast.
    x.node().forget_gradient();
    const tensor<double> scale = leaf({3});
    tensor<double> z = x * 1;
    z *= z;
    z *= scale;
    const tensor<double>& same = z;
    z /= same;
    z += x;
    z *= z;
    sum(z).backward();
    CHECK(x.grad().values() == doubles{4, 6});
    CHECK(scale.grad().values() == doubles{0});
}

TEST_CASE("an operation whose result was changed says so where its derivative reads the result", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    tensor<double> y = exp(x);
    y += 1;
    CHECK(contains(sentence_of([&] { sum(y).backward(); }),
                   "backward: exp needs its result of shape (2,), which was changed in place"));
    tensor<double> z = -x; // does not
    z += 1;
    sum(z).backward();
    CHECK(x.grad().values() == doubles{-1, -1});
    tensor<double> r = relu(matmul(x, tensor<double>{{1}, {1}}) + tensor<double>{0.0});
    r += 1;
    CHECK(contains(sentence_of([&] { sum(r).backward(); }), "matmul needs its result"));
    CHECK(x.grad().values() == doubles{-1, -1});
}

TEST_CASE("an operand that no derivative reads may change after the operation", "[tensor]") {
    const tensor<double> x = tensor<double>{1, 2}.requires_grad(true), plain{5, 7};
    // The derivative of h * 3 does not read h, nor does that of h / 4; that of 4 / h does.
    tensor<double> h = x + 1;
    const tensor<double> sum_of_multiples = sum(h * 3.0 + h / 4.0 + 2.0 * h + h * plain);
    h += 1;
    sum_of_multiples.backward();
    CHECK(x.grad().values() == doubles{10.25, 12.25});

    tensor<double> divisor = x + 1;
    const tensor<double> quotient = sum(4.0 / divisor);
    divisor += 1;
    CHECK_THROWS_AS(quotient.backward(), ct::gradient_error);
}

TEST_CASE("after an error in a pass the next one is not disturbed", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    const tensor<double> good = x * 2;
    tensor<double> bad = exp(x * 1.0);
    bad += 1;
    CHECK_THROWS_AS(sum(bad + good).backward(), ct::gradient_error);
    x.node().forget_gradient();
    sum(good).backward();
    CHECK(x.grad().values() == doubles{2, 2});
    sum(good * good).backward();
    CHECK(x.grad().values() == doubles{10, 18});
}

TEST_CASE("changes of leaves that collect gradients need a no_grad", "[tensor]") {
    tensor<double> x = leaf({1, 2});
    tensor<double> view = slice(x, 0, 0, 1);
    const auto refused = [](auto change) { return sentence_of(change); };
    CHECK(contains(refused([&] { x += 1; }),
                   "operator+=: the tensor of shape (2,) collects gradients and would be changed in place; "
                   "change it while a no_grad lives, or write a = a + b"));
    CHECK(contains(refused([&] { view *= 2; }),
                   "operator*=: the tensor of shape (1,) is a view of one that collects gradients"));
    CHECK(contains(refused([&] { x.fill(0); }), "fill: the tensor of shape (2,) requires a gradient"));
    CHECK(contains(refused([&] { x.set({0}, 1); }), "set: the tensor of shape (2,) requires a gradient"));
    CHECK(contains(refused([&] { x.assign(tensor<double>{0, 0}); }),
                   "assign: the tensor of shape (2,) collects gradients and would be changed in place; change it "
                   "while a no_grad lives, or write a = b"));
    CHECK(contains(refused([&] { static_cast<void>(x.mutable_span()); }),
                   "mutable_span: the tensor of shape (2,) requires a gradient"));
    CHECK(contains(refused([&] { view.fill(0); }), "fill: the tensor of shape (1,) requires a gradient"));
    CHECK(x.values() == doubles{1, 2});
    const ct::no_grad unrecorded;
    x += 1;
    x.fill(7);
    x.set({-1}, 8);
    CHECK(x.values() == doubles{7, 8});
    CHECK(contains(refused([&] { view.fill(0); }),
                   "fill: the tensor of shape (1,) was computed by slice, and its graph would not know of "
                   "the change; use detach() or detach().clone()"));
}

TEST_CASE("a leaf that others hold cannot become part of a graph behind their backs", "[tensor]") {
    const tensor<double> w = leaf({1, 2});
    tensor<double> whole{{1, 2}, {3, 4}};
    tensor<double> row = select(whole, 0, 0);
    const std::string said = sentence_of([&] { row += w; });
    CHECK(contains(
        said, "operator+=: other handles or views share the tensor of shape (2,) and would not know that it depends on "
              "a tensor that requires a gradient; write a = a + b"));
    CHECK(contains(sentence_of([&] { whole += w; }), "operator+=: other handles or views share"));
    CHECK(whole == tensor<double>{{1, 2}, {3, 4}});
    tensor<double> alone{1, 1};
    alone += w;
    alone += w;
    sum(alone * alone).backward();
    CHECK(w.grad().values() == doubles{2 * 3 * 2, 2 * 5 * 2});
}

TEST_CASE("what was changed through one handle is refused through the others", "[tensor]") {
    tensor<double> x = leaf({1, 2});
    tensor<double> y = x * 2, first = slice(y, 0, 0, 1);
    const tensor<double> old = y;
    first += 10;
    const std::string said =
        "was changed in place through another handle or view; use the handle that made the change, or change a clone()";
    CHECK(contains(sentence_of([&] { static_cast<void>(y + 1); }),
                   "operator+: the tensor of shape (2,) computed by operator* " + said));
    CHECK(contains(sentence_of([&] { static_cast<void>(matmul(y, old)); }), "matmul: the tensor"));
    CHECK(contains(sentence_of([&] { static_cast<void>(ct::concatenate({x, y})); }), "concatenate: the tensor"));
    CHECK(contains(sentence_of([&] { static_cast<void>(matmul(x, tensor<double>{{1}, {1}}) + slice(y, 0, 0, 1)); }),
                   "slice: the tensor"));
    CHECK(contains(sentence_of([&] { y.backward({1, 1}); }),
                   "backward: the tensor of shape (2,) computed by operator* " + said));
    CHECK(y.values() == doubles{12, 4}); // reading numbers is always possible
    sum(first * first).backward();
    CHECK(x.grad().values() == doubles{48, 0});
    x.zero_grad();
    const tensor<double> loss = sum(x * x);
    tensor<double> scaled = loss;
    scaled *= 10;
    CHECK(contains(sentence_of([&] { loss.backward(); }), "backward: the tensor of shape () computed by sum " + said));
    scaled.backward();
    CHECK(x.grad().values() == doubles{20, 40});
}

TEST_CASE("gradients pass through a clone, so that a change of it is right", "[tensor]") {
    const tensor<double> v = leaf({1, 2});
    const tensor<double> scaled = v * 2, squares = scaled * scaled;
    tensor<double> copy = scaled.clone();
    copy += 1;
    CHECK(scaled.values() == doubles{2, 4});
    sum(squares + copy * copy).backward();
    CHECK(v.grad().values() == doubles{8 * 1 + 4 * 3, 8 * 2 + 4 * 5});
    // Of a leaf, and of a view with gaps.
    const tensor<double> x = leaf({{1, 2, 3}, {4, 5, 6}}), weights{{1, 10}, {100, 1000}, {10000, 100000}};
    tensor<double> twice = x.clone(), turned = transpose(x).clone();
    twice *= 2;
    CHECK(turned.contiguous());
    turned += 1;
    (sum(twice) + sum(turned * weights)).backward();
    CHECK(x.grad() == tensor<double>{{3, 102, 10002}, {12, 1002, 100002}});
    CHECK(x == tensor<double>{{1, 2, 3}, {4, 5, 6}});
    // A handle that does not know of a change is refused, as by every operation.
    tensor<double> y = v * 2, first = slice(y, 0, 0, 1);
    first += 1;
    CHECK(contains(sentence_of([&] { static_cast<void>(y.clone()); }), "clone: the tensor of shape (2,) computed by"));
    CHECK(y.detach().clone().values() == doubles{3, 4});
}

TEST_CASE("assign in a graph passes gradients on, and those of the numbers before end", "[tensor]") {
    const tensor<double> v = leaf({1, 2}), w = leaf({{5}, {7}});
    tensor<double> z = ct::zeros<double>({2});
    z.assign(v * 2);
    sum(z * v).backward(); // 2 v^2
    CHECK(v.grad().values() == doubles{4, 8});
    // Over computed numbers, which are lost; and broadcast.
    v.node().forget_gradient();
    tensor<double> y = v * tensor<double>{{1}, {1}};
    y.assign(w);
    (sum(y * y) + sum(v)).backward();
    CHECK(w.grad() == tensor<double>{{2 * 2 * 5}, {2 * 2 * 7}});
    CHECK(v.grad().values() == doubles{1, 1});
    // By plain numbers, which end the graph.
    tensor<double> ended = v * 1;
    ended.assign(tensor<double>{3, 4});
    CHECK_FALSE(ended.requires_grad());
    ended += v;
    (ended * tensor<double>{3, 4}).backward({1, 1});
    CHECK(v.grad().values() == doubles{1 + 3, 1 + 4});
    // By a view of itself.
    v.node().forget_gradient();
    tensor<double> turned = v * 3;
    turned.assign(slice(turned, 0, -1, ct::to_the_end, -1));
    CHECK(turned.values() == doubles{6, 3});
    (turned * tensor<double>{1, 10}).backward({1, 1});
    CHECK(v.grad().values() == doubles{30, 3});
}

TEST_CASE("assign where others share the numbers is refused, at once or where they are read", "[tensor]") {
    const tensor<double> v = leaf({1, 2});
    tensor<double> whole = ct::zeros<double>({4}), computed = v * 1, read = v * 1;
    CHECK(sentence_of([&] { slice(whole, 0, 0, 2).assign(v * 2); }) ==
          "assign: other handles or views share the tensor of shape (2,) and would not know that it depends on a "
          "tensor that requires a gradient; write a = b, or put parts together with stack() or concatenate()");
    CHECK(whole == ct::zeros<double>({4}));
    slice(computed, 0, 0, 1).assign(tensor<double>{5});
    CHECK(contains(sentence_of([&] { static_cast<void>(computed + 1); }), "changed in place through another handle"));
    const tensor<double> squares = read * read;
    read.assign(v);
    CHECK(contains(sentence_of([&] { sum(squares).backward(); }), "was changed in place after it was read"));
    {
        const ct::no_grad unrecorded; // as initialisers and optimisers do
        slice(whole, 0, 0, 2).assign(v * 2);
        tensor<double> same = v;
        same.assign(tensor<double>{3, 4});
    }
    CHECK(whole.values() == doubles{2, 4, 0, 0});
    CHECK(v.values() == doubles{3, 4});
}

TEST_CASE("a clone is a plain copy where nothing is recorded", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    {
        const ct::no_grad unrecorded;
        CHECK_FALSE(x.clone().requires_grad());
    }
    CHECK_FALSE(tensor<double>{1}.clone().requires_grad());
    CHECK(tensor<bool>{true, false}.clone() == tensor<bool>{true, false});
    tensor<bool> flags{true, false};
    flags.assign(tensor<bool>{false});
    CHECK(flags == tensor<bool>{false, false});
    // As the sentences say.
    tensor<double> other = x.detach().clone();
    other.fill(3);
    other.requires_grad(true);
    sum(other * x).backward();
    CHECK(other.grad().values() == doubles{1, 2});
    CHECK(x.grad().values() == doubles{3, 3});
}

TEST_CASE("detached tensors and their clones are outside the graph, and only clones have their own numbers",
          "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    const tensor<double> y = x * x;
    tensor<double> copy = x.detach().clone(), shared = x.detach();
    CHECK_FALSE(copy.requires_grad());
    copy.fill(9);
    sum(y).backward();
    CHECK(x.grad().values() == doubles{2, 4});
    shared.fill(9);
    CHECK(x.values() == doubles{9, 9});
    CHECK(contains(sentence_of([&] { sum(y).backward(); }), "backward: operator* needs argument 1"));
}

TEST_CASE("views that repeat numbers cannot be changed", "[tensor]") {
    const tensor<double> x{1, 2};
    tensor<double> twice = broadcast_to(x, {3, 2});
    CHECK(contains(sentence_of([&] { twice += 1; }),
                   "operator+=: the tensor of shape (3, 2) is a view that repeats numbers along axis 0, "
                   "so that a change of one element would change others; change a clone()"));
    CHECK_THROWS_AS(twice.set({0, 0}, 1), ct::shape_error);
    CHECK_THROWS_AS(twice.fill(1), ct::shape_error);
    CHECK(x.values() == doubles{1, 2});
    tensor<double> once = broadcast_to(x, {1, 2});
    once += 1;
    CHECK(x.values() == doubles{2, 3});
}

TEST_CASE("the gradient itself can be changed in place, as clipping does", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    sum(x * x).backward();
    tensor<double> g = x.grad();
    g *= 0.5;
    CHECK(x.grad().values() == doubles{1, 2});
    sum(x).backward();
    CHECK(x.grad().values() == doubles{2, 3});
    CHECK(g.values() == doubles{1, 2});
}

TEST_CASE("no_grad ends with its block, also by an exception, and may be nested", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    try {
        const ct::no_grad outer;
        {
            const ct::no_grad inner;
        }
        CHECK_FALSE((x * 2).requires_grad());
        throw 1;
    } catch (int) {
    }
    CHECK((x * 2).requires_grad());
}

TEST_CASE("a detached handle of the tensor that is changed in place is a constant", "[tensor]") {
    // y op= y.detach() at y = 2 x: the slopes by x are 2, 2, 2 y and 2 / y.
    const auto slopes = [](auto change) {
        const tensor<double> x = leaf({3, 5});
        tensor<double> y = x * 2;
        const tensor<double> before = y.detach();
        change(y, before);
        sum(y).backward();
        return x.grad().values();
    };
    CHECK(slopes([](tensor<double>& y, const tensor<double>& c) { y += c; }) == doubles{2, 2});
    CHECK(slopes([](tensor<double>& y, const tensor<double>& c) { y -= c; }) == doubles{2, 2});
    CHECK(slopes([](tensor<double>& y, const tensor<double>& c) { y *= c; }) == doubles{12, 20});
    CHECK(slopes([](tensor<double>& y, const tensor<double>& c) { y /= c; }) == doubles{2.0 / 6, 2.0 / 10});
    CHECK(slopes([](tensor<double>& y, const tensor<double>&) { y *= y; }) == doubles{24, 40});
    CHECK(slopes([](tensor<double>& y, const tensor<double>&) { y += reshape(y, {2}); }) == doubles{4, 4});
    tensor<double> plain{3, 5};
    plain *= plain.detach();
    CHECK(plain.values() == doubles{9, 25});
}

TEST_CASE("a view that requires a gradient is refused where its numbers change while they are read", "[tensor]") {
    const tensor<double> x = leaf({1, 2});
    tensor<double> y = broadcast_to(x, {2, 2}) * 1;
    CHECK(contains(sentence_of([&] { y += transpose(y); }),
                   "operator+=: the argument of shape (2, 2) is a view of the tensor that is changed in place"));
    CHECK(y.values() == doubles{1, 2, 1, 2});
}
