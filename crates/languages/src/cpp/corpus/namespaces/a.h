#pragma once
namespace one {
void run();
namespace inner {
void run();
void deep();
}
inline namespace v1 {
void versioned();
}
}
namespace two::three {
void run();
void only();
}
namespace short_name = two::three;
void run();
