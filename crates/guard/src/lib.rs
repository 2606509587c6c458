//! Opens files that this program did not write, and starts other programs. No other crate of the workspace may do
//! either.
//!
//! A repository may be hostile: its paths may be links that lead elsewhere, devices that never end, FIFOs that block
//! for ever, or files of any size. Every read of such a file goes through [`mod@file`]. Our own files in a repository's
//! folder go through [`mod@state`]. [`program`] starts programs, and [`text`] prepares text of a repository for
//! display. A test of the workspace looks for any other way.
//!
//! Never knows: the meaning of files, the environment, terminals.

pub mod anchor;
pub mod file;
pub mod holder;
pub mod list;
pub mod mounts;
pub mod output;
pub mod owner;
pub mod program;
pub mod seal;
pub mod state;
pub mod text;

pub use file::{Folder, OpenError, open_user_file, read_user_file};
