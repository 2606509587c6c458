#!/usr/bin/env bash
usage() { echo tool; }
main() { usage; } # calls :usage
main # calls :main
