import type { Matrix } from './matrix.ts'

const quietZone = 4

/** Draws a symbol as an SVG of `size` pixels: a white ground, and all dark modules in one path, a rectangle a run. */
export function svg({ side, dark }: Matrix, size: number, title: string): string {
  const box = side + 2 * quietZone
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${size}" height="${size}" viewBox="0 0 ${box} ${box}" ` +
    `shape-rendering="crispEdges"><title>${escaped(title)}</title>` +
    `<rect width="${box}" height="${box}" fill="#fff"/><path fill="#000" d="${runs(dark, side)}"/></svg>`
  )
}

function runs(dark: Uint8Array, side: number): string {
  let path = ''
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const start = x
      while (x < side && dark[y * side + x]) x++
      if (x > start) path += `M${start + quietZone} ${y + quietZone}h${x - start}v1h${start - x}z`
    }
  }
  return path
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
