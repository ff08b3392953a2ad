import { randomInt } from 'node:crypto'

/** A whole number from `least` to `most`, both included. */
export function whole(least: number, most: number): number {
  return randomInt(least, most + 1)
}

export function pick<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item
}
