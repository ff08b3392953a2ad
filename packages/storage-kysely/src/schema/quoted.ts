/** A name as PostgreSQL is to read it, whatever is in it: of several, each is in the one before it. */
export function quoted(...names: string[]): string {
  return names.map(name => `"${name.replaceAll('"', '""')}"`).join('.')
}
