usage() { echo main; }
main() { usage; } # calls :usage
main # calls :main
./tool.sh
