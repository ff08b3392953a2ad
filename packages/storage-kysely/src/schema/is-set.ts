/** What is false and no number: as PostgreSQL writes it where a host has its driver leave text as it is, and what there is none of. */
const FALSE: ReadonlySet<unknown> = new Set(['f', 'false', undefined])

/** Whether a flag is set, whatever a host's driver makes of one: a boolean, a number, or what the engine writes. */
export const isSet = (flag: unknown): boolean => flag !== null && Number(flag) !== 0 && !FALSE.has(flag)
