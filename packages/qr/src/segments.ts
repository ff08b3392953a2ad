import type { QRCodeSegment } from 'qrcode'

/**
 * The classes of symbol versions. Within one the count at the head of a run has one width for each mode; `bits` is what its
 * largest version (9, 26 or 40) holds at error correction level L (ISO/IEC 18004, tables 3 and 7).
 */
const classes = [
  { bits: 1856, counts: { numeric: 10, alphanumeric: 9, byte: 8 } },
  { bits: 10960, counts: { numeric: 12, alphanumeric: 11, byte: 16 } },
  { bits: 23648, counts: { numeric: 14, alphanumeric: 13, byte: 16 } },
]

const modes = ['numeric', 'alphanumeric', 'byte'] as const
const holds = [/^[0-9]$/, /^[0-9A-Z $%*+\-./:]$/, /^.$/s].map(pattern =>
  Array.from({ length: 128 }, (_, code) => pattern.test(String.fromCharCode(code))),
) as [boolean[], boolean[], boolean[]]

/** Bits are counted in sixths, so that a digit (10/3) and a capital (11/2) are whole numbers. */
const sixths = [20, 33, 48] as const
const modeBits = 4

/**
 * Cuts ASCII text into the runs that take the fewest bits; undefined when no symbol holds it. Long numbers and
 * percent-encoded text come out a good deal shorter than in bytes.
 */
export function segments(text: string): QRCodeSegment[] | undefined {
  for (const { bits, counts } of classes) {
    if (text.length * 20 > bits * 6) continue // shorter than digits it cannot get
    const cut = cheapest(text, modes.map(mode => (modeBits + counts[mode]) * 6) as [number, number, number])
    if (cut.bits <= bits) return runs(text, cut.modes)
  }
  return undefined
}

/** The mode of each character such that all together are shortest: dynamic programming over the mode that is open. */
function cheapest(text: string, head: [number, number, number]): { bits: number; modes: Uint8Array } {
  const from = new Uint8Array(text.length * 3)
  let costs: [number, number, number] = [...head]
  for (let i = 0; i < text.length; i++) {
    const next: typeof costs = [Infinity, Infinity, Infinity]
    for (const mode of [0, 1, 2] as const) {
      if (!holds[mode][text.charCodeAt(i)]) continue
      let least = costs[mode]
      from[3 * i + mode] = mode
      for (const open of [0, 1, 2] as const) {
        const changed = Math.ceil(costs[open] / 6) * 6 + head[mode]
        if (changed < least) [least, from[3 * i + mode]] = [changed, open]
      }
      next[mode] = least + sixths[mode]
    }
    costs = next
  }
  const least = Math.min(...costs)
  return { bits: Math.ceil(least / 6), modes: traceBack(from, costs.indexOf(least)) }
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
