import jsQR from 'jsqr'
import { PNG } from 'pngjs'

/** A picture in grey levels, a byte a pixel: what a camera would hand to a decoder. */
export interface Picture {
  width: number
  height: number
  grey: Uint8Array
}

export function fromPng(bytes: Uint8Array): Picture {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes), { checkCRC: true })
  const grey = new Uint8Array(width * height)
  for (let i = 0; i < grey.length; i++) grey[i] = data[4 * i] as number
  return { width, height, grey }
}

/** Paints the runs of our SVG path, `scale` pixels a unit of its viewBox. */
export function fromSvg(document: string, scale: number): Picture {
  const box = Number(/viewBox="0 0 (\d+) \1"/.exec(document)?.[1])
  const side = box * scale
  const grey = new Uint8Array(side * side).fill(255)
  const path = / d="([^"]*)"/.exec(document)?.[1] ?? ''
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
  if (runs.map(([run]) => run).join('') !== path) throw new Error('the path has something else than runs')
  for (const [, x, y, width, back] of runs.map(
    run => run.map(Number) as [number, number, number, number, number],
  )) {
    if (width !== back) throw new Error('a run does not close')
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      grey.fill(0, row * side + x * scale, row * side + (x + width) * scale)
    }
  }
  return { width: side, height: side, grey }
}

/** The text of the QR code in the picture by jsQR, which shares no code with ours; undefined when it finds none. */
export function decode({ width, height, grey }: Picture): string | undefined {
  const rgba = new Uint8ClampedArray(grey.length * 4)
  for (let i = 0; i < grey.length; i++) rgba.fill(grey[i] as number, 4 * i, 4 * i + 3)[4 * i + 3] = 255
  const found = jsQR.default(rgba, width, height, { inversionAttempts: 'dontInvert' })
  return found ? Buffer.from(found.binaryData).toString('latin1') : undefined
}
