import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Picture } from './read-code.ts'

let ready: Promise<typeof import('@resvg/resvg-wasm')> | undefined

/** Loads the renderer once, with the first SVG. */
function renderer() {
  ready ??= (async () => {
    const resvg = await import('@resvg/resvg-wasm')
    const file = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
    await resvg.initWasm(await readFile(file))
    return resvg
  })()
  return ready
}

/** Draws an SVG on white, so many pixels wide. Null where it cannot be drawn. */
export async function drawSvg(document: string, width: number): Promise<Picture | null> {
  const { Resvg } = await renderer()
  try {
    const drawing = new Resvg(document, { background: 'white', fitTo: { mode: 'width', value: width } })
    const image = drawing.render()
    const picture = { width: image.width, height: image.height, data: new Uint8Array(image.pixels) }
    image.free()
    drawing.free()
    return picture
  } catch {
    return null
  }
}

/** The sizes that the root element of an SVG gives. */
export function sizeOfSvg(document: string): { width: string | undefined; height: string | undefined } {
  const root = /<svg\b[^>]*>/.exec(document)?.[0] ?? ''
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(root)?.[1]?.replace(/px$/, '')
  return { width: attribute('width'), height: attribute('height') }
}
