package top.sub
object Not { def run() = Shared.help() }
