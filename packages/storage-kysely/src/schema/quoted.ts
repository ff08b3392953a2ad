/** A name as PostgreSQL is to read it, whatever is in it: of several, each is in the one before it. */
export function quoted(...names: string[]): string {
  return names.map(name => `"${name.replaceAll('"', '""')}"`).join('.')
}

/** The same as a text that names it, for `to_regclass` and its like; without a schema the search path says which it is. */
export function quotedAsText(schema: string | undefined, name: string): string {
  const full = schema === undefined ? quoted(name) : quoted(schema, name)
  return asText(full)
}

/** Text as a literal, as PostgreSQL is to read it: no backslash in it means anything. */
export function asText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
