import { deflateSync } from 'node:zlib'
import { QrError } from '../qr-error.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { crc32 } from './crc32.ts'

const quietZone = 4
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const end = chunk('IEND', Buffer.alloc(0))

/** PNG's filter types: a row as it is, and a row as its difference to the one above. */
const plain = 0
const up = 2

/**
 * Draws a symbol as a PNG of `size` pixels, one bit each: every module the same whole number of pixels, centred, four or
 * more modules of quiet zone, or what is left of it where the size is tight.
 *
 * @throws QrError naming `size`, with `smallestSize`, where there are fewer pixels than modules.
 */
export function png(symbol: Matrix, size: number): Uint8Array {
  const { side } = symbol
  if (size < side) throw new QrError('size', `must be at least ${side} for this URL`, { smallestSize: side })
  const scale = Math.max(1, Math.floor(size / (side + 2 * quietZone)))
  return Buffer.concat([
    signature,
    header(size),
    // Rows that repeat are zeros already: searching longer finds nothing more, in four times the time.
    chunk('IDAT', deflateSync(pixels(symbol, size, scale), { level: 3 })),
    end,
  ])
}

/** Rows of a filter byte and the pixels, 1 for white. A row like the one above is `up` and zeros, which deflate to nothing. */
function pixels({ side, dark }: Matrix, size: number, scale: number): Uint8Array {
  const stride = 1 + Math.ceil(size / 8)
  const margin = Math.floor((size - side * scale) / 2)
  const rows = new Uint8Array(size * stride)
  const blank = (row: number): void => {
    rows.fill(0xff, row * stride + 1, (row + 1) * stride)
    rows[row * stride] = plain
  }
  for (let row = 0; row < size; row++) rows[row * stride] = up
  blank(0)
  for (let y = 0; y < side; y++) {
    const row = margin + y * scale
    blank(row)
    const line = rows.subarray(row * stride + 1, (row + 1) * stride)
    for (let x = 0, at = y * side; x < side; x++, at++) {
      if (dark[at]) blacken(line, margin + x * scale, scale)
    }
  }
  const below = margin + side * scale
  if (below < size) blank(below)
  return rows
}

/** Clears so many bits from a place on. */
function blacken(line: Uint8Array, from: number, count: number): void {
  const end = from + count
  for (let bit = from; bit < end; ) {
    const within = bit & 7
    const taken = Math.min(8 - within, end - bit)
    line[bit >> 3] = (line[bit >> 3] as number) & ~((0xff >> within) & (0xff << (8 - within - taken)))
    bit += taken
  }
}

function header(size: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(size, 0)
  data.writeUInt32BE(size, 4)
  data[8] = 1 // one bit a pixel, greyscale; the rest is zero: no palette, no interlace
  return chunk('IHDR', data)
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  data.copy(whole, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8)
  return whole
}
