// Prints, for every call site of a folder's C# files, what the compiler says it calls: one JSON object a line. Asks
// Roslyn (Microsoft.CodeAnalysis), so its version decides which language version is read. Sites whose symbol stays in
// error are left out, and so are calls of delegates.
//
// Usage: mono CallTruth.exe DIR [-d SYMBOL]… [-x PATH_PART]… [-n] > truth.jsonl
//
//   -d  defines a symbol for `#if`
//   -x  leaves out files whose path contains the text
//   -n  also gives the target's name as the programs of the corpus write it
//
// Build: mcs CallTruth.cs -r:Microsoft.CodeAnalysis.dll -r:Microsoft.CodeAnalysis.CSharp.dll
//   -r:System.Collections.Immutable.dll and the facades of the framework
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

static class CallTruth
{
    static readonly string[] Libraries =
    {
        "mscorlib.dll", "System.dll", "System.Core.dll", "System.Xml.dll", "System.Xml.Linq.dll", "System.Data.dll",
        "System.Net.Http.dll", "System.Numerics.dll", "System.Runtime.Serialization.dll", "Microsoft.CSharp.dll",
        "System.ComponentModel.DataAnnotations.dll", "System.Web.dll", "System.Configuration.dll",
        "Facades/System.Runtime.dll", "Facades/netstandard.dll", "Facades/System.Collections.dll",
        "Facades/System.Threading.Tasks.dll",
    };

    static string root;
    static bool isNamed;

    static int Main(string[] args)
    {
        var symbols = new List<string>();
        var without = new List<string>();
        for (var i = 0; i < args.Length; i++)
        {
            if (args[i] == "-d") symbols.Add(args[++i]);
            else if (args[i] == "-x") without.Add(args[++i]);
            else if (args[i] == "-n") isNamed = true;
            else root = Path.GetFullPath(args[i]);
        }
        if (root == null)
        {
            Console.Error.WriteLine("usage: CallTruth DIR [-d SYMBOL]… [-x PATH_PART]…");
            return 1;
        }
        var options = new CSharpParseOptions(LanguageVersion.Latest, preprocessorSymbols: symbols);
        var trees = Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(path => !without.Any(path.Contains))
            .OrderBy(path => path, StringComparer.Ordinal)
            .Select(path => CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(path), Encoding.UTF8), options, path))
            .ToList();
        var folder = Path.GetDirectoryName(typeof(object).Assembly.Location);
        var references = Libraries.Select(name => Path.Combine(folder, name)).Where(File.Exists)
            .Select(path => (MetadataReference)MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("truth", trees, references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        var errors = compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).ToList();
        Console.Error.WriteLine(trees.Count + " files, " + errors.Count + " errors");
        foreach (var error in errors.Take(5)) Console.Error.WriteLine(error);
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        foreach (var tree in trees) Read(compilation.GetSemanticModel(tree), tree, output);
        output.Flush();
        return 0;
    }

    static void Read(SemanticModel model, SyntaxTree tree, StreamWriter output)
    {
        foreach (var node in tree.GetRoot().DescendantNodes())
        {
            var call = node as InvocationExpressionSyntax;
            var made = node as ObjectCreationExpressionSyntax;
            var initializer = node as ConstructorInitializerSyntax;
            var attribute = node as AttributeSyntax;
            if (call != null) Write(model, call, Name(call.Expression), output);
            if (made != null) Write(model, made, Last(made.Type), output);
            if (initializer != null) Write(model, initializer, initializer.ThisOrBaseKeyword, output);
            if (attribute != null) Write(model, attribute, Last(attribute.Name), output);
        }
    }

    static SyntaxToken Name(ExpressionSyntax called)
    {
        var member = called as MemberAccessExpressionSyntax;
        var binding = called as MemberBindingExpressionSyntax;
        var name = called as SimpleNameSyntax;
        if (member != null) return member.Name.Identifier;
        if (binding != null) return binding.Name.Identifier;
        return name != null ? name.Identifier : called.GetFirstToken();
    }

    static SyntaxToken Last(TypeSyntax type)
    {
        var qualified = type as QualifiedNameSyntax;
        var alias = type as AliasQualifiedNameSyntax;
        var name = type as SimpleNameSyntax;
        if (qualified != null) return qualified.Right.Identifier;
        if (alias != null) return alias.Name.Identifier;
        return name != null ? name.Identifier : type.GetFirstToken();
    }

    static void Write(SemanticModel model, SyntaxNode node, SyntaxToken name, StreamWriter output)
    {
        var method = model.GetSymbolInfo(node).Symbol as IMethodSymbol;
        if (method == null) return;
        if (method.MethodKind == MethodKind.DelegateInvoke) return;
        method = (method.ReducedFrom ?? method).OriginalDefinition;
        if (method.PartialImplementationPart != null) method = method.PartialImplementationPart;
        var place = Place(method);
        var line = new StringBuilder();
        var start = Position(name.SyntaxTree, name.SpanStart);
        line.Append("{\"file\":").Append(Quoted(start.Item1)).Append(",\"line\":").Append(start.Item2)
            .Append(",\"column\":").Append(start.Item3).Append(",\"name\":").Append(Quoted(name.Text));
        if (place != null)
        {
            line.Append(",\"target_file\":").Append(Quoted(place.Item1)).Append(",\"target_line\":").Append(place.Item2);
            line.Append(",\"kind\":\"").Append(method.IsImplicitlyDeclared ? "class" : "function").Append('"');
            if (isNamed) line.Append(",\"target_name\":").Append(Quoted(Named(method, place.Item2)));
        }
        else
        {
            line.Append(",\"external\":").Append(Quoted(method.ContainingType + "." + method.Name));
        }
        output.WriteLine(line.Append('}'));
    }

    /// `Outer.Inner.Method`, with its line if the type has several of that name.
    static string Named(IMethodSymbol method, int line)
    {
        var isConstructor = method.MethodKind == MethodKind.Constructor;
        ISymbol symbol = method.IsImplicitlyDeclared ? (ISymbol)method.ContainingType : method;
        var parts = new List<string>();
        for (var at = symbol; at != null && !(at is INamespaceSymbol); at = at.ContainingSymbol)
        {
            var name = at.Name;
            var own = at as IMethodSymbol;
            if (own != null && own.MethodKind == MethodKind.Constructor) name = own.ContainingType.Name;
            parts.Insert(0, name.Substring(name.LastIndexOf('.') + 1));
        }
        var members = method.ContainingType.GetMembers().OfType<IMethodSymbol>().Where(m => !m.IsImplicitlyDeclared);
        var last = parts[parts.Count - 1];
        var several = members.Count(m => isConstructor
            ? m.MethodKind == MethodKind.Constructor || m.MethodKind == MethodKind.StaticConstructor
            : m.Name.Substring(m.Name.LastIndexOf('.') + 1) == last) > 1;
        return string.Join(".", parts) + (several && !method.IsImplicitlyDeclared ? "@" + line : "");
    }

    /// The definition that a call leads to: of a constructor that nobody wrote, the class.
    static Tuple<string, int, int> Place(IMethodSymbol method)
    {
        ISymbol symbol = method;
        if (method.IsImplicitlyDeclared) symbol = method.ContainingType;
        var locations = symbol.Locations.Where(l => l.IsInSource)
            .Select(l => Position(l.SourceTree, l.SourceSpan.Start)).OrderBy(l => l.Item1, StringComparer.Ordinal);
        return locations.FirstOrDefault();
    }

    /// Path below the root, line from 1, column in bytes.
    static Tuple<string, int, int> Position(SyntaxTree tree, int at)
    {
        var text = tree.GetText();
        var line = text.Lines.GetLineFromPosition(at);
        var before = text.ToString(TextSpan.FromBounds(line.Start, at));
        var path = tree.FilePath.Substring(root.TrimEnd('/').Length + 1);
        return Tuple.Create(path, line.LineNumber + 1, Encoding.UTF8.GetByteCount(before));
    }

    static string Quoted(string text)
    {
        return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
    }
}
