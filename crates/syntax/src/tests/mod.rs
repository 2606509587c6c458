//! Reading files with small walks of the tests' own: see `walk`.

mod bounds;
mod building;
mod children;
mod collecting;
mod locals;
mod marks;
mod measures;
mod prose;
mod texts;
mod walk;
