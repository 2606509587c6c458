// A plugin of the Kotlin compiler that prints, for every call site, what the compiler's front end (K2) says it calls: one line
// with tabs between the fields, in the file that the environment variable CALL_TRUTH names. Code with errors is read as well;
// calls that the compiler cannot resolve are counted, not printed.
//
// Fields: file, line and column of the called name (both from 1), the name, `repo` or `outside`, and for targets in the sources
// the file, the first and the last line, the name of the definition, and its kind (`function`, `primary`, `secondary`, `made`).
//
// Build and use: see run.sh beside this file.
@file:OptIn(
    org.jetbrains.kotlin.fir.symbols.SymbolInternals::class,
    org.jetbrains.kotlin.compiler.plugin.ExperimentalCompilerApi::class,
)

package truth

import java.io.BufferedWriter
import java.io.File
import org.jetbrains.kotlin.com.intellij.psi.PsiElement
import org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar
import org.jetbrains.kotlin.config.CompilerConfiguration
import org.jetbrains.kotlin.diagnostics.DiagnosticReporter
import org.jetbrains.kotlin.fir.FirSession
import org.jetbrains.kotlin.fir.analysis.checkers.MppCheckerKind
import org.jetbrains.kotlin.fir.analysis.checkers.context.CheckerContext
import org.jetbrains.kotlin.fir.analysis.checkers.expression.ExpressionCheckers
import org.jetbrains.kotlin.fir.analysis.checkers.expression.FirCallChecker
import org.jetbrains.kotlin.fir.analysis.extensions.FirAdditionalCheckersExtension
import org.jetbrains.kotlin.fir.declarations.FirConstructor
import org.jetbrains.kotlin.fir.expressions.FirCall
import org.jetbrains.kotlin.fir.expressions.FirDelegatedConstructorCall
import org.jetbrains.kotlin.fir.expressions.FirFunctionCall
import org.jetbrains.kotlin.fir.expressions.FirFunctionCallOrigin
import org.jetbrains.kotlin.fir.expressions.FirResolvable
import org.jetbrains.kotlin.fir.expressions.FirImplicitInvokeCall
import org.jetbrains.kotlin.fir.extensions.FirExtensionRegistrar
import org.jetbrains.kotlin.fir.extensions.FirExtensionRegistrarAdapter
import org.jetbrains.kotlin.fir.declarations.FirDeclarationOrigin
import org.jetbrains.kotlin.fir.references.FirErrorNamedReference
import org.jetbrains.kotlin.fir.references.FirResolvedErrorReference
import org.jetbrains.kotlin.fir.references.toResolvedCallableSymbol
import org.jetbrains.kotlin.fir.delegatedWrapperData
import org.jetbrains.kotlin.fir.originalOrSelf
import org.jetbrains.kotlin.fir.resolve.providers.firProvider
import org.jetbrains.kotlin.fir.symbols.impl.FirCallableSymbol
import org.jetbrains.kotlin.fir.symbols.impl.FirConstructorSymbol
import org.jetbrains.kotlin.fir.unwrapFakeOverrides

class Registrar : CompilerPluginRegistrar() {
    override val pluginId: String get() = "call-truth"
    override val supportsK2: Boolean get() = true

    override fun ExtensionStorage.registerExtensions(configuration: CompilerConfiguration) {
        FirExtensionRegistrarAdapter.registerExtension(Extensions())
    }
}

class Extensions : FirExtensionRegistrar() {
    override fun ExtensionRegistrarContext.configurePlugin() {
        +::Checkers
    }
}

class Checkers(session: FirSession) : FirAdditionalCheckersExtension(session) {
    override val expressionCheckers: ExpressionCheckers = object : ExpressionCheckers() {
        override val callCheckers: Set<FirCallChecker> = setOf(CallPrinter)
    }
}

object Output {
    val writer: BufferedWriter = File(System.getenv("CALL_TRUTH")).bufferedWriter()
    private val starts = HashMap<String, IntArray>()
    var unresolved = 0

    init {
        Runtime.getRuntime().addShutdownHook(Thread {
            writer.close()
            System.err.println("call truth: $unresolved calls are not resolved")
        })
    }

    /** Line and column of an offset, both from 1. */
    @Synchronized
    fun position(path: String, offset: Int): Pair<Int, Int> {
        val lines = starts.getOrPut(path) {
            val text = File(path).readText().replace("\r\n", "\n")
            val found = arrayListOf(0)
            text.forEachIndexed { at, c -> if (c == '\n') found.add(at + 1) }
            found.toIntArray()
        }
        val found = lines.binarySearch(offset)
        val line = if (found >= 0) found else -found - 2
        return Pair(line + 1, offset - lines[line] + 1)
    }

    @Synchronized
    fun line(fields: List<Any>) {
        writer.write(fields.joinToString("\t"))
        writer.newLine()
    }
}

object CallPrinter : FirCallChecker(MppCheckerKind.Common) {
    context(context: CheckerContext, reporter: DiagnosticReporter)
    override fun check(expression: FirCall) {
        if (expression !is FirResolvable) return
        val file = context.containingFilePath ?: return
        val reference = expression.calleeReference
        val source = reference.source ?: expression.source ?: return
        val symbol = reference.toResolvedCallableSymbol().takeUnless {
            reference is FirErrorNamedReference || reference is FirResolvedErrorReference
        }
        if (symbol == null) {
            Output.unresolved += 1
            return
        }
        val isOperator = expression is FirFunctionCall && expression.origin == FirFunctionCallOrigin.Operator
        val isInvoke = expression is FirImplicitInvokeCall
        val (line, column) = Output.position(file, source.startOffset)
        val site = when {
            expression is FirDelegatedConstructorCall -> "delegated"
            isInvoke -> "invoke"
            isOperator -> "operator"
            else -> "call"
        }
        val called = written(symbol)
        val name = if (called is FirConstructorSymbol) {
            called.callableId?.className?.shortName()?.asString() ?: "<init>"
        } else {
            called.name.asString()
        }
        Output.line(listOf(file, line, column, name, site) + target(called, file))
    }

    /** What is written in the source: an interface's member stands behind one that the compiler made for a delegate. */
    private fun written(symbol: FirCallableSymbol<*>): FirCallableSymbol<*> {
        val whole = symbol.unwrapFakeOverrides().originalOrSelf()
        val behind = whole.fir.delegatedWrapperData?.wrapped?.symbol ?: return whole
        return behind.unwrapFakeOverrides().originalOrSelf()
    }

    private fun target(called: FirCallableSymbol<*>, file: String): List<Any> {
        val source = called.source
        val psi: PsiElement? = (source as? org.jetbrains.kotlin.KtPsiSourceElement)?.psi
        val container = called.moduleData.session.firProvider.getFirCallableContainerFile(called)?.sourceFile?.path
        // Local functions and members of local classes belong to no file that the compiler lists.
        val isInSource = called.origin == FirDeclarationOrigin.Source
        val path = container ?: psi?.containingFile?.virtualFile?.path ?: file.takeIf { isInSource }
        if (source == null || path == null || path.contains(".jar!") || !File(path).isFile) return listOf("outside")
        val first = Output.position(path, source.startOffset).first
        val last = Output.position(path, source.endOffset).first
        val constructor = called.fir as? FirConstructor
        val isMade = called.origin != FirDeclarationOrigin.Source && called.origin !is FirDeclarationOrigin.Java
        val kind = when {
            constructor != null && constructor.isPrimary -> "primary"
            constructor != null -> "secondary"
            isMade -> "made"
            else -> "function"
        }
        return listOf("repo", path, first, last, kind)
    }
}
