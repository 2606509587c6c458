#pragma once
struct Base {
  int id() const;
};
