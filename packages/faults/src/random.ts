import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Numbers that are the same again from the same seed. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const whole = (least: number, most: number) => uniformInt(generator, least, most)
  return {
    whole,
    chance: probability => whole(0, 999_999) < probability * 1_000_000,
    pick: items => items[whole(0, items.length - 1)] as never,
  }
}
