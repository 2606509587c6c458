#include "core/types.h"
#include "core/log.h"
