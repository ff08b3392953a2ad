import ts from 'typescript'

/** Told of each declaration that has no words, and what it is called from where it is exported. */
type Report = (name: string, declaration: ts.Declaration) => void

/**
 * Walks from an exported symbol to all that an editor shows of it: its own words, those of its fields and methods, and
 * those of the objects that these take and return. Only what is declared below `ours` has to have words.
 */
export function createWalk(checker: ts.TypeChecker, ours: string, report: Report) {
  const seenSymbols = new Set<ts.Symbol>()
  const seenTypes = new Set<ts.Type>()

  const isOurs = (declaration: ts.Declaration) => {
    const { fileName } = declaration.getSourceFile()
    return fileName.startsWith(ours) && !fileName.includes('/node_modules/')
  }

  function exported(symbol: ts.Symbol): void {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (seenSymbols.has(target)) return
    seenSymbols.add(target)
    const declarations = (target.declarations ?? []).filter(isOurs)
    if (declarations.length === 0) return
    needWords(symbol.name, target, declarations)
    for (const declaration of declarations) {
      if (ts.isTypeAliasDeclaration(declaration)) parts(checker.getTypeAtLocation(declaration), symbol.name)
      else if (ts.isInterfaceDeclaration(declaration))
        parts(checker.getTypeAtLocation(declaration), symbol.name)
      else if (ts.isClassDeclaration(declaration)) classParts(target, declaration, symbol.name)
      else parts(checker.getTypeOfSymbolAtLocation(target, declaration), symbol.name)
    }
  }

  /** Functions with several signatures need words on each: an editor shows those of the one that is called. */
  function needWords(name: string, symbol: ts.Symbol, declarations: readonly ts.Declaration[]): void {
    const shown = declarations.filter(declaration => !isImplementation(declaration, declarations))
    if (shown.some(ts.isFunctionLike)) {
      for (const declaration of shown) {
        if (!hasOwnWords(declaration)) report(name, declaration)
      }
    } else if (symbol.getDocumentationComment(checker).length === 0) {
      report(name, shown[0] as ts.Declaration)
    }
  }

  function classParts(symbol: ts.Symbol, declaration: ts.ClassDeclaration, name: string): void {
    parts(checker.getDeclaredTypeOfSymbol(symbol), name)
    for (const member of checker.getPropertiesOfType(
      checker.getTypeOfSymbolAtLocation(symbol, declaration),
    )) {
      if (member.name !== 'prototype') part(member, name)
    }
  }

  /** The members of a type, and of what it is made of. */
  function parts(type: ts.Type, path: string): void {
    if (seenTypes.has(type)) return
    seenTypes.add(type)
    const name = nameOf(type) ?? path
    if (type.isUnionOrIntersection()) {
      for (const one of type.types) parts(one, name)
      return
    }
    if (!(type.flags & ts.TypeFlags.Object)) return
    if (isOfLibrary(type)) return
    for (const argument of type.aliasTypeArguments ?? []) parts(argument, name)
    if ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) {
      for (const argument of checker.getTypeArguments(type as ts.TypeReference)) parts(argument, name)
    }
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (signature.declaration && !isOurs(signature.declaration)) continue
      for (const parameter of signature.getParameters()) {
        parts(checker.getTypeOfSymbol(parameter), `${name}(${parameter.name})`)
      }
      parts(signature.getReturnType(), `${name}()`)
    }
    for (const member of checker.getPropertiesOfType(type)) part(member, name)
  }

  function part(member: ts.Symbol, owner: string): void {
    const declarations = (member.declarations ?? []).filter(isOurs)
    if (declarations.length === 0 || declarations.some(isHidden)) return
    const name = `${owner}.${member.name}`
    if (declarations.every(isInferred) || member.getDocumentationComment(checker).length === 0) {
      report(name, declarations[0] as ts.Declaration)
    }
    parts(checker.getTypeOfSymbol(member), name)
  }

  /** A library's type, such as a schema: what it is made of is not shown as fields. The language's own are. */
  function isOfLibrary({ symbol }: ts.Type): boolean {
    const declarations = symbol?.declarations ?? []
    return declarations.length > 0 && !declarations.some(isOurs) && !declarations.some(isLanguage)
  }

  function nameOf({ aliasSymbol, symbol }: ts.Type): string | undefined {
    const named = aliasSymbol ?? symbol
    const isNamed =
      named && (named === aliasSymbol || named.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))
    return isNamed && named.declarations?.some(isOurs) ? named.name : undefined
  }

  return exported
}

/** Words on what a type is inferred from, a schema's key for example, are lost in the declarations that are published. */
function isInferred(declaration: ts.Declaration): boolean {
  return ts.isPropertyAssignment(declaration) || ts.isShorthandPropertyAssignment(declaration)
}

function hasOwnWords(declaration: ts.Declaration): boolean {
  return ts.getJSDocCommentsAndTags(declaration).some(doc => ts.isJSDoc(doc) && doc.comment !== undefined)
}

/** The signature that the others stand for is never shown. */
function isImplementation(declaration: ts.Declaration, all: readonly ts.Declaration[]): boolean {
  return all.length > 1 && ts.isFunctionDeclaration(declaration) && declaration.body !== undefined
}

function isLanguage(declaration: ts.Declaration): boolean {
  return /\/typescript\/lib\/lib\.[^/]*$/.test(declaration.getSourceFile().fileName)
}

function isHidden(declaration: ts.Declaration): boolean {
  const { Private, Protected } = ts.ModifierFlags
  const name = ts.getNameOfDeclaration(declaration)
  return (
    (name !== undefined && ts.isPrivateIdentifier(name)) ||
    (ts.getCombinedModifierFlags(declaration) & (Private | Protected)) !== 0
  )
}
