/**
 * PL/pgSQL for the text of a statement that has the merchant's id as a literal. By a parameter Citus finds the shard only once the
 * statement is carried out, and then writes it out, parses and plans it once more. `execute` does not set `found`.
 */
export function withMerchant(merchant: string, statement: (id: string) => string): string {
  return `$sql$${statement(`$sql$ || quote_literal(${merchant}) || $sql$`)}$sql$`
}
