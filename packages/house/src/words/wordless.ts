import { dirname, relative } from 'node:path'
import ts from 'typescript'
import type { PublicPackage } from '../packages.ts'
import { createWalk } from './walk.ts'

/** Something exported that says nothing when an editor hovers over it. */
export interface Wordless {
  /** Below the root, `packages/domain/src/values/page.ts`. */
  file: string
  /** From 1. */
  line: number
  /** `StartPayment.totalAmount`. */
  name: string
}

/**
 * What the packages export without a word of TSDoc: functions, types, constants, and each field, method and option of
 * them, the inferred ones too. What other packages declare is theirs to explain.
 */
export function wordless(root: string, packages: readonly PublicPackage[]): Wordless[] {
  const program = ts.createProgram(
    packages.flatMap(({ entries }) => entries),
    compilerOptions(root),
  )
  const checker = program.getTypeChecker()
  const found = new Map<string, Wordless>()
  const walk = createWalk(checker, `${root}/packages/`, (name, declaration) => {
    const source = declaration.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(declaration.getStart(source))
    const file = relative(root, source.fileName)
    // One declaration may be met under several names: the first is the shortest way to it.
    const place = `${file}:${declaration.getStart(source)}`
    if (!found.has(place)) found.set(place, { file, line: line + 1, name })
  })
  for (const entry of packages.flatMap(({ entries }) => entries)) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile)
    if (module === undefined) throw new Error(`${entry} exports nothing`)
    for (const symbol of checker.getExportsOfModule(module)) walk(symbol)
  }
  return [...found.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

function compilerOptions(root: string): ts.CompilerOptions {
  const file = `${root}/tsconfig.json`
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '))
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, dirname(file)).options
}
