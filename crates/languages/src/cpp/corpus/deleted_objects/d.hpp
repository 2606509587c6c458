class Buffer {
 public:
  Buffer();
  ~Buffer();
};
class Ring : public Buffer {
 public:
  ~Ring();
};
struct Plain {};
