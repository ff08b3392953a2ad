import type { Page, Slice } from '@tillkit/domain'

/** The slice, newest first, of records that are kept oldest first; each is copied on its way out. */
export function newestFirst<Kept, Item>(
  oldestFirst: Kept[],
  { skip, limit }: Slice,
  copy: (kept: Kept) => Item,
): Page<Item> {
  const items = oldestFirst.toReversed().slice(skip, skip + limit)
  return { items: items.map(copy), total: oldestFirst.length }
}
