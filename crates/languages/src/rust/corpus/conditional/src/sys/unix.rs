pub struct Handle(i32);

pub fn open(_path: &str) -> Handle {
    Handle(retry(|| 3)) // calls :Handle, :retry
}

fn retry(call: impl Fn() -> i32) -> i32 {
    call()
}

impl Handle {
    pub fn raw(&self) -> usize {
        self.0 as usize
    }
}
