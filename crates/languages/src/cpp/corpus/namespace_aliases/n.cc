namespace company { namespace project { namespace detail {
void work() {}
struct Tool { void use() {} };
} } }
namespace detail = company::project::detail;
namespace cp = company::project;
void all(detail::Tool t) {
  detail::work();  // calls :company.project.detail.work@2
  cp::detail::work();  // calls :company.project.detail.work@2
  t.use();  // calls :company.project.detail.Tool.use@3
  namespace inner = cp::detail;
  inner::work();  // calls :company.project.detail.work@2
}
