// What the Scala compiler says of each call: types the sources of a repository and prints every name that means a method.
//
//   scalac -cp LIBRARIES CallTruth.scala -d OUT
//   scala -cp OUT:LIBRARIES CallTruth ROOT CLASSPATH @FILES > truth.tsv
//
// FILES has one source a line, relative to ROOT; files of Java among them are only read. A row is
// `file, line, name, target's file, target's line`; the last two are `-` outside of the run. Accessors of values, default
// arguments, and what the compiler inserts by itself (implicit arguments, conversions, constructors of supertypes that are
// named without arguments, of classes without a name) are left out, and so are trees that do not type. SCALAC_OPTIONS has further options.

import java.io.PrintStream
import scala.reflect.internal.util.BatchSourceFile
import scala.reflect.io.AbstractFile
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

object CallTruth {
  def main(args: Array[String]): Unit = {
    val root = new java.io.File(args(0)).getCanonicalPath + "/"
    val settings = new Settings(error => System.err.println(error))
    settings.classpath.value = args(1)
    settings.stopAfter.value = List("typer")
    val extra = sys.env.getOrElse("SCALAC_OPTIONS", "").split(' ').toList.filter(_.nonEmpty)
    settings.processArguments(extra, processAll = true)
    val reporter = new StoreReporter(settings)
    val global = new Global(settings, reporter)
    import global._

    val list = scala.io.Source.fromFile(args(2).stripPrefix("@")).getLines().filter(_.nonEmpty).toList
    val sources = list.map(path => new BatchSourceFile(AbstractFile.getFile(root + path)))
    val run = new Run
    run.compileSources(sources)
    val out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8")
    val known = list.toSet

    def relative(pos: Position): Option[String] =
      if (pos.isDefined && pos.source.file.file != null)
        Some(pos.source.file.file.getCanonicalPath.stripPrefix(root)).filter(known)
      else None

    object rows extends Traverser {
      val seen = scala.collection.mutable.LinkedHashSet.empty[String]

      def note(tree: Tree): Unit = {
        val symbol = tree.symbol
        val isCalled = symbol != null && symbol != NoSymbol && symbol.isMethod && !symbol.isAccessor &&
          !symbol.name.toString.contains("$default$") && !symbol.isModule && !symbol.isLabel &&
          !(symbol.isConstructor && symbol.owner.isAnonymousClass)
        if (isCalled && tree.pos.isDefined) {
          for (file <- relative(tree.pos)) {
            val line = tree.pos.source.offsetToLine(tree.pos.point) + 1
            val at = if (symbol.isConstructor && symbol.isPrimaryConstructor) symbol.owner.pos else symbol.pos
            val target = relative(at).map(f => f + "\t" + (at.source.offsetToLine(at.point) + 1))
            seen += List(file, line, symbol.name.decode, target.getOrElse("-\t-")).mkString("\t")
          }
        }
      }

      override def traverse(tree: Tree): Unit = tree match {
        // A supertype without arguments.
        case Apply(Select(_: Super, termNames.CONSTRUCTOR), Nil) =>
        case _: ApplyImplicitView => tree.asInstanceOf[Apply].args.foreach(traverse)
        case application: ApplyToImplicitArgs => traverse(application.fun)
        case definition: DefDef if definition.symbol.isSynthetic =>
        case definition: ValOrDefDef if definition.symbol.isAccessor =>
        case types: TypeTree => if (types.original != null) traverse(types.original)
        case _: Select | _: Ident => note(tree); super.traverse(tree)
        case _ => super.traverse(tree)
      }
    }
    for (unit <- run.units) {
      rows.seen.clear()
      rows.traverse(unit.body)
      rows.seen.foreach(out.println)
    }
    out.flush()
    val errors = reporter.infos.filter(_.severity == reporter.ERROR)
    System.err.println(s"${errors.size} errors")
    errors.take(40).foreach(error => System.err.println(s"${error.pos.source.file.path}:${error.pos.line} ${error.msg.take(200)}"))
  }
}
