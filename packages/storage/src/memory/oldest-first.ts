import type { Instant } from '@tillkit/domain'

/** Those made earlier first, and those of one moment by their name, as databases list them. */
export function oldestFirst<Made extends { createdAt: Instant }>(
  made: Made[],
  nameOf: (one: Made) => string,
): Made[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return made.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(nameOf(a), nameOf(b)))
}
