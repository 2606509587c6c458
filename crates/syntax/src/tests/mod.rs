//! Reading files with small walks made for the tests: see `walk`.

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
