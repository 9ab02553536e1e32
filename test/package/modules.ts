import { existsSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { absolute, read } from "./project.ts";

/** What a module loads before its first line runs, or what its declarations refer to. */
function staticImports(file: string): readonly string[] {
  const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    const specifier = isImport ? statement.moduleSpecifier : undefined;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : [];
  });
}

/** What a module loads when it gets to it. */
function dynamicImports(file: string): readonly string[] {
  return ts
    .preProcessFile(read(file), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !staticImports(file).includes(name));
}

export interface Reached {
  /** Every file of the package that the entry loads, itself included. */
  readonly files: readonly string[];
  /** Everything else that it loads, as it is named. */
  readonly packages: readonly string[];
}

/** Follows the static imports from a built file, `.js` or `.d.ts`; with `later` also what a module loads when it gets to it. */
export function reach(entry: string, { later = false } = {}): Reached {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [posix.normalize(entry)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of [...staticImports(file), ...(later ? dynamicImports(file) : [])]) {
      if (name.startsWith(".")) waiting.push(resolve(file, name));
      else packages.add(name);
    }
  }
  return { files: [...files], packages: [...packages].sort() };
}

function resolve(from: string, name: string): string {
  const target = posix.join(posix.dirname(from), name);
  if (!from.endsWith(".d.ts")) return target;
  const declaration = target.replace(/\.(?:js|ts)$/, ".d.ts");
  if (!existsSync(absolute(declaration))) throw new Error(`${from} refers to ${name}, which is not built`);
  return declaration;
}

/** The names that a declaration file exports, types too. */
export function exportedNames(declarations: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const program = ts.createProgram(declarations.map(absolute), {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  return new Map(
    declarations.map((file) => {
      const source = program.getSourceFile(absolute(file));
      const symbol = source && checker.getSymbolAtLocation(source);
      const names = symbol ? checker.getExportsOfModule(symbol).map(({ name }) => name) : [];
      return [file, names.sort()];
    }),
  );
}
