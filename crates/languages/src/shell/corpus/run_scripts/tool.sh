#!/usr/bin/env bash
helper() { echo helper; }
helper # calls :helper
