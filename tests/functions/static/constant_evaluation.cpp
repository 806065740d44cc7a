// SPDX-License-Identifier: BSL-1.0
//
// The functions of constant_evaluation.hpp in constant expressions, on every compiler. They are compared with reference
// values from mpmath (400 bits) to one unit in the last place, and with the special values of C's annex F.
// tests/functions/constant_evaluation.cpp compares them with <cmath> at many more points.
#include <chainrule/functions/constant_evaluation.hpp>

#include <cstddef>
#include <limits>

namespace {

namespace ce = chainrule::constant_evaluation;

/// Arguments, and the value as the sum of two doubles.
template <std::size_t Arity>
struct sample {
    double argument[Arity];
    double high;
    double low;
};

/// Three quarters of epsilon relative to the value are between 0.75 and 1.5 units in its last place.
template <class T>
constexpr bool close(T value, T reference) {
    using limits = std::numeric_limits<T>;
    if (value == reference) return true;
    const T difference = value - reference, bound = ce::fabs(reference) * limits::epsilon() * 3 / 4;
    return ce::fabs(difference) <= (bound < limits::denorm_min() ? limits::denorm_min() : bound);
}

template <class T, std::size_t Arity>
constexpr bool agrees(auto function, const sample<Arity>& s) {
    constexpr double largest = static_cast<double>(std::numeric_limits<T>::max());
    constexpr double smallest = std::numeric_limits<T>::min_exponent < std::numeric_limits<double>::min_exponent
                                    ? 1e-280 // below, the low part of the sample underflowed
                                    : static_cast<double>(std::numeric_limits<T>::denorm_min());
    const double size = ce::fabs(s.high);
    if (size > largest || (size != 0 && size < smallest)) return true;
    for (const double x : s.argument)
        if (ce::fabs(x) > largest || static_cast<double>(static_cast<T>(x)) != x) return true;
    const T reference = static_cast<T>(s.high) + static_cast<T>(s.low);
    if constexpr (Arity == 1) {
        return close(function(static_cast<T>(s.argument[0])), reference);
    } else {
        return close(function(static_cast<T>(s.argument[0]), static_cast<T>(s.argument[1])), reference);
    }
}

template <std::size_t Arity, std::size_t Count>
constexpr bool agree(auto function, const sample<Arity> (&samples)[Count]) {
    for (const auto& s : samples)
        if (!agrees<float>(function, s) || !agrees<double>(function, s) || !agrees<long double>(function, s))
            return false;
    return true;
}

// clang-format off
constexpr sample<1> exp_samples[] = {
    {{0x1p0}, 0x1.5bf0a8b145769p1, 0x1.4d57ee2b1013ap-53},
    {{-0x1p0}, 0x1.78b56362cef38p-2, -0x1.ca8a4270fadf5p-57},
    {{0x1.3aa0dap0}, 0x1.b57cb0fd54f22p1, -0x1.598a174771181p-53},
    {{0x1.ef2e045bc8fb8p-2}, 0x1.9f3240c95019fp0, -0x1.564295c50a5a2p-54},
    {{0x1.79d9070e78b3ep3}, 0x1.06480a3ff3bf5p17, -0x1.903a1fe079c56p-38},
    {{0x1.b7cdfd9d7bdbbp-34}, 0x1.000000006df38p0, -0x1.3112d8e5e6d4cp-57},
    {{0x1.5dp6}, 0x1.d58d6949137fp125, 0x1.81985bf17cdb2p68},
    {{-0x1.5cp6}, 0x1.666d0dad2961dp-126, -0x1.820681c6c2c41p-181},
    {{0x1.5e4p9}, 0x1.8625c7d4f56c2p1010, 0x1.cc8f03140c197p956},
    {{-0x1.5e4p9}, 0x1.4ff475c68ca02p-1011, 0},
    {{0x1.62e42fefa39efp9}, 0x1.fffffffffff2ap1023, 0x1.b0e263400d16p967},
    {{-0x1.722p9}, 0x0.0000000000042p-1022, 0},
    {{-0x1.748cccccccccdp9}, 0x0.0000000000001p-1022, 0},
    {{0x1.ee1d892ce8c56p-11}, 0x1.003dcb252b0e4p0, 0x1.2b3ad990c93p-55}};
static_assert(agree([](auto x) { return ce::exp(x); }, exp_samples));

constexpr sample<1> expm1_samples[] = {
    {{0x1p0}, 0x1.b7e151628aed3p0, -0x1.655023a9dfd8cp-54},
    {{-0x1p0}, -0x1.43a54e4e98864p-1, -0x1.ca8a4270fadf5p-57},
    {{0x1.eb4ff2p-3}, 0x1.15a08a32ccc33p-2, 0x1.708b7e2dcd295p-56},
    {{0x1.b075f6c3d8588p-1}, 0x1.53c0f6d312b7fp0, 0x1.cc70625153c8p-54},
    {{0x1.4f8b588e368f1p-17}, 0x1.4f8bc681cdfb6p-17, -0x1.7835766a354c2p-72},
    {{-0x1.12e0be826d695p-30}, -0x1.12e0be801f1d9p-30, -0x1.7241290ac00f7p-84},
    {{0x1.56e1fc2f8f359p-997}, 0x1.56e1fc2f8f359p-997, 0},
    {{-0x1.24p5}, -0x1.fffffffffffffp-1, 0x1.1199d470aefa2p-55},
    {{0x1.62e42fefa39efp-2}, 0x1.a827999fcef32p-2, -0x1.2e5843cd022b5p-59},
    {{-0x1.62eb1c432ca58p-2}, -0x1.2bf1186530eb9p-2, 0x1.20c67cd56aaf5p-57},
    {{0x1.44p4}, 0x1.290d76c9966a9p29, 0x1.7caa464b02a74p-25},
    {{0x1.5e4p9}, 0x1.8625c7d4f56c2p1010, 0x1.cc8f03140c197p956}};
static_assert(agree([](auto x) { return ce::expm1(x); }, expm1_samples));

constexpr sample<1> log_samples[] = {
    {{0x1p1}, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56},
    {{0x1.4p3}, 0x1.26bb1bbb55516p1, -0x1.f48ad494ea3e9p-53},
    {{0x1.1646a8p-1}, -0x1.382c10d1896d8p-1, 0x1.9dd016407a33dp-55},
    {{0x1.06a3bb7e2e74ep0}, 0x1.a3841c86ad2a1p-6, -0x1.d5490e531b601p-63},
    {{0x1.fffffffffffffp-1}, -0x1p-53, -0x1p-107},
    {{0x1.0000000000001p0}, 0x1.fffffffffffffp-53, 0x1.5555555555554p-158},
    {{0x1.6a09e667f3bcdp0}, 0x1.62e42fefa39fp-2, 0x1.c2e0e1b1548c2p-56},
    {{0x1.6a09e65dc27dfp-1}, -0x1.62e4300c77ae8p-2, -0x1.76941023a274bp-59},
    {{0x0.0000000000001p-1022}, -0x1.74385446d71c3p9, -0x1.8e569fa8ee781p-45},
    {{0x0.012688b70e62bp-1022}, -0x1.64e69394d9508p9, -0x1.35918fe61c196p-47},
    {{0x1p-1022}, -0x1.6232bdd7abcd2p9, -0x1.eef3fec1be37fp-46},
    {{0x1.fffffffffffffp1023}, 0x1.62e42fefa39efp9, 0x1.a9c9e3b39803fp-46},
    {{0x1.c1d3d967fc8bep29}, 0x1.4aa3a7e785063p4, 0x1.ed0826ce9cff9p-50}};
static_assert(agree([](auto x) { return ce::log(x); }, log_samples));

constexpr sample<1> log1p_samples[] = {
    {{0x1p0}, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56},
    {{0x1.311992p-3}, 0x1.1c67cbee8dcc4p-3, 0x1.061ab72981099p-57},
    {{0x1.4e878efb6334bp1}, 0x1.48e0cc07a267cp0, 0x1.095c092fb7883p-57},
    {{0x1.b7cdfd9d7bdbbp-34}, 0x1.b7cdfd9d1d693p-34, -0x1.0c8b7f5fd9a85p-88},
    {{-0x1.4f8b588e368f1p-17}, -0x1.4f8bc681e6006p-17, 0x1.467e6f483fa76p-71},
    {{0x1.56e1fc2f8f359p-997}, 0x1.56e1fc2f8f359p-997, 0},
    {{-0x1.fffffffffffffp-1}, -0x1.25e4f7b2737fap5, -0x1.8486612173c69p-51},
    {{0x1.6345785d8ap56}, 0x1.3926cd770aa67p5, -0x1.24c52513a8ea7p-50},
    {{0x1.fffffffffffffp1023}, 0x1.62e42fefa39efp9, 0x1.a9c9e3b39803fp-46},
    {{-0x1p-2}, -0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56}};
static_assert(agree([](auto x) { return ce::log1p(x); }, log1p_samples));

constexpr sample<1> sqrt_samples[] = {
    {{0x1p1}, 0x1.6a09e667f3bcdp0, -0x1.bdd3413b26456p-54},
    {{0x1.8p1}, 0x1.bb67ae8584caap0, 0x1.cec95d0b5c1e3p-54},
    {{0x1.6a4254p3}, 0x1.aeab85ade233bp1, 0x1.456567eb82d3bp-54},
    {{0x1.e053a2ef29388p-2}, 0x1.5ea965f9ea49ep-1, 0x1.236b51a5331dap-57},
    {{0x1p-2}, 0x1p-1, 0},
    {{0x0.012688b70e62bp-1022}, 0x1.1297872d9cbaep-515, -0x1.cae669413c95fp-569},
    {{0x0.0000000000001p-1022}, 0x1p-537, 0},
    {{0x1.fffffffffffffp1023}, 0x1.fffffffffffffp511, 0x1p458},
    {{0x1.fffffffffffffp-1}, 0x1.fffffffffffffp-1, 0x1p-54},
    {{0x1.fffffffffffffp1}, 0x1.fffffffffffffp0, 0x1p-53},
    {{0x1.249ad2594c37dp332}, 0x1.11b0ec57e649ap166, -0x1.50f9195a50f5p112}};
static_assert(agree([](auto x) { return ce::sqrt(x); }, sqrt_samples));

constexpr sample<1> cbrt_samples[] = {
    {{0x1p1}, 0x1.428a2f98d728bp0, -0x1.ddc22548ea41ep-56},
    {{0x1.bp4}, 0x1.8p1, 0},
    {{-0x1.8a843cp4}, -0x1.748e5e90c0fe2p1, 0x1.0eb2271f8f616p-53},
    {{0x1.1667d2c686bfap-1}, 0x1.a1e675617ef71p-1, 0x1.890a0b8aa104p-57},
    {{0x1p-3}, 0x1p-1, 0},
    {{0x0.012688b70e62bp-1022}, 0x1.a9d1b0b5d7427p-344, -0x1.7220ca343c9c9p-401},
    {{0x0.0000000000001p-1022}, 0x1p-358, 0},
    {{0x1.fffffffffffffp1023}, 0x1.428a2f98d728bp341, -0x1.4e7753b81f564p287},
    {{-0x1.249ad2594c37dp332}, -0x1.a8e327ba6c9c9p110, 0x1.996b6e04c4b0ep56},
    {{0x1.ffffffffe4832p2}, 0x1.fffffffff6d66p0, -0x1.4fd012900a042p-75}};
static_assert(agree([](auto x) { return ce::cbrt(x); }, cbrt_samples));

constexpr sample<1> sin_samples[] = {
    {{0x1p0}, 0x1.aed548f090ceep-1, 0x1.06374f484e288p-59},
    {{-0x1p1}, -0x1.d18f6ead1b446p-1, 0x1.02a3dbf3bffb2p-56},
    {{0x1.2edcf4p-1}, 0x1.1d81d9108db56p-1, -0x1.f23d4808463d6p-55},
    {{-0x1.858236c6e1b27p5}, 0x1.fffd8eadf7f11p-1, -0x1.cb35cc9a31401p-55},
    {{0x1.921fb54442d18p-1}, 0x1.6a09e667f3bccp-1, 0x1.7a7fb8d4bd43fp-55},
    {{0x1.921fb54442d18p1}, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbdp-109},
    {{0x1.921fb54442d18p2}, -0x1.1a62633145c07p-52, 0x1.f1976b7ed8fbfp-108},
    {{0x1.5798ee2308c3ap-27}, 0x1.5798ee2308c3ap-27, -0x1.9ca58cce0be35p-83},
    {{0x1.63p8}, -0x1.f9bd0307d1de3p-16, 0x1.894874d2528d2p-70},
    {{0x1.9639p16}, -0x1.40efdf1eb8de7p-16, 0x1.f636eaa54141cp-70},
    {{0x1.dcd64ff8p29}, -0x1.a3fb06c32730bp-2, -0x1.900ef20eb3b29p-56},
    {{-0x1.d6f3458ap29}, -0x1.ed6b5f8daf84cp-1, -0x1.e797932fc4674p-56},
    {{0x1.0f0cf064dd592p73}, -0x1.b453ab76bf397p-1, -0x1.f453790772648p-58},
    {{0x1.fffffffffffffp1023}, 0x1.452fc98b34e97p-8, -0x1.27bb193d960dfp-62},
    {{0x1.6ac5b262ca1ffp849}, 0x1p0, -0x1.2b089ea1e692bp-123}};
static_assert(agree([](auto x) { return ce::sin(x); }, sin_samples));

constexpr sample<1> cos_samples[] = {
    {{0x1p0}, 0x1.14a280fb5068cp-1, -0x1.b71edcc9344bcp-55},
    {{-0x1p1}, -0x1.aa22657537205p-2, 0x1.6f3341d4d1235p-56},
    {{-0x1.221196p1}, -0x1.48055ffea1e0fp-1, -0x1.3e11fb1eff123p-56},
    {{-0x1.60d405db95ba1p4}, -0x1.ff0f48bf7d74p-1, -0x1.d82d37fe801p-55},
    {{0x1.921fb54442d18p-1}, 0x1.6a09e667f3bcdp-1, -0x1.ec4c7696139d5p-56},
    {{0x1.921fb54442d18p0}, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
    {{0x1.2d97c7f3321d2p2}, -0x1.a79394c9e8a0ap-53, -0x1.456737b06ea19p-107},
    {{0x1.5798ee2308c3ap-27}, 0x1p0, -0x1.cd2b297d889bcp-55},
    {{0x1.6p3}, 0x1.220ae41ee2fdfp-8, 0x1.7f17841b97bf3p-62},
    {{0x1.9639p16}, 0x1.fffffffe6da77p-1, 0x1.7035e9b2fcdecp-57},
    {{0x1.dcd64ff8p29}, 0x1.d2f4c89ddace2p-1, -0x1.040e76f143f4cp-55},
    {{-0x1.d6f3458ap29}, -0x1.115bdf8a0974p-2, 0x1.b95de5db6b3ap-56},
    {{0x1.0f0cf064dd592p73}, 0x1.0be2cef01c8f4p-1, -0x1.b2d1bc8018c4fp-55},
    {{0x1.fffffffffffffp1023}, -0x1.fffe62ecfab75p-1, -0x1.e038d934070f1p-56},
    {{0x1.6ac5b262ca1ffp849}, -0x1.14ae72e6ba22fp-61, 0x1.73eef1477d90ep-118}};
static_assert(agree([](auto x) { return ce::cos(x); }, cos_samples));

constexpr sample<1> tan_samples[] = {
    {{0x1p0}, 0x1.8eb245cbee3a6p0, -0x1.1d4ce0afb373bp-54},
    {{-0x1p1}, 0x1.17af62e0950f8p1, 0x1.da84c843d57b4p-54},
    {{0x1.aa567p1}, 0x1.881bea21d35c1p-3, -0x1.8d6996ed4198ap-58},
    {{0x1.a929251de3308p4}, 0x1.e5c7c0bac2c85p2, 0x1.927cf4e5392a7p-53},
    {{0x1.921fb54442d18p-1}, 0x1.fffffffffffffp-1, 0x1.cb3b399d747f3p-55},
    {{0x1.921fb54442d18p0}, 0x1.d02967c31cdb5p53, -0x1.f3c72fe49aa2ap-3},
    {{0x1.921fb54442d18p1}, -0x1.1a62633145c07p-53, 0x1.f1976b7ed8fbap-109},
    {{0x1.5798ee2308c3ap-27}, 0x1.5798ee2308c3ap-27, 0x1.9ca58cce0be35p-82},
    {{0x1.6p3}, -0x1.c3e6d558b0924p7, -0x1.b829f064ca7fp-47},
    {{0x1.63p8}, 0x1.f9bd030bacc16p-16, 0x1.7ccc31be7b4adp-72},
    {{0x1.dcd64ff8p29}, -0x1.cc7e34f03beap-2, 0x1.b55b3357f5a16p-59},
    {{-0x1.d6f3458ap29}, 0x1.ce1612f455838p1, -0x1.d6ecbf97021ddp-53},
    {{0x1.0f0cf064dd592p73}, -0x1.a0f79c1b6b257p0, -0x1.d27810f5737ddp-54},
    {{0x1.6ac5b262ca1ffp849}, -0x1.d9ba9a7975636p60, 0x1.714cf36c65449p6}};
static_assert(agree([](auto x) { return ce::tan(x); }, tan_samples));

constexpr sample<1> asin_samples[] = {
    {{0x1p-1}, 0x1.0c152382d7366p-1, -0x1.ee6913347c2a6p-55},
    {{-0x1p0}, -0x1.921fb54442d18p0, -0x1.1a62633145c07p-54},
    {{-0x1.5c90b6p-1}, -0x1.7f68512234866p-1, -0x1.fe68543169096p-57},
    {{0x1.30474d09350f2p-1}, 0x1.45d49536c6546p-1, 0x1.eacf47c6900d5p-55},
    {{0x1.fffffffffffffp-1}, 0x1.921fb50442d18p0, 0x1.1a6263269b15cp-54},
    {{0x1.87de2a6aea963p-2}, 0x1.921fb54442d18p-2, 0x1.e3106fa9c3f47p-56},
    {{-0x1.d906bcf328d46p-1}, -0x1.2d97c7f3321d2p0, 0x1.b3945b07ea241p-63},
    {{0x1.12e0be826d695p-30}, 0x1.12e0be826d695p-30, 0x1.a68cd9e985016p-93},
    {{0x1.6a09e667f3bcdp-1}, 0x1.921fb54442d19p-1, -0x1.bc7e938bd7e9cp-57}};
static_assert(agree([](auto x) { return ce::asin(x); }, asin_samples));

constexpr sample<1> acos_samples[] = {
    {{0x1p-1}, 0x1.0c152382d7366p0, -0x1.ee6913347c2a6p-54},
    {{-0x1p0}, 0x1.921fb54442d18p1, 0x1.1a62633145c07p-53},
    {{-0x1.71e6f4p-1}, 0x1.306776a990e43p1, -0x1.537652c35c83ap-53},
    {{0x1.e115e4e3c1808p-3}, 0x1.556bc12414274p0, 0x1.b0ad5918c4d97p-54},
    {{0x1.fffffffffffffp-1}, 0x1p-26, 0x1.5555555555555p-83},
    {{-0x1.fffffffffffffp-1}, 0x1.921fb52442d18p1, 0x1.1a62632bf06b2p-53},
    {{0x1.87de2a6aea963p-2}, 0x1.2d97c7f3321d2p0, 0x1.433c8e8da986ap-55},
    {{-0x1.d906bcf328d46p-1}, 0x1.5fdbbe9bba775p1, 0x1.19889903c1cb6p-54},
    {{0x1.12e0be826d695p-30}, 0x1.921fb53ff74e9p0, -0x1.680b061ebd8cbp-54},
    {{0}, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54}};
static_assert(agree([](auto x) { return ce::acos(x); }, acos_samples));

constexpr sample<1> atan_samples[] = {
    {{0x1p0}, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    {{-0x1p1}, -0x1.1b6e192ebbe44p0, -0x1.b1b466a88828ep-54},
    {{-0x1.7e428ep1}, -0x1.3f68028a69f2ep0, 0x1.40a9ed1cd45ebp-54},
    {{-0x1.fe2ebb038a73cp-1}, -0x1.9136a8f28d889p-1, 0x1.4f5886815d91cp-56},
    {{0x1.a827999fcef32p-2}, 0x1.921fb54442d18p-2, 0x1.c398861b78b55p-59},
    {{0x1.3504f333f9de6p1}, 0x1.2d97c7f3321d2p0, 0x1.fc774dbe287ap-56},
    {{0x1.12e0be826d695p-30}, 0x1.12e0be826d695p-30, -0x1.a68cd9e985016p-92},
    {{0x1.2a05f2p33}, 0x1.921fb543d4dep0, 0x1.408aa5768deb7p-54},
    {{0x1.7e43c8800759cp996}, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54},
    {{-0x1.56e1fc2f8f359p-997}, -0x1.56e1fc2f8f359p-997, 0}};
static_assert(agree([](auto x) { return ce::atan(x); }, atan_samples));

constexpr sample<1> sinh_samples[] = {
    {{0x1p0}, 0x1.2cd9fc44eb982p0, 0x1.6a0092521fc19p-54},
    {{-0x1p1}, -0x1.d03cf63b6e19fp1, -0x1.bcd3200b2588p-53},
    {{0x1.7c5186p1}, 0x1.376feafa3510fp3, 0x1.42426bb54a26cp-52},
    {{-0x1.2984441cfae1cp-1}, -0x1.3a8b849437071p-1, -0x1.3eabd8458e2b8p-56},
    {{0x1.12e0be826d695p-30}, 0x1.12e0be826d695p-30, 0x1.a68cd9e985016p-93},
    {{0x1.62e33eff19503p-2}, 0x1.6a08e6d9e618bp-2, 0x1.53f83ad1326c1p-58},
    {{0x1.e8p4}, 0x1.0063f4e687ba2p43, -0x1.6f17291895a94p-11},
    {{0x1.8fp6}, 0x1.e0a553676ab61p142, -0x1.844310bc7347bp84},
    {{0x1.91p6}, 0x1.8c39b9134bac4p143, 0x1.56775ec333673p87},
    {{-0x1.5e4p9}, -0x1.8625c7d4f56c2p1009, -0x1.cc8f03140c197p955},
    {{0x1.633c28f5c28f6p9}, 0x1.fd02278f9df9bp1023, 0x1.2c9e9659379dbp969},
    {{0x1.56e1fc2f8f359p-997}, 0x1.56e1fc2f8f359p-997, 0}};
static_assert(agree([](auto x) { return ce::sinh(x); }, sinh_samples));

constexpr sample<1> cosh_samples[] = {
    {{0x1p0}, 0x1.8b07551d9f55p0, 0x1.30af4a040065bp-54},
    {{-0x1p1}, 0x1.e18fa0df2d9bcp1, 0x1.4993fb8bbba68p-54},
    {{-0x1.2358e8p1}, 0x1.3af0028de57dep2, 0x1.238322f10e023p-58},
    {{0x1.edffcc953ac8ap-1}, 0x1.80b17fec2ff7p0, -0x1.05d8029ef0055p-57},
    {{0x1.12e0be826d695p-30}, 0x1p0, 0x1.2725dd1d243acp-61},
    {{0x1.62e33eff19503p-2}, 0x1.0f8757822703ap0, -0x1.b70625228accbp-56},
    {{0x1.e8p4}, 0x1.0063f4e687ba2p43, -0x1.6f17291815db2p-11},
    {{0x1.8fp6}, 0x1.e0a553676ab61p142, -0x1.844310bc7347bp84},
    {{0x1.91p6}, 0x1.8c39b9134bac4p143, 0x1.56775ec333673p87},
    {{-0x1.5e4p9}, 0x1.8625c7d4f56c2p1009, 0x1.cc8f03140c197p955},
    {{0x1.633c28f5c28f6p9}, 0x1.fd02278f9df9bp1023, 0x1.2c9e9659379dbp969}};
static_assert(agree([](auto x) { return ce::cosh(x); }, cosh_samples));

constexpr sample<1> tanh_samples[] = {
    {{0x1p0}, 0x1.85efab514f394p-1, 0x1.5618caf8a4f11p-55},
    {{-0x1p1}, -0x1.ed9505e1bc3d4p-1, 0x1.661de681e0bedp-56},
    {{0x1.7d5876p1}, 0x1.fd5c702e3c515p-1, 0x1.82044e495380fp-55},
    {{-0x1.af80c5afb48b8p-2}, -0x1.97a7a88ba7ca8p-2, -0x1.c1cdc912a34bcp-58},
    {{0x1.12e0be826d695p-30}, 0x1.12e0be826d695p-30, -0x1.a68cd9e985016p-92},
    {{0x1.62e3c536d655ep-3}, 0x1.5f6131ec35d09p-3, -0x1.a0625e48f92dep-57},
    {{-0x1.28p4}, -0x1.ffffffffffffep-1, -0x1.d9ee380d67eaep-55},
    {{0x1.6p4}, 0x1p0, -0x1.6f741de1748ecp-63},
    {{0x1.56e1fc2f8f359p-997}, 0x1.56e1fc2f8f359p-997, 0}};
static_assert(agree([](auto x) { return ce::tanh(x); }, tanh_samples));

constexpr sample<1> erf_samples[] = {
    {{0x1p0}, 0x1.af767a741088bp-1, -0x1.c97f778122797p-56},
    {{-0x1p1}, -0x1.fd9ae142795e3p-1, -0x1.972801904b9a3p-56},
    {{0x1.d88dbp0}, 0x1.fb5f06acea177p-1, -0x1.c5669b29c6dfbp-55},
    {{0x1.415193812552p-4}, 0x1.69d3b04803732p-4, 0x1.64d0289068ea1p-60},
    {{0x1.12e0be826d695p-30}, 0x1.362a9ffc610ddp-30, -0x1.41dcec6678b79p-86},
    {{0x1.0000000000001p1}, 0x1.fd9ae142795e3p-1, 0x1.203ae86b64358p-55},
    {{0x1.ap1}, 0x1.ffff6f9f67e55p-1, 0x1.e1e4483ba034bp-55},
    {{-0x1.6p2}, -0x1.fffffffffffbep-1, 0x1.182b326b228dcp-55},
    {{0x1.ap2}, 0x1p0, -0x1.6ae172414cebap-65},
    {{0x0.730d67819e8d2p-1022}, 0x0.81d29b9b2c87dp-1022, 0}};
static_assert(agree([](auto x) { return ce::erf(x); }, erf_samples));

constexpr sample<1> erfc_samples[] = {
    {{0x1p0}, 0x1.4226162fbddd5p-3, -0x1.b40443f6ec34ap-59},
    {{-0x1p1}, 0x1.fecd70a13caf2p0, -0x1.9a35ff9bed197p-54},
    {{0x1p1}, 0x1.328f5ec350e67p-8, -0x1.ca006412e68dp-62},
    {{0x1.6c3262p-1}, 0x1.41fb10aa7076p-2, 0x1.a0ad491da92c4p-57},
    {{-0x1.2e4e4768bf14ep-1}, 0x1.98a64fc28460fp0, 0x1.e0bf6c05c54a6p-54},
    {{0x1.12e0be826d695p-30}, 0x1.fffffff64eabp-1, 0x1.cf7918a0ee763p-61},
    {{0x1.0000000000001p1}, 0x1.328f5ec350e5cp-8, -0x1.d7435b21abed4p-66},
    {{0x1.ap1}, 0x1.20c1303550f0ep-18, -0x1.20ee80d2c8d09p-73},
    {{-0x1.6p2}, 0x1.fffffffffffdfp0, -0x1.182b326b228dcp-55},
    {{0x1.4p3}, 0x1.7d8a7f2a8a2dp-149, -0x1.8b231dcfa8e27p-203},
    {{0x1.a8p4}, 0x1.3df6725a60cf5p-1019, 0},
    {{0x1.b333333333333p4}, 0x0.0000000000002p-1022, 0},
    {{0x1.70e3cd9efe6acp2}, 0x1.9ec6c54946181p-52, -0x1.c9a549d0def38p-107},
    {{0x1.e861fbb24c009p-2}, 0x1p-1, 0x1.a7867a35048a5p-55}};
static_assert(agree([](auto x) { return ce::erfc(x); }, erfc_samples));

constexpr sample<2> pow_samples[] = {
    {{0x1p1, 0x1.4p3}, 0x1p10, 0},
    {{0x1p1, 0x1p-1}, 0x1.6a09e667f3bcdp0, -0x1.bdd3413b26456p-54},
    {{0x1.4p3, -0x1.8p1}, 0x1.0624dd2f1a9fcp-10, -0x1.89374bc6a7efap-66},
    {{0x1.8p1, -0x1p1}, 0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58},
    {{-0x1.8p1, 0x1.4p2}, -0x1.e6p7, 0},
    {{-0x1p1, -0x1.8p1}, -0x1p-3, 0},
    {{0x1p-1, 0x1.0c8p10}, 0x0.0000000000001p-1022, 0},
    {{0x1.619bd2p1, 0x1.ddc308p1}, 0x1.630e573448ab5p5, -0x1.b9241e8e74c2fp-49},
    {{0x1.1e565d73935ddp3, -0x1.018cda9c8c7cp1}, 0x1.8e8930c9a7895p-7, 0x1.1f33ed829fc4fp-63},
    {{0x1.0000000000001p0, 0x1.bc16d674ec8p59}, 0x1.44a12826f5073p320, 0x1.519d69d6e001p264},
    {{0x1.fffffffffffffp-1, 0x1.bc16d674ec8p59}, 0x1.c6ab6c6b3f2f9p-161, 0x1.8d965014d7e08p-217},
    {{0x0.012688b70e62bp-1022, 0x1p-2}, 0x1.76f469c18674cp-258, -0x1.683be4db09dd7p-312},
    {{0x1.7e43c8800759cp996, -0x1.8p-1}, 0x1.7b08617a104eep-748, 0x1.78edf7e338383p-807},
    {{0x1.4p3, 0x1.34p8}, 0x1.1ccf385ebc8ap1023, -0x1.c2a3c3d855605p966},
    {{0x1.4p3, -0x1.4p8}, 0x0.00000000007e8p-1022, 0},
    {{0x1.cp2, 0x1.6p4}, 0x1.b213cc3a81131p61, -0x1.dep7},
    {{-0x1.8p0, -0x1.f48p9}, -0x1.5e525ea184efap-586, 0x1.1192056be29ep-640},
    {{0x1.199999999999ap0, 0x1.b588p12}, 0x1.8241d7c9a4506p962, -0x1.56579f5f61bd2p908}};
// clang-format on
static_assert(agree([](auto x, auto y) { return ce::pow(x, y); }, pow_samples));

template <class T>
constexpr bool same(T a, T b) {
    return a != a ? b != b : a == b && ce::is_negative(a) == ce::is_negative(b);
}

template <class T>
struct special_values {
    static constexpr T inf = ce::infinity<T>, nan = ce::not_a_number<T>, zero = 0, one = 1, two = 2, half = T(0.5);
    static constexpr T tiny = std::numeric_limits<T>::denorm_min(), huge = std::numeric_limits<T>::max();

    static_assert(same(ce::exp(inf), inf) && same(ce::exp(-inf), zero) && same(ce::exp(nan), nan));
    static_assert(same(ce::exp(-zero), one) && same(ce::exp(huge), inf) && same(ce::exp(-huge), zero));
    static_assert(same(ce::exp(tiny), one));
    static_assert(same(ce::expm1(inf), inf) && same(ce::expm1(-inf), -one) && same(ce::expm1(nan), nan));
    static_assert(same(ce::expm1(-zero), -zero) && same(ce::expm1(-tiny), -tiny) && same(ce::expm1(huge), inf));

    static_assert(same(ce::log(inf), inf) && same(ce::log(zero), -inf) && same(ce::log(-zero), -inf));
    static_assert(same(ce::log(-one), nan) && same(ce::log(-inf), nan) && same(ce::log(nan), nan));
    static_assert(same(ce::log(one), zero));
    static_assert(same(ce::log1p(inf), inf) && same(ce::log1p(-one), -inf) && same(ce::log1p(-two), nan));
    static_assert(same(ce::log1p(-zero), -zero) && same(ce::log1p(nan), nan) && same(ce::log1p(tiny), tiny));

    static_assert(same(ce::sqrt(inf), inf) && same(ce::sqrt(-zero), -zero) && same(ce::sqrt(zero), zero));
    static_assert(same(ce::sqrt(-one), nan) && same(ce::sqrt(-inf), nan) && same(ce::sqrt(nan), nan));
    static_assert(same(ce::cbrt(-inf), -inf) && same(ce::cbrt(-zero), -zero) && same(ce::cbrt(nan), nan));
    static_assert(same(ce::cbrt(T(-27)), T(-3)));

    static_assert(same(ce::sin(-zero), -zero) && same(ce::sin(inf), nan) && same(ce::sin(nan), nan));
    static_assert(same(ce::cos(-zero), one) && same(ce::cos(-inf), nan) && same(ce::cos(nan), nan));
    static_assert(same(ce::tan(-zero), -zero) && same(ce::tan(inf), nan) && same(ce::tan(nan), nan));
    static_assert(same(ce::sin(tiny), tiny) && same(ce::cos(tiny), one) && same(ce::tan(-tiny), -tiny));
    static_assert(same(ce::asin(-zero), -zero) && same(ce::asin(two), nan) && same(ce::asin(nan), nan));
    static_assert(same(ce::acos(one), zero) && same(ce::acos(-two), nan) && same(ce::acos(nan), nan));
    static_assert(same(ce::atan(-zero), -zero) && same(ce::atan(inf), ce::asin(one)) && same(ce::atan(nan), nan));
    static_assert(same(ce::atan(-inf), -ce::acos(zero)) && same(ce::atan(huge), ce::asin(one)));

    static_assert(same(ce::sinh(-zero), -zero) && same(ce::sinh(-inf), -inf) && same(ce::sinh(nan), nan));
    static_assert(same(ce::sinh(-huge), -inf) && same(ce::cosh(-huge), inf) && same(ce::tanh(-huge), -one));
    static_assert(same(ce::cosh(-zero), one) && same(ce::cosh(-inf), inf) && same(ce::cosh(nan), nan));
    static_assert(same(ce::tanh(-zero), -zero) && same(ce::tanh(-inf), -one) && same(ce::tanh(nan), nan));
    static_assert(same(ce::erf(-zero), -zero) && same(ce::erf(-inf), -one) && same(ce::erf(nan), nan));
    static_assert(same(ce::erfc(-zero), one) && same(ce::erfc(-inf), two) && same(ce::erfc(inf), zero));
    static_assert(same(ce::erfc(nan), nan) && same(ce::erfc(huge), zero) && same(ce::erfc(-huge), two));

    static_assert(same(ce::fabs(-zero), zero) && same(ce::fabs(-inf), inf) && same(ce::fabs(nan), nan));
    static_assert(same(ce::trunc(-half), -zero) && same(ce::trunc(T(-2.5)), -two) && same(ce::trunc(T(2.75)), two));
    static_assert(same(ce::trunc(-inf), -inf) && same(ce::trunc(nan), nan) && same(ce::trunc(huge), huge));
    static_assert(same(ce::trunc(1 - std::numeric_limits<T>::epsilon() / 2), zero) && same(ce::trunc(tiny), zero));
    static_assert(same(ce::floor(-half), -one) && same(ce::floor(-zero), -zero) && same(ce::floor(T(2.75)), two));
    static_assert(same(ce::floor(-inf), -inf) && same(ce::floor(nan), nan) && same(ce::floor(-tiny), -one));
    static_assert(same(ce::floor(-two), -two));

    static_assert(same(ce::round(inf), inf) && same(ce::round(-inf), -inf) && same(ce::round(-zero), -zero));
    static_assert(same(ce::round(half), one) && same(ce::round(-half), -one) && same(ce::round(T(2.25)), two));
    static_assert(same(ce::logb(zero), -inf) && same(ce::logb(-inf), inf) && same(ce::logb(nan), nan));
    static_assert(same(ce::logb(T(-10)), T(3)) && same(ce::logb(half), -one));
    static_assert(same(ce::logb(tiny), T(std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits)));
    static constexpr int far = 4 * std::numeric_limits<T>::max_exponent;
    static_assert(same(ce::ldexp(-one, -far), -zero) && same(ce::ldexp(inf, -far), inf));
    static_assert(same(ce::ldexp(tiny, 1), tiny + tiny) && same(ce::ldexp(T(3) * tiny, -1), tiny + tiny));

    static constexpr T three = 3;
    static_assert(same(ce::pow(zero, -three), inf) && same(ce::pow(-zero, -three), -inf));
    static_assert(same(ce::pow(zero, -two), inf) && same(ce::pow(-zero, -two), inf));
    static_assert(same(ce::pow(-zero, -half), inf) && same(ce::pow(-zero, -inf), inf));
    static_assert(same(ce::pow(-zero, three), -zero) && same(ce::pow(zero, three), zero));
    static_assert(same(ce::pow(-zero, two), zero) && same(ce::pow(-zero, half), zero));
    static_assert(same(ce::pow(zero, inf), zero));
    static_assert(same(ce::pow(-one, inf), one) && same(ce::pow(-one, -inf), one) && same(ce::pow(-one, three), -one));
    static_assert(same(ce::pow(one, nan), one) && same(ce::pow(one, -inf), one) && same(ce::pow(nan, zero), one));
    static_assert(same(ce::pow(-inf, -zero), one) && same(ce::pow(nan, two), nan) && same(ce::pow(two, nan), nan));
    static_assert(same(ce::pow(-two, half), nan) && same(ce::pow(-one, half), nan));
    static_assert(same(ce::pow(half, -inf), inf) && same(ce::pow(-half, -inf), inf) && same(ce::pow(-two, -inf), zero));
    static_assert(same(ce::pow(half, inf), zero) && same(ce::pow(-half, inf), zero) && same(ce::pow(-two, inf), inf));
    static_assert(same(ce::pow(-inf, -three), -zero) && same(ce::pow(-inf, -two), zero));
    static_assert(same(ce::pow(-inf, three), -inf) && same(ce::pow(-inf, two), inf) && same(ce::pow(-inf, half), inf));
    static_assert(same(ce::pow(inf, -half), zero) && same(ce::pow(inf, half), inf));
    static_assert(same(ce::pow(two, huge), inf) && same(ce::pow(two, -huge), zero) && same(ce::pow(half, huge), zero));
    static_assert(same(ce::pow(-two, huge), inf) && same(ce::pow(huge, huge), inf) && same(ce::pow(huge, tiny), one));
    static_assert(same(ce::pow(-huge, three), -inf) && same(ce::pow(-tiny, three), -zero));
    static_assert(same(ce::pow(tiny, one), tiny));
    static_assert(same(ce::pow(huge, one), huge) && same(ce::pow(-huge, one), -huge));
    static_assert(same(ce::pow(-tiny, one), -tiny));
};

template struct special_values<float>;
template struct special_values<double>;
template struct special_values<long double>;

// Where the range of double ends.
static_assert(ce::exp(0x1.62e42fefa39efp9) < ce::infinity<double>);
static_assert(ce::exp(0x1.62e42fefa39f0p9) == ce::infinity<double>);
static_assert(ce::exp(-745.13) == 0x1p-1074 && ce::exp(-745.14) == 0);
static_assert(ce::erfc(27.22) == 0x1p-1074 && ce::erfc(27.23) == 0);
static_assert(ce::pow(2.0, -1074.0) == 0x1p-1074 && ce::pow(2.0, -1075.5) == 0);
static_assert(ce::pow(2.0, 1023.0) == 0x1p1023 && ce::pow(2.0, 1024.0) == ce::infinity<double>);
static_assert(ce::pow(10.0, 22.0) == 1e22 && ce::pow(-3.0, 33.0) == -5559060566555523.0);

// Halves of a large factor do not overflow.
static_assert(ce::fma(1e305, 1e-10, 1.0) == 1e305 * 1e-10 && ce::fma(0x1p1000, 0x1.8p-999, -3.0) == 0.0);
static_assert(ce::fma((1 + 0x1p-30) * 0x1p1000, (1 - 0x1p-30) * 0x1p-1000, -1.0) == -0x1p-60);
static_assert(ce::fma((1 - 0x1p-30) * 0x1p-1000, (1 + 0x1p-30) * 0x1p1000, -1.0) == -0x1p-60);
static_assert(ce::fma((1 + 0x1p-12f) * 0x1p120f, (1 - 0x1p-12f) * 0x1p-120f, -1.0f) == -0x1p-24f);

} // namespace
