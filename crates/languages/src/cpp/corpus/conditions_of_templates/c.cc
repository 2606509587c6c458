#include <type_traits>
namespace detail {
template <bool B, typename T = void> using enable_if_t = typename std::enable_if<B, T>::type;
template <bool B> using bool_constant = std::integral_constant<bool, B>;
template <typename T> struct is_small : std::false_type {};
template <> struct is_small<char> : std::true_type {};
template <typename T> using is_other = bool_constant<!is_small<T>::value && !std::is_same<T, bool>::value>;
struct Base {};
template <typename S> struct is_derived : std::is_base_of<Base, S> {};
}
#define ENABLE_IF(...) detail::enable_if_t<(__VA_ARGS__), int> = 0
struct D : detail::Base {};
struct Plain {};
template <typename T, ENABLE_IF(std::is_integral<T>::value)> void f(T) {}  // calls :ENABLE_IF@11
template <typename T, ENABLE_IF(std::is_floating_point<T>::value)> void f(T) {}  // calls :ENABLE_IF@11
template <typename T, typename = std::enable_if_t<std::is_same<T, char>::value>> void g(T) {}
void g(long) {}
template <typename T, ENABLE_IF(detail::is_small<T>::value)> void h(T) {}  // calls :ENABLE_IF@11
template <typename T, ENABLE_IF(detail::is_other<T>::value)> void h(const T&) {}  // calls :ENABLE_IF@11
template <typename S, ENABLE_IF(detail::is_derived<S>::value)> void k(const S&) {}  // calls :ENABLE_IF@11
template <typename S, ENABLE_IF(!detail::is_derived<S>::value)> void k(const S&) {}  // calls :ENABLE_IF@11
template <typename T, ENABLE_IF(std::is_convertible<T, double>::value)> void m(T) {}  // calls :ENABLE_IF@11
template <typename T, ENABLE_IF(std::is_pointer<T>::value || std::is_enum<T>::value)> void m(T) {}  // calls :ENABLE_IF@11
enum class E { One };
template <typename T, ENABLE_IF(sizeof(T) == 4)> void n(T) {}  // calls :ENABLE_IF@11
void n(long) {}
void go(D d, Plain p, int* q) {
  f(1);  // calls :f@14
  f(1.5f);  // calls :f@15
  f('c');  // calls :f@14
  g('c');  // calls :g@16
  g(1);  // calls :g@17
  h('c');  // calls :h@18
  h(1);  // calls :h@19
  k(d);  // calls :k@20
  k(p);  // calls :k@21
  m(1);  // calls :m@22
  m(q);  // calls :m@23
  m(E::One);  // calls :m@23
  n(1);  // calls :n@25 (missed)
}
