. ./log.sh
. ./work.sh
work # calls work.sh:work
