pub struct Handle(isize);

pub fn open(_path: &str) -> Handle {
    Handle(0) // calls :Handle
}

impl Handle {
    pub fn raw(&self) -> usize {
        self.close(); // calls :Handle.close
        self.0 as usize
    }

    pub fn close(&self) {}
}
