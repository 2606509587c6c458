//! Known vulnerabilities: what tools report, brought into one shape, filtered, and joined with the ways to each package
//! and with the places that use it.

mod advisory;
mod audit;
mod cvss;
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

pub use advisory::{Advisory, Severity, merge};
pub use audit::{Audit, AuditError, AuditSource, parse_audit};
pub use imports::{ImporterIndex, Importers};
pub use render::{report_to_markdown, trace_to_markdown};
pub use report::{
    BySeverity, FileUse, FunctionUse, PackageUse, ReportOptions, Trace, TracedPackage, VulnReport,
    Vulnerability, named, report, trace,
};
