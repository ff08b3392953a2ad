import type { QRCodeSegment } from 'qrcode'

/** How many bytes each version from 1 on holds at error correction level L (ISO/IEC 18004, table 7). */
const CAPACITIES = [
  ...[19, 34, 55, 80, 108, 136, 156, 194, 232, 274, 324, 370, 428, 461, 523, 589, 647, 721, 795, 861],
  ...[
    932, 1006, 1094, 1174, 1276, 1370, 1468, 1531, 1631, 1735, 1843, 1955, 2071, 2191, 2306, 2434, 2566, 2702,
  ],
  ...[2812, 2956],
]

const modes = ['numeric', 'alphanumeric', 'byte'] as const

/** Text cut into runs, each in one mode, and the smallest version that holds them. */
export interface Cut {
  segments: QRCodeSegment[]
  version: number
}

/** The classes of versions. Within one the count at the head of a run has one width for each mode (ISO/IEC 18004, table 3). */
const classes = [
  { first: 1, last: 9, counts: { numeric: 10, alphanumeric: 9, byte: 8 } },
  { first: 10, last: 26, counts: { numeric: 12, alphanumeric: 11, byte: 16 } },
  { first: 27, last: 40, counts: { numeric: 14, alphanumeric: 13, byte: 16 } },
] as const

/** The first of the modes that each character of ASCII can be in. It can be in those after it, too. */
const firstMode = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return [/[0-9]/, /[A-Z $%*+\-./:]/, /^/].findIndex(pattern => pattern.test(character))
})

/** Bits are counted in sixths, so that a digit (10/3) and a capital (11/2) are whole numbers. */
const sixths = [20, 33, 48] as const
const modeBits = 4
const never = 1 << 30

/**
 * Cuts ASCII text into the runs that take the fewest bits; undefined when no symbol holds it. Long numbers and
 * percent-encoded text come out a good deal shorter than in bytes.
 */
export function segments(text: string): Cut | undefined {
  for (const { first, last, counts } of classes) {
    const most = capacity(last)
    if (text.length * 20 > most * 6) continue // shorter than digits it cannot get
    const { bits, modes: chosen } = cheapest(
      text,
      modes.map(mode => (modeBits + counts[mode]) * 6),
    )
    if (bits > most) continue
    let version: number = first
    while (capacity(version) < bits) version++
    return { segments: runs(text, chosen), version }
  }
  return undefined
}

/** In bits, at the lowest level. */
function capacity(version: number): number {
  return 8 * (CAPACITIES[version - 1] as number)
}

/** The mode of each character such that all together are shortest: dynamic programming over the mode that is open. */
function cheapest(text: string, heads: number[]): { bits: number; modes: Uint8Array } {
  const head = Int32Array.from(heads)
  const from = new Uint8Array(text.length * 3)
  const costs = Int32Array.from(heads)
  for (let i = 0; i < text.length; i++) {
    const open = leastOf(costs)
    const ended = Math.ceil((costs[open] as number) / 6) * 6
    const first = firstMode[text.charCodeAt(i)] as number
    for (let mode = 0; mode < 3; mode++) {
      const going = costs[mode] as number
      const changed = ended + (head[mode] as number)
      from[3 * i + mode] = changed < going ? open : mode
      costs[mode] = mode < first ? never : Math.min(going, changed) + (sixths[mode] as number)
    }
  }
  const last = leastOf(costs)
  return { bits: Math.ceil((costs[last] as number) / 6), modes: traceBack(from, last) }
}

function leastOf(costs: Int32Array): number {
  let least = 0
  for (let mode = 1; mode < 3; mode++) if ((costs[mode] as number) < (costs[least] as number)) least = mode
  return least
}

function traceBack(from: Uint8Array, last: number): Uint8Array {
  const chosen = new Uint8Array(from.length / 3)
  for (let i = chosen.length - 1, mode = last; i >= 0; i--) {
    chosen[i] = mode
    mode = from[3 * i + mode] as number
  }
  return chosen
}

function runs(text: string, chosen: Uint8Array): QRCodeSegment[] {
  const found: QRCodeSegment[] = []
  for (let start = 0, end = 1; end <= text.length; end++) {
    if (chosen[end] === chosen[start]) continue
    // qrcode takes a string in byte mode too, though its types do not say so.
    found.push({ mode: modes[chosen[start] as 0 | 1 | 2], data: text.slice(start, end) } as QRCodeSegment)
    start = end
  }
  return found
}
