/**
 * The name that a table was asked for by, by the one that the database calls it: where that `folds` names, as SQLite does and MariaDB
 * and MySQL do with `lower_case_table_names`, Payments and payments are the same. Undefined for a table that was not asked for.
 */
export function asNamed(tables: string[], folds: boolean): (found: string) => string | undefined {
  const fold = (name: string) => (folds ? name.toLowerCase() : name)
  const named = new Map(tables.map(table => [fold(table), table]))
  return found => named.get(fold(found))
}
