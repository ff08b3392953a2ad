import jsqr from 'jsqr'
import { PNG } from 'pngjs'

/** A picture in pixels of four bytes: red, green, blue, opacity. */
export interface Picture {
  width: number
  height: number
  data: Uint8Array
}

/** A QR code that was found in a picture. */
export interface Code {
  /** Its bytes, each as one character. */
  content: string
  /** Modules of a side. */
  side: number
}

/** The picture of a PNG; null where it is none. */
export function readPng(bytes: Uint8Array): Picture | null {
  try {
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes), { checkCRC: true })
    return { width, height, data }
  } catch {
    return null
  }
}

/** Reads the QR code in a picture, by a decoder that shares no code with what draws it. */
export function readCode({ width, height, data }: Picture): Code | null {
  const found = jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })
  if (found === null) return null
  return { content: Buffer.from(found.binaryData).toString('latin1'), side: 17 + 4 * found.version }
}
