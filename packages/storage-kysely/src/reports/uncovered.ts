import type { IdRange } from '@tillkit/storage'

/** Of a run of ids those that no block covers, and those that blocks list as unresolved. Blocks are in order, and share none. */
export function uncovered(
  { first, last }: IdRange,
  blocks: readonly (IdRange & { unresolved: number[] })[],
): IdRange[] {
  const runs: IdRange[] = []
  let next = first
  for (const block of blocks) {
    if (block.last < next || block.first > last) continue
    if (block.first > next) runs.push({ first: next, last: block.first - 1 })
    for (const id of block.unresolved) if (id >= first && id <= last) runs.push({ first: id, last: id })
    next = block.last + 1
  }
  if (next <= last) runs.push({ first: next, last })
  return runs
}
