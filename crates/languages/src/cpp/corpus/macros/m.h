#pragma once
#define CHECK(x) check_failed(x)  // calls m.cc:check_failed
#define DEFINE_HANDLER(name) void name(int code)
#define CALL_TWICE(f) do { f; f; } while (0)
void check_failed(bool ok);
