//! Where calls of C++ lead.

use crate::fixture::check;
