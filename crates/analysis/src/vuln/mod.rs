//! Known vulnerabilities: reports of tools, converted to one form, filtered, and joined with the routes to each package and
//! with the places that use it.

mod advisory;
mod audit;
mod cvss;
mod cyclonedx;
mod fields;
mod findings;
mod imports;
mod locked;
mod osv;
mod range;
mod render;
mod report;
#[cfg(test)]
mod tests;

pub use advisory::{Advisory, Severity, merge_advisories};
pub use audit::{Audit, AuditError, AuditSource, parse_audit};
pub use imports::{ImportMatcher, ImporterIndex};
pub use render::{report_to_markdown, trace_to_markdown};
pub use report::{
    FileUse, FunctionUse, PackageUse, ReportOptions, SeverityCounts, Trace, TracedPackage,
    VulnReport, Vulnerability, build_report, packages_named, trace_package,
};
