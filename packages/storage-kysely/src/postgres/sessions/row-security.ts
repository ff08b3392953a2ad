import type { NameOptions } from '../../schema/names.ts'
import { quotedAsText } from '../../schema/quoted.ts'
import { TABLE_NAMES } from '../../schema/tables.ts'

/** The oids of those of Tillkit's tables that this session finds, as an array. */
export function oidsOfTables({ schema, tablePrefix = 'tillkit_' }: NameOptions): string {
  const sought = [...TABLE_NAMES].map(name => `to_regclass(${quotedAsText(schema, `${tablePrefix}${name}`)})`)
  return `array[${sought.join(', ')}]::oid[]`
}

/**
 * Whether policies apply to this role in the table `c` of `pg_class`, and not one of them lets it read all rows. What they hide is,
 * for every statement, not there.
 */
export const HIDES_ROWS = `c.relrowsecurity and row_security_active(c.oid) and not (
  exists (select from pg_policy as p where p.polrelid = c.oid and p.polcmd in ('*', 'r')
    and pg_get_expr(p.polqual, p.polrelid) = 'true'
    and exists (select from unnest(p.polroles) as r (id) where r.id = 0 or pg_has_role(r.id, 'usage')))
  and not exists (select from pg_policy as p where p.polrelid = c.oid and not p.polpermissive))`
